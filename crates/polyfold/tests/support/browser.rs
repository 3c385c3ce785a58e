//! Headless Chromium, where it is installed.

use std::path::Path;
use std::process::Command;

/// A page as it stands in the browser once its script has run, and what the script complains of; `None`: no browser is installed.
pub fn open(page: &Path, query: &str) -> Option<(String, Vec<String>)> {
    let address = format!("file://{}?{query}", page.display());
    // Browsers that share a profile wait for each other.
    let profile = page.with_extension("profile");
    let of_its_own = format!("--user-data-dir={}", profile.display());
    let run = ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|browser| {
        // What the script does later, it does within ten seconds of the page's own time.
        let flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"];
        Command::new(browser).args(flags).args([&of_its_own, "--virtual-time-budget=10000", &address]).output().ok()
    })?;
    // Where the browser still writes there, some files stay.
    let _ = std::fs::remove_dir_all(&profile);
    let said = String::from_utf8_lossy(&run.stderr);
    let complaints = said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_string).collect();
    Some((String::from_utf8_lossy(&run.stdout).into_owned(), complaints))
}
