//! Whether what a command prints is what a page shows.
//!
//! A line `...` stands for any lines, `...` in a line for any text. Spaces are one space. Numbers
//! count, except in lines that are about time and in those that contain one of the words that the
//! page says vary.

/// Whether all of `actual` is what `shown` says.
pub fn agree(shown: &[String], actual: &[String], varies: &[&str]) -> bool {
    match shown {
        [] => actual.is_empty(),
        [first, rest @ ..] if first.trim() == "..." => {
            (0..=actual.len()).any(|skipped| agree(rest, &actual[skipped..], varies))
        }
        [first, rest @ ..] => match actual {
            [] => false,
            [line, more @ ..] => line_agrees(first, line, varies) && agree(rest, more, varies),
        },
    }
}

fn line_agrees(shown: &str, actual: &str, varies: &[&str]) -> bool {
    let is_open = |line: &str| {
        let mut words = ["seconds", "Seconds"].iter().chain(varies);
        words.any(|word| line.contains(word)) || is_time(line)
    };
    let open = is_open(actual);
    let plain = |line: &str| {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if open { without_numbers(&line) } else { line }
    };
    let (shown, actual) = (plain(shown), plain(actual));
    let mut parts = shown.split("...");
    let Some(mut rest) = actual.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether a line has a number of seconds, as `0.013 s`.
fn is_time(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let is_number = pair[0].contains('.') && pair[0].parse::<f64>().is_ok();
        is_number && pair[1].trim_end_matches([',', ';']) == "s"
    })
}

/// Every number is `#`, and so is a row of them with points between.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            '.' if text.ends_with('#') => {}
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

#[test]
fn numbers_count_unless_they_vary() {
    assert!(agree(&lines("bound  7\nTRUE"), &lines("bound 7\nTRUE"), &[]));
    assert!(!agree(&lines("bound 7\nTRUE"), &lines("bound 8\nTRUE"), &[]));
    assert!(agree(&lines("bound 7\nTRUE"), &lines("bound 18\nTRUE"), &["bound"]));
    assert!(agree(&lines("solver seconds 0.01"), &lines("solver seconds 12.5"), &[]));
    assert!(agree(&lines("imc: 0.013 s, x"), &lines("imc: 1.5 s, x"), &[]));
    assert!(!agree(&lines("imc: 0.013 s, x"), &lines("imc: 1.5 s, y"), &[]));
}

#[test]
fn dots_stand_for_what_is_left_out() {
    let actual = lines("a\nb\nc\nd");
    assert!(agree(&lines("a\n...\nd"), &actual, &[]));
    assert!(agree(&lines("...\nd"), &actual, &[]));
    assert!(agree(&lines("a\n...\nb\nc\nd"), &actual, &[]));
    assert!(!agree(&lines("a\n...\nc"), &actual, &[]));
    assert!(!agree(&lines("...\nx\n..."), &actual, &[]));
    assert!(agree(&lines("read of ... of `x`, ..."), &lines("read of 4 bytes of `x`, end"), &[]));
    assert!(!agree(&lines("read of ... of `x`"), &lines("read of 4 bytes of `y`"), &[]));
    assert!(!agree(&lines(""), &actual, &[]));
}
