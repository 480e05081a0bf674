//! Looks at pages as a reader would, in a browser without a window.

use std::path::Path;
use std::process::Command;

use crate::{Sample, provide, succeed};

/// What a browser makes of a page, and what it complains of.
pub fn browse(sample: &Sample, page: &Path, fragment: &str, action: &str) -> (String, String) {
    provide("chromium", &["chromium"]);
    let mut browser = Command::new("chromium");
    browser
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args([
            "--disable-sync",
            "--enable-logging=stderr",
            "--window-size=1200,1400",
        ])
        .arg(format!(
            "--user-data-dir={}",
            sample.beside("browser").display()
        ))
        .arg(action)
        .arg(format!("file://{}{fragment}", page.display()));
    let ran = succeed(&mut browser);
    let complaints: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    (ran.stdout, complaints.join("\n"))
}
