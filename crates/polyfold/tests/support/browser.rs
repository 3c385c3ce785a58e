//! Headless Chromium, where it is installed.

use std::path::Path;
use std::process::Command;

/// A page as it stands in the browser once its script has run, and what the script complains of; `None`: no browser is installed.
pub fn open(page: &Path, query: &str) -> Option<(String, Vec<String>)> {
    let address = format!("file://{}?{query}", page.display());
    let run = ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|browser| {
        // What the script does later, it does within ten seconds of the page's own time.
        let flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"];
        Command::new(browser).args(flags).args(["--virtual-time-budget=10000", &address]).output().ok()
    })?;
    let said = String::from_utf8_lossy(&run.stderr);
    let complaints = said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_string).collect();
    Some((String::from_utf8_lossy(&run.stdout).into_owned(), complaints))
}
