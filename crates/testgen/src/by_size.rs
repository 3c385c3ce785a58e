//! Files of functions of one size, an input and an output, run at all sizes from 0.

/// What the functions of a file are called with.
pub(crate) struct BySize {
    /// What a function's name begins with; its seed is behind that.
    pub(crate) name: &'static str,
    /// The largest size.
    pub(crate) most: i64,
    /// What numbers up to 101 are multiplied by for the input, in C.
    pub(crate) scaled: &'static str,
}

impl BySize {
    /// One file with a function for each seed, which prints a line for each size.
    pub(crate) fn file(&self, seeds: &[u64], function: impl Fn(u64) -> String) -> String {
        let mut text = "#include <stdio.h>\n#include <string.h>\n".to_string();
        seeds.iter().for_each(|seed| text += &function(*seed));
        text += &self.main();
        seeds.iter().for_each(|seed| text += &format!("  run({seed}, {}_{seed});\n", self.name));
        text + "  return 0;\n}\n"
    }

    fn main(&self) -> String {
        let BySize { most, scaled, .. } = self;
        format!(
            "typedef void function(int n, const double *in, double *out);
static void run(unsigned seed, function *f) {{
  static double in[64], out[64];
  for (int n = 0; n <= {most}; n++) {{
    unsigned long sum = 0;
    for (int i = 0; i < 64; i++)
      in[i] = (i * 37 + seed % 1000 + n) % 101{scaled} + 0.25;
    memset(out, 0, sizeof out);
    f(n, in, out);
    for (int i = 0; i < 64; i++) {{
      unsigned long bits;
      memcpy(&bits, &out[i], sizeof bits);
      sum = (sum ^ bits) * 0x100000001b3;
    }}
    printf(\"%u %d %lx\\n\", seed, n, sum);
  }}
}}
int main(void) {{
"
        )
    }
}
