//! The first iterations, against trying one after the other.

use super::first::{outside, outside_modulo};
use super::series::Series;

#[test]
fn the_first_number_outside_an_interval_modulo_is_found() {
    for width in 1..=5u32 {
        let all = 1i128 << width;
        for begin in 0..all {
            for step in -1..all {
                for low in 0..all {
                    for high in low..all {
                        let is_outside = |n: &u128| {
                            let value = (begin + step * *n as i128).rem_euclid(all);
                            !(low..=high).contains(&value)
                        };
                        let expected = (0..all as u128).find(is_outside);
                        let found = outside_modulo((begin, step), width, (low, high));
                        assert_eq!(found, expected, "{width}: {begin} {step} {low} {high}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_first_number_outside_an_interval_is_found() {
    for c0 in -6..6 {
        for c1 in -9..9 {
            for c2 in -3..4 {
                let series = Series { c: [c0, c1, c2] };
                for (low, high) in [(-10, 10), (-3, 40), (-50, 6), (0, 0), (-1, 30)] {
                    let expected = (0..300).find(|n| !(low..=high).contains(&(series.at(*n))));
                    let found = outside(&series, low, high);
                    assert_eq!(found, expected, "{series:?} {low} {high}");
                }
            }
        }
    }
}

#[test]
fn a_series_an_iteration_before() {
    let series = Series { c: [5, -7, 3] };
    let before = series.before().unwrap();
    for n in 0..20 {
        assert_eq!(before.at(n), series.at(n - 1));
    }
}
