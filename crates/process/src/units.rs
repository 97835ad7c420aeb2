//! Times and sizes as people write them.

use std::time::Duration;

/// A time such as `60s`, `500ms`, `5m` or `1h`; seconds if there is no unit.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; use ms, s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a number such as 60s")?;
    let seconds = number * factor;
    if !(seconds > 0.0 && seconds < 1e9) {
        return Err("expected a positive time".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A size such as `4GB`, `500MB` or `2GiB`; bytes if there is no unit.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor = match unit.to_ascii_uppercase().trim_end_matches('B') {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "KI" => f64::from(1u32 << 10),
        "MI" => f64::from(1u32 << 20),
        "GI" => f64::from(1u32 << 30),
        _ => return Err(format!("unknown unit '{unit}'; use KB, MB, GB, KiB, MiB or GiB")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a size such as 4GB")?;
    let bytes = number * factor;
    if !(1.0..1e18).contains(&bytes) {
        return Err("expected a positive size".into());
    }
    Ok(bytes as u64)
}

fn split(text: &str) -> (&str, &str) {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    (number.trim(), unit.trim())
}

/// A duration for a command line, precise to a millisecond.
pub fn duration_argument(duration: Duration) -> String {
    format!("{}ms", duration.as_millis().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5 m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("2"), Ok(Duration::from_secs(2)));
        for bad in ["", "s", "-1s", "0", "3 days", "1e30h", "NaN"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_argument_reads_back() {
        for duration in [Duration::from_millis(1), Duration::from_secs(7200)] {
            assert_eq!(parse_duration(&duration_argument(duration)), Ok(duration));
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("4GB"), Ok(4_000_000_000));
        assert_eq!(parse_bytes("2 MiB"), Ok(2 << 20));
        assert_eq!(parse_bytes("17"), Ok(17));
        for bad in ["", "GB", "-1GB", "0", "3 TB"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}
