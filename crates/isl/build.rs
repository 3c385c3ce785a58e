//! Finds the system's libisl.

fn main() {
    if let Err(error) = pkg_config::Config::new().atleast_version("0.25").probe("isl") {
        eprintln!(
            "polyfold needs libisl 0.25 or later: on Debian or Ubuntu, apt-get install pkg-config libisl-dev\n{error}"
        );
        std::process::exit(1);
    }
}
