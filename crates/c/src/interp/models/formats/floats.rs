//! `double`s as `printf` writes them (C11 7.21.6.1), rounded to nearest, ties to even.

/// The digits and the point, without sign; `letter` is the conversion.
pub fn magnitude(value: f64, letter: u8, precision: Option<usize>, alternate: bool) -> String {
    let value = value.abs();
    let precision = precision.unwrap_or(6);
    let text = match letter.to_ascii_lowercase() {
        _ if value.is_nan() => "nan".to_string(),
        _ if value.is_infinite() => "inf".to_string(),
        b'f' => fixed(value, precision, alternate),
        b'e' => exponential(value, precision, alternate),
        _ => general(value, precision, alternate),
    };
    if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{point}")
}

/// The digits before the exponent, and the exponent.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_string(), exponent.parse().unwrap_or(0))
}

fn with_exponent(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn exponential(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = parts(value, precision);
    let point = if alternate && precision == 0 { "." } else { "" };
    with_exponent(&format!("{digits}{point}"), exponent)
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let significant = precision.max(1);
    let (digits, exponent) = parts(value, significant - 1);
    let is_fixed = exponent >= -4 && exponent < significant as i32;
    let digits = match is_fixed {
        true => fixed(value, (significant as i32 - 1 - exponent) as usize, alternate),
        false => digits,
    };
    let digits = match alternate || !digits.contains('.') {
        true => digits.as_str(),
        false => digits.trim_end_matches('0').trim_end_matches('.'),
    };
    if is_fixed { digits.to_string() } else { with_exponent(digits, exponent) }
}

#[cfg(test)]
mod tests {
    use super::magnitude;

    #[test]
    fn numbers_look_as_in_c() {
        for (value, letter, precision, text) in [
            (2.5, b'f', Some(0), "2"),
            (0.125, b'f', Some(2), "0.12"),
            (1e22, b'f', None, "10000000000000000000000.000000"),
            (123456.0, b'e', None, "1.234560e+05"),
            (1e-5, b'g', None, "1e-05"),
            (100000.0, b'g', None, "100000"),
            (1e6, b'G', None, "1E+06"),
            (0.0, b'g', None, "0"),
            (0.1, b'g', Some(17), "0.10000000000000001"),
            (f64::INFINITY, b'F', None, "INF"),
        ] {
            assert_eq!(magnitude(value, letter, precision, false), text);
        }
    }
}
