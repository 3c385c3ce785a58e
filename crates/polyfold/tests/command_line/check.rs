//! `polyfold check`.

use super::files::{file, path, run, text};
use super::programs::{ROWS, SIMPLE};
use crate::support::declared::declares;

#[test]
fn check_compares_what_programs_do() {
    file("check.c", SIMPLE);
    file("check_same.c", SIMPLE.replace("t[i] + 1", "1 + t[i]"));
    file("check_other.c", SIMPLE.replace("t[i] + 1", "t[i] + 2"));
    let same = run("check", &["check.c", "check_same.c"], &[]);
    assert_eq!(same.status, 0, "{}", same.stderr);
    assert!(same.stdout.contains("agree") && same.stdout.contains("generated main"), "{}", same.stdout);
    let other = run("check", &["check.c", "check_other.c"], &[]);
    assert_eq!(other.status, 3);
    assert!(other.stderr.contains("the programs differ"), "{}", other.stderr);
}

/// For a function or rows of pointers no data can be made up: that is said at once, not after a crash.
#[test]
fn check_makes_up_no_functions() {
    for (name, parameter, used) in [("function", "void (*g)(int)", "g(n);"), ("rows", "int **g", "g[0][0] = n;")] {
        let source = SIMPLE.replacen("(int n", &format!("({parameter}, int n"), 1);
        let source = source.replacen("#pragma endscop", &format!("#pragma endscop\n  {used}"), 1);
        assert!(source.contains(parameter) && source.contains(used), "{source}");
        let file_name = format!("takes_{name}.c");
        file(&file_name, source);
        let begun = std::time::Instant::now();
        let said = run("optimize", &[&file_name], &["--verify"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let is_said = said.stderr.contains("not checked by running it") && said.stderr.contains("`g` of `f`");
        assert!(is_said, "{}", said.stderr);
        assert_eq!(run("check", &[&file_name, &file_name], &[]).status, 1);
        assert!(begun.elapsed().as_secs() < 30);
    }
}

#[test]
fn check_runs_programs_with_a_main() {
    file("main.c", ROWS);
    file("main_other.c", ROWS.replace("t[k - 1][0];", "t[k - 1][1];"));
    assert_eq!(run("check", &["main.c", "main.c"], &[]).status, 0);
    assert_eq!(run("check", &["main.c", "main_other.c"], &[]).status, 3);
}

#[test]
fn check_tells_whose_fault_it_is() {
    file("fault.c", SIMPLE);
    file("fault_broken.c", SIMPLE.replace("2 * x[i]", "2 * "));
    assert_eq!(run("check", &["fault.c", "fault_broken.c"], &[]).status, 3);
    assert_eq!(run("check", &["fault_broken.c", "fault.c"], &[]).status, 1);
    assert_eq!(run("check", &["fault.c", "missing.c"], &[]).status, 1);
}

/// A program whose child outlives it says where it is; what must be gone afterwards.
#[test]
fn check_leaves_nothing_running() {
    let running = path("running").display().to_string();
    let _ = std::fs::remove_file(&running);
    let source = format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {{\n  if (fork() == 0) {{\n    \
         FILE *f = fopen(\"{running}\", \"w\"); fprintf(f, \"%d\", getpid()); fclose(f);\n    for (;;) sleep(1);\n  \
         }}\n  ENDS\n  printf(\"1\\n\");\n  return 0;\n}}\n"
    );
    for (ends, status) in [("sleep(1);", 0), ("for (;;) sleep(1);", 1)] {
        file("forks.c", source.replace("ENDS", ends));
        assert_eq!(run("check", &["forks.c", "forks.c"], &["--timeout", "2"]).status, status);
        let process = format!("/proc/{}/stat", text("running"));
        let is_gone = || std::fs::read_to_string(&process).map_or(true, |state| state.contains(") Z "));
        let begun = std::time::Instant::now();
        while !is_gone() && begun.elapsed().as_secs() < 5 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(is_gone());
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn check_ends_whatever_programs_do() {
    let main = |body: &str| format!("#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n");
    file("reads.c", main("int c = getchar(); printf(\"%d\\n\", c);"));
    assert_eq!(run("check", &["reads.c", "reads.c"], &[]).status, 0);
    file("prints.c", main("for (;;) puts(\"again and again\");"));
    let prints = run("check", &["prints.c", "prints.c"], &[]);
    assert!(prints.status == 1 && prints.stderr.contains("prints more than 64 MiB"), "{}", prints.stderr);
    let other = run("check", &["reads.c", "prints.c"], &[]);
    assert!(other.status == 3 && other.stderr.contains("the new program prints more"), "{}", other.stderr);
    file("waits.c", main("for (;;) ;"));
    let waits = run("check", &["waits.c", "waits.c"], &["--timeout", "1"]);
    assert!(waits.status == 1 && waits.stderr.contains("more than 1 second"), "{}", waits.stderr);
    assert_eq!(run("check", &["reads.c", "reads.c"], &["--timeout", "0"]).status, 2);
    file("nothing.c", "int f(void) { return 1; }\n");
    let nothing = run("check", &["nothing.c", "nothing.c"], &[]);
    assert!(nothing.status == 1 && nothing.stderr.contains("has no main"), "{}", nothing.stderr);
}

/// What nobody needs after the scop may differ there.
#[test]
fn check_does_not_compare_temporaries() {
    let source = "static int state[8];
void f(int n, int x[n], int scratch[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    scratch[i] = 2 * x[i];
    state[i % 8] = scratch[i] + 1;
    x[i] = state[i % 8];
  }
#pragma endscop
}
";
    file("temporaries.c", source);
    let output = path("temporaries.out.c").display().to_string();
    let named = ["--temporary", "scratch,state"];
    let all = [&named[..], &["--verify", "-o", &output]].concat();
    let verified = run("optimize", &["temporaries.c"], &all);
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    assert!(declares(&text("temporaries.out.c"), "scratch_buffer", &[]), "{}", text("temporaries.out.c"));
    assert_eq!(run("check", &["temporaries.c", "temporaries.out.c"], &named).status, 0);
}
