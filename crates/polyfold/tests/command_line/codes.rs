//! Codes of messages: each has its section in the manual, and what is said says them in text and JSON alike.

use super::files::{file, path, run, text};
use crate::support::root;
use crate::support::tool::polyfold;
use polyfold_scop::Code;
use serde_json::Value;

/// The pages of the manual, each with its name.
const PAGES: [&str; 7] = ["reading", "declined", "kept", "results", "orders", "local", "others"];

fn explained(code: &str) -> String {
    let told = polyfold(&["explain".to_string(), code.to_string()]);
    assert_eq!(told.status, 0, "{}", told.stderr);
    told.stdout
}

/// The page runs its examples itself: what it shows of a code was printed.
#[test]
fn each_code_has_a_section_with_an_example_and_a_cure() {
    for code in Code::ALL {
        let section = explained(&code.to_string());
        assert!(section.starts_with(&format!("## {code}: {}\n", code.title())), "{section}");
        assert!(section.contains("**What to do.**") && !section.contains("<!--"), "{section}");
        assert_eq!(section.matches("## P").count(), 1, "{section}");
        let is_shown = section.contains(&format!("[{code}]")) || section.contains(&format!("({code})"));
        assert!(is_shown || *code == Code::OwnFault, "no example shows {code}");
    }
    assert_eq!(explained("p0203"), explained("P0203"));
}

#[test]
fn the_manual_lists_all_codes() {
    let pages = PAGES.map(|page| {
        let file = root().join("docs/reference/messages").join(page).with_extension("md");
        (page, std::fs::read_to_string(file).expect("a page of the manual"))
    });
    let line = |code: &Code| {
        let heading = format!("## {code}: {}\n", code.title());
        let (page, _) = pages.iter().find(|(_, text)| text.contains(&heading)).expect("a page has the section");
        format!("| [{code}](messages/{page}.md#{}) | {} |\n", anchor(&heading), code.title())
    };
    let list: String = Code::ALL.iter().map(line).collect();
    let file = root().join("docs/reference/messages.md");
    let index = std::fs::read_to_string(&file).expect("the page of messages");
    let (before, rest) = index.split_once("| code | about |\n|---|---|\n").expect("a table of codes");
    let (found, after) = rest.split_once("\n\n").expect("something behind the table");
    if std::env::var_os("POLYFOLD_BLESS").is_some() {
        std::fs::write(&file, format!("{before}| code | about |\n|---|---|\n{list}\n{after}"))
            .expect("it can be written");
    } else {
        assert_eq!(format!("{found}\n"), list, "POLYFOLD_BLESS=1 writes the list");
    }
}

/// As browsers of repositories name a heading.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches("## ").trim_end().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn text_and_json_say_the_same_codes() {
    let source = "void f(int n, int index[n], float in[n], float out[n]) {\n  float t[n];\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    \
                  t[index[i]] = in[i];\n    out[i] = t[index[i]];\n  }\n#pragma endscop\n}\n";
    file("coded.c", source);
    let json = path("coded.json").display().to_string();
    let told = run("optimize", &["coded.c"], &["--json", &json, "--temporary", "tmp"]);
    assert_eq!(told.status, 0, "{}", told.stderr);
    let report: Value = serde_json::from_str(&text("coded.json")).expect("it is JSON");
    let codes: Vec<&str> =
        report["diagnostics"].as_array().expect("messages").iter().filter_map(|m| m["code"].as_str()).collect();
    assert_eq!(codes.len(), report["diagnostics"].as_array().map_or(0, Vec::len));
    for code in ["P0203", "P0006"] {
        assert!(codes.contains(&code) && told.stderr.contains(&format!("warning[{code}]: ")), "{}", told.stderr);
    }
    let kept = report["scops"][0]["arrays"].as_array().expect("arrays").iter().find(|array| array["name"] == "t");
    assert_eq!(kept.expect("the array")["code"], "P0203");
}

#[test]
fn what_is_no_code_is_said() {
    for wrong in ["P9999", "t"] {
        let told = polyfold(&["explain".to_string(), wrong.to_string()]);
        assert_eq!(told.status, 2, "{}", told.stderr);
        assert!(told.stderr.starts_with(&format!("error[{}]: `{wrong}`", Code::Usage)), "{}", told.stderr);
    }
}

/// That two programs of the user's differ is no fault of polyfold's.
#[test]
fn programs_that_differ_have_a_code_of_their_own() {
    let program = |said: &str| format!("#include <stdio.h>\nint main(void) {{\n  puts(\"{said}\");\n  return 0;\n}}\n");
    let files = [file("one_says.c", program("one")), file("other_says.c", program("two"))];
    let arguments: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let told = polyfold(&[vec!["check".to_string()], arguments].concat());
    assert_eq!(told.status, 3, "{}", told.stderr);
    assert!(told.stderr.starts_with(&format!("error[{}]: ", Code::Differ)), "{}", told.stderr);
}

/// A page shows scops or regions: options that it can't heed are refused, and nothing is written.
#[test]
fn a_page_refuses_options_of_the_other_kind() {
    let loops = "  for (int i = 0; i < 64; i++)\n    out[i] = in[i] + in[i + 1];\n";
    let program =
        |mark: &str| format!("void f(int in[65], int out[64]) {{\n#pragma scop\n{mark}{loops}#pragma endscop\n}}\n");
    for (name, mark, option) in
        [("of_regions", "#pragma polyfold local\n", ["--schedule", "fuse"]), ("of_scops", "", ["--capacity", "10"])]
    {
        let (source, page) = (file(&format!("{name}.c"), program(mark)), path(&format!("{name}.html")));
        let _ = std::fs::remove_file(&page);
        let [source, shown] = [&source, &page].map(|path| path.display().to_string());
        let told = polyfold(&[&["report", &source, "-o", &shown][..], &option].concat());
        assert_eq!(told.status, 2, "{}", told.stderr);
        assert!(told.stderr.starts_with(&format!("error[{}]: {} is for", Code::Usage, option[0])), "{}", told.stderr);
        assert!(!page.exists());
    }
}
