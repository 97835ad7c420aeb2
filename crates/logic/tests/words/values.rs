//! Bit-vector values: reading, printing and what the operators do not cover.

use wedge_logic::BitVec;
use wedge_logic::bitvec::ParseError;

#[test]
fn numbers_are_read_in_three_bases() {
    assert_eq!(BitVec::parse(4, "1010", 2), Ok(BitVec::new(4, 10)));
    assert_eq!(BitVec::parse(8, "-1", 10), Ok(BitVec::ones(8)));
    assert_eq!(BitVec::parse(8, "-128", 10), Ok(BitVec::min_signed(8)));
    assert_eq!(BitVec::parse(8, "255", 10), Ok(BitVec::ones(8)));
    assert_eq!(BitVec::parse(68, "fFFFFFFFFFFFFFFFF", 16), Ok(BitVec::ones(68)));
    assert_eq!(BitVec::parse(1, "0000000000000000000001", 10), Ok(BitVec::one(1)));
    assert_eq!(BitVec::parse(70, "0", 10), Ok(BitVec::zero(70)));
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    assert_eq!(BitVec::parse(8, "256", 10), Err(ParseError::TooLarge(8)));
    assert_eq!(BitVec::parse(8, "-129", 10), Err(ParseError::TooLarge(8)));
    assert_eq!(BitVec::parse(8, &"9".repeat(100_000), 10), Err(ParseError::TooLarge(8)));
    assert_eq!(BitVec::parse(8, "12", 2), Err(ParseError::Digit('2')));
    assert_eq!(BitVec::parse(8, "--1", 10), Err(ParseError::Digit('-')));
    assert_eq!(BitVec::parse(8, "", 10), Err(ParseError::Empty));
    assert_eq!(BitVec::parse(8, "-", 10), Err(ParseError::Empty));
    assert_eq!(BitVec::parse(8, "1_0", 10), Err(ParseError::Digit('_')));
}

#[test]
fn values_print_in_binary_and_decimal() {
    let value = BitVec::new(6, 11);
    assert_eq!(format!("{value:b} {value} {value:?}"), "001011 11 11:6");
    let wide = BitVec::power_of_two(70, 69);
    assert_eq!(wide.to_string(), "590295810358705651712");
    assert_eq!(format!("{wide:b}"), format!("1{}", "0".repeat(69)));
}

#[test]
fn widths_around_a_machine_word() {
    for width in [1, 2, 63, 64, 65, 128, 129] {
        let (ones, min) = (BitVec::ones(width), BitVec::min_signed(width));
        assert!(ones.is_ones() && ones.is_negative());
        assert_eq!(ones.not(), BitVec::zero(width));
        assert_eq!(min.neg(), min);
        assert_eq!(ones.inc(), BitVec::zero(width));
        assert_eq!(min.exact_log2(), Some(width - 1));
        assert_eq!(BitVec::zero(width).trailing_zeros(), width);
        assert_eq!(BitVec::max_signed(width).inc(), min);
        assert_eq!(BitVec::from_bits(&min.bits().collect::<Vec<_>>()), min);
        assert_eq!(ones.zext(70).slice(width - 1, 0), ones);
        assert_eq!(BitVec::from_biguint(width, ones.concat(&ones).to_biguint()), ones);
    }
}
