//! The pages in a real browser, where there is one: no script fails, the slider moves the line that
//! is marked, every part can be opened. Skipped with a message where Chromium is not installed.

mod common;

use common::{example, run};
use std::path::{Path, PathBuf};
use std::process::Command;

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let all = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// What a script says after it has run on the page of a check: its results are joined to one line.
fn on_page(browser: &Path, arguments: &[&str], script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    run(&[&["check", "--report", path.to_str().unwrap()], arguments].concat());
    let page = std::fs::read_to_string(&path).unwrap();
    // Errors are caught from the beginning, and the outcome is left where it can be read.
    let first = "<script>window.faults = [];\
        addEventListener('error', (event) => faults.push(event.message));</script>";
    let last = format!(
        "<script>try {{ document.title = 'RESULT ' + (() => {{ {script} }})() + ' FAULTS ' + \
         faults.join(); }} catch (error) {{ document.title = 'RESULT failed: ' + error; }}</script>"
    );
    let probed = page.replacen("<head>", &format!("<head>{first}"), 1);
    let probed = probed.replacen("</body>", &format!("{last}</body>"), 1);
    std::fs::write(&path, probed).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1200,800", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, rest) = dom
        .split_once("<title>RESULT ")
        .unwrap_or_else(|| panic!("no result: {}\n{dom}", String::from_utf8_lossy(&output.stderr)));
    rest.split_once("</title>").unwrap().0.to_string()
}

/// Opens every part in turn, and says how many there are.
const ALL_PARTS: &str = "const parts = [...document.querySelectorAll('[role=tab]')];\
    for (const part of parts) { part.click();\
      if (document.querySelectorAll('main section:not([hidden])').length !== 1) return 'several'; }\
    return parts.length > 2 ? 'opened' : 'too few';";

#[test]
fn pages_work_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium is installed");
        return;
    };
    // The slider, then a key, move the mark.
    let moved = "const line = () => document.querySelector('.row.here').dataset.line;\
        const slider = document.querySelector('input[type=range]'); const first = line();\
        slider.value = 0; slider.dispatchEvent(new Event('input')); const second = line();\
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));\
        return [first, second, line()].join();";
    let moved = moved.replace("document.dispatchEvent(new K", "document.body.dispatchEvent(new K");
    let program = ["--engine", "bmc", &example("lost_update.c")];
    assert_eq!(on_page(&browser, &program, &moved), "24,14,24 FAULTS ");
    assert_eq!(on_page(&browser, &program, ALL_PARTS), "opened FAULTS ");
    let proof = ["--engine", "impact", &example("even_steps.c")];
    let chip =
        "return document.querySelector('.row.loop .chip.invariant').closest('.row').dataset.line;";
    assert_eq!(on_page(&browser, &proof, chip), "8 FAULTS ");
    assert_eq!(on_page(&browser, &proof, ALL_PARTS), "opened FAULTS ");
    let circuit = ["--engine", "bmc", &example("leaky_bucket.btor2")];
    let wave = "return document.querySelectorAll('.wave .trace, .wave .bus').length > 3;";
    assert_eq!(on_page(&browser, &circuit, wave), "true FAULTS ");
}
