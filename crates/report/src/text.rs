//! Text inside of markup.

/// Text as part of HTML or XML, quoted attributes included.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            // Not allowed in XML at all.
            control if control.is_control() && !"\t\n\r".contains(control) => {
                escaped.push('\u{fffd}')
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// Data inside of a script element: nothing in it can end the element, and it is still JSON.
pub fn embedded(data: &impl serde::Serialize) -> String {
    let text = serde_json::to_string(data).expect("data with names as keys is JSON");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_data_ends_its_element() {
        let data = embedded(&["</script><!-- \u{2028}"]);
        assert!(!data.contains('<') && !data.contains('\u{2028}'), "{data}");
        let read: Vec<String> = serde_json::from_str(&data).unwrap();
        assert_eq!(read, ["</script><!-- \u{2028}"]);
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(
            escape("a<b> & \"c\" 'd'\u{1}"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\u{fffd}"
        );
    }
}
