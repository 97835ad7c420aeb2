//! Pages of Markdown, as far as the tests look at them: code blocks with the comments above them,
//! headings and links.

use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub struct Page {
    /// Relative to the root of the repository, with `/`.
    pub name: String,
    pub text: String,
}

/// A fenced code block.
pub struct Block {
    /// The number of its first line, the fence.
    pub line: usize,
    pub language: String,
    pub lines: Vec<String>,
    /// The comments directly above it.
    comments: Vec<String>,
}

impl Block {
    /// What a comment above the block says behind this word.
    pub fn note(&self, word: &str) -> Option<&str> {
        let comments = self.comments.iter();
        comments.filter_map(|c| c.strip_prefix(word)?.strip_prefix(':')).map(str::trim).next()
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The pages of the book, in any order.
pub fn book() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(read(&path));
            }
        }
    }
    assert!(pages.len() > 30, "{} pages", pages.len());
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// A page beside the book.
pub fn beside(name: &str) -> Page {
    read(&root().join(name))
}

fn read(path: &Path) -> Page {
    let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_string();
    Page { name, text: std::fs::read_to_string(path).unwrap() }
}

/// The comment that a line consists of.
fn comment(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim())
}

impl Page {
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut comments = Vec::new();
        let mut open = None;
        for (number, line) in self.text.lines().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (&mut open, fence) {
                (None, Some(language)) => {
                    let language = language.trim().to_string();
                    let comments = std::mem::take(&mut comments);
                    open = Some(Block { line: number + 1, language, lines: vec![], comments });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => block.lines.push(line.to_string()),
                (None, None) => match comment(line) {
                    Some(text) => comments.push(text.to_string()),
                    None if line.trim().is_empty() => {}
                    None => comments.clear(),
                },
            }
        }
        assert!(open.is_none(), "{}: a code block does not end", self.name);
        blocks
    }

    /// The lines outside of code blocks.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut inside = false;
        self.text.lines().enumerate().filter_map(move |(number, line)| {
            let is_fence = line.trim_start().starts_with("```");
            inside ^= is_fence;
            (!inside && !is_fence).then_some((number + 1, line))
        })
    }

    /// The names under which headings can be linked to.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, line) in self.prose().filter(|(_, line)| line.starts_with('#')) {
            let name = anchor(line.trim_start_matches('#').trim());
            let earlier = anchors.iter().filter(|known| **known == name).count();
            anchors.push(if earlier == 0 { name } else { format!("{name}-{earlier}") });
        }
        anchors
    }

    /// The targets of links and pictures, with their lines.
    pub fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for (number, line) in self.prose() {
            let line = without_code(line);
            let mut rest = line.as_str();
            while let Some(at) = rest.find("](") {
                rest = &rest[at + 2..];
                let end = rest.find(')').unwrap_or(rest.len());
                links.push((number, rest[..end].to_string()));
            }
        }
        links
    }

    /// What stands between backticks in the prose.
    pub fn code(&self) -> Vec<(usize, String)> {
        let parts = |(number, line): (usize, &str)| {
            let odd = line.split('`').skip(1).step_by(2).map(str::to_string);
            odd.map(|part| (number, part)).collect::<Vec<_>>()
        };
        self.prose().flat_map(parts).collect()
    }
}

/// The line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The name of a heading in links, by the rule of mdBook and of GitHub.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn blocks_have_languages_and_notes() {
    let text =
        "A page.\n\n<!-- varies: bound, queries -->\n```console\n$ wedge\n```\n\n```toml\na\n```\n";
    let page = Page { name: "x.md".into(), text: text.into() };
    let blocks = page.blocks();
    assert_eq!(blocks.len(), 2);
    assert_eq!((blocks[0].line, blocks[0].language.as_str()), (4, "console"));
    assert_eq!(blocks[0].note("varies"), Some("bound, queries"));
    assert_eq!(blocks[0].note("not run"), None);
    assert_eq!((blocks[1].text().as_str(), blocks[1].note("varies")), ("a\n", None));
}

#[test]
fn headings_and_links_are_found() {
    let text =
        "# The `imc` engine: a proof\n[a](b.md#c) `[not](this)`\n## x\n```\n# no\n```\n## x\n";
    let page = Page { name: "x.md".into(), text: text.into() };
    assert_eq!(page.anchors(), ["the-imc-engine-a-proof", "x", "x-1"]);
    assert_eq!(page.links(), [(2, "b.md#c".to_string())]);
    assert_eq!(page.code(), [(1, "imc".into()), (2, "[not](this)".into())]);
}
