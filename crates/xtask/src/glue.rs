//! wasm-bindgen's glue, which holds one instance, as a function that makes as many as are wanted: a page that may need
//! both variants downloads it once, and so does one that may need a crate's module and a part of it.
//!
//! The text is that of the pinned version of wasm-bindgen, for the web. Whatever is not found in it ends the build.

use crate::config::Module;
use anyhow::{ensure, Context, Result};
use std::{fs, path::Path};

/// Where the functions begin that fetch a module or compile one, and where what follows them does. Here modules come
/// compiled.
const LOADING: [(&str, &str); 2] = [
    ("\nasync function __wbg_load(", "\nfunction initSync("),
    ("\nlet __wbg_init_promise;", "\nexport { initSync"),
];

/// Modules come in an object here, and in no other way: nobody is to be told that there was one.
const CUTS: [(&str, &str); 1] = [(
    "    if (module !== undefined) {
        if (Object.getPrototypeOf(module) === Object.prototype) {
            ({module} = module)
        } else {
            console.warn('using deprecated parameters for `initSync()`; pass a single object instead')
        }
    }
",
    "    ({module} = module)\n",
)];

/// What has been written of a module.
pub struct Written {
    /// The glue itself.
    pub text: String,
    /// The names of all scripts and types.
    pub files: Vec<String>,
}

/// Writes into `out`: `<shared>glue.js`, from the glue in `scratch`; the types of what the module has of it, in `<prefix>exports.d.ts`;
/// and `<prefix><variant>.js`, a thread's one instance of a variant. The glue has the functions of the whole crate: those that the module
/// goes `without` are not in its types.
pub fn write(scratch: &Path, out: &Path, module: &Module, shared: &str, variant: &str) -> Result<Written> {
    let Module { glue: prefix, without, .. } = module;
    let mut files = Vec::new();
    let mut put = |name: String, text: &str| {
        fs::write(out.join(&name), text).with_context(|| format!("writing {name}"))?;
        files.push(name);
        anyhow::Ok(())
    };
    let glue = as_function(&fs::read_to_string(scratch.join("glue.js"))?)?;
    put(format!("{shared}glue.js"), &glue)?;
    let types = fs::read_to_string(scratch.join("glue.d.ts"))?;
    put(format!("{prefix}exports.d.ts"), &types_without(&types, without))?;
    put(
        format!("{prefix}{variant}.js"),
        &format!("import {{ glue }} from './{shared}glue.js'\nexport const instance = glue()\n"),
    )?;
    put(
        format!("{prefix}{variant}.d.ts"),
        &format!(
            "import type * as exports from './{prefix}exports.d.ts'\nexport declare const instance: Omit<typeof exports, \
             'default'>\n"
        ),
    )?;
    Ok(Written { text: glue, files })
}

/// The declarations but for those of some functions, and without the comments that belong to these.
fn types_without(types: &str, without: &[String]) -> String {
    let is_left_out =
        |line: &str| without.iter().any(|name| line.starts_with(&format!("export function {name}(")));
    let (mut kept, mut comment) = (String::new(), String::new());
    for line in types.lines() {
        if is_left_out(line) {
            comment.clear();
            continue;
        }
        comment += line;
        comment.push('\n');
        if !line.trim_start().starts_with(['/', '*']) {
            kept += &comment;
            comment.clear();
        }
    }
    kept + &comment
}

/// The module as a function of its name, which returns what it exports.
fn as_function(module: &str) -> Result<String> {
    let mut text = module.to_owned();
    for (from, to) in LOADING {
        let (start, end) = (text.find(from), text.find(to));
        let range = start.zip(end).filter(|(start, end)| start < end);
        let (start, end) =
            range.with_context(|| format!("wasm-bindgen's glue has no {from:?} before {to:?}"))?;
        text.replace_range(start..end, "");
    }
    for (from, to) in CUTS {
        ensure!(text.contains(from), "wasm-bindgen's glue has no {from:?}");
        text = text.replace(from, to);
    }
    let last = "export { initSync, __wbg_init as default };";
    let (body, rest) = text.split_once(last).context("wasm-bindgen's glue ends otherwise")?;
    ensure!(rest.trim().is_empty(), "wasm-bindgen's glue goes on after its last export");
    let mut names = vec!["initSync"];
    let mut lines = Vec::new();
    for line in body.lines() {
        let Some(declaration) = line.strip_prefix("export ") else {
            lines.push(line);
            continue;
        };
        let name = declaration.strip_prefix("function ").or(declaration.strip_prefix("class "));
        let name = name.and_then(|name| name.split([' ', '(']).next());
        names.push(name.with_context(|| format!("an export of wasm-bindgen's glue: {line}"))?);
        lines.push(declaration);
    }
    Ok(format!("export function glue() {{\n{}\nreturn {{ {} }}\n}}\n", lines.join("\n"), names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::types_without;

    #[test]
    fn what_is_left_out_takes_its_comment_along() {
        let types = "/* eslint-disable */\n\n/**\n * Of a.\n */\nexport function a(of: number): void;\n\n/**\n * Of b.\n */\n\
                     export function ab(): void;\n";
        let left = "/* eslint-disable */\n\n\n/**\n * Of b.\n */\nexport function ab(): void;\n";
        assert_eq!(types_without(types, &["a".into()]), left);
        assert_eq!(types_without(types, &[]), types);
    }
}
