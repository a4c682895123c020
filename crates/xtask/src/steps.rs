//! The steps in which one module is made: compiled, bound, rewritten, optimised, its kernels placed, its functions put in order, measured.

use crate::{
    config::{Config, Module, Variant},
    function_order, kernels, memory_copies, panic_locations, panics,
    post_link::{self, Counts, Tool},
};
use anyhow::{ensure, Context, Result};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// The one package of npm that the modules are made with.
pub const BINARYEN: &str = "node_modules/binaryen";

/// How strictly, with what, and for which version of Rust modules are made.
pub struct Plan<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    pub without: &'a BTreeSet<Tool>,
    /// Whether what is not as it is expected is an error: with the version of Rust that this is of, and with all tools.
    pub is_strict: bool,
}

impl Plan<'_> {
    fn has(&self, tool: Tool) -> bool {
        !self.without.contains(&tool)
    }
}

/// Compiles the module's crate into `folder`: cargo's own folder has the same name for it in each variant. That is one for all modules of a variant, so
/// that macros and build scripts are compiled once, and dependencies once for all modules that take them with the same settings.
pub fn compile(
    root: &Path,
    module: &Module,
    (variant_name, variant): (&str, &Variant),
    folder: &Path,
) -> Result<PathBuf> {
    let package = &module.package;
    let target_dir = root.join("target").join("wasm").join(variant_name);
    let mut flags = module.rust_flags.clone();
    flags.extend(["-C".to_owned(), format!("target-feature={}", variant.target_features.join(","))]);
    flags.extend(paths_of_crates()?);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--locked", "--lib"])
        .args(["--target", TARGET, "--package", package])
        .arg("--target-dir")
        .arg(&target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    for setting in &module.release {
        cargo.arg("--config").arg(format!("profile.release.{setting}"));
    }
    if !variant.cargo_features.is_empty() {
        cargo.args(["--features", &variant.cargo_features.join(",")]);
    }
    ensure!(
        cargo.status().context("running cargo build")?.success(),
        "cargo build of {package} failed for {}",
        variant.description
    );
    let name = format!("{}.wasm", package.replace('-', "_"));
    fs::create_dir_all(folder)?;
    let copy = folder.join(&name);
    fs::copy(target_dir.join(TARGET).join("release").join(name), &copy)?;
    Ok(copy)
}

/// Names the folders of other people's crates alike on all machines. The names of files are in a module as long as they are in the sources,
/// though they are blanked ([`panic_locations`]), and all that lies behind them has its address from that.
fn paths_of_crates() -> Result<Vec<String>> {
    let registries = cargo_home()?.join("registry/src");
    let entries = fs::read_dir(&registries).with_context(|| format!("no {}", registries.display()))?;
    entries.map(|entry| Ok(format!("--remap-path-prefix={}=/crates", entry?.path().display()))).collect()
}

/// Where cargo keeps what it downloads.
pub fn cargo_home() -> Result<PathBuf> {
    let home = || Some(env::home_dir()?.join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home).context("cargo has no home")
}

pub fn bind(module: &Path, scratch: &Path) -> Result<PathBuf> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).web(true)?.out_name("glue");
    // The caller says where the module is: a default path would be followed by bundlers, to a file that is not there.
    bindgen.omit_default_module_path(true);
    // A trap leaves the instance in an unknown state: `__wbg_reset_state` gives a fresh one of the same module.
    bindgen.reset_state_function(true);
    bindgen.generate(scratch)?;
    Ok(scratch.join("glue_bg.wasm"))
}

/// What neither the compiler nor wasm-opt does.
pub fn rewrite(plan: &Plan<'_>, file: &Path, settings: &Module) -> Result<Counts> {
    let mut module = walrus::Module::from_file(file)?;
    for name in &settings.without {
        module.exports.remove(name).with_context(|| format!("{name} is no export to leave out"))?;
    }
    type Rewriter = fn(&mut walrus::Module) -> usize;
    let rewriters: [(Tool, Rewriter); 4] = [
        (Tool::Panics, panics::silence),
        (Tool::Messages, panics::blank_messages),
        (Tool::Places, panic_locations::blank),
        (Tool::Copies, memory_copies::inline_small_copies),
    ];
    let wanted = rewriters.into_iter().filter(|(tool, _)| plan.has(*tool));
    let counts = wanted.map(|(tool, rewrite)| (tool, rewrite(&mut module))).collect();
    fs::write(file, module.emit_wasm())?;
    Ok(counts)
}

pub fn optimise(root: &Path, config: &Config, input: &Path, output: &Path) -> Result<()> {
    let tool = root.join(BINARYEN).join("bin/wasm-opt");
    let status = Command::new("node")
        .arg(tool)
        .args(&config.build.wasm_opt)
        // Names of functions stay until the kernels are found by them.
        .arg("--debuginfo")
        .arg(input)
        .arg("-o")
        .arg(output)
        .status()
        .context("running wasm-opt")?;
    ensure!(status.success(), "wasm-opt failed for {}", input.display());
    Ok(())
}

/// Gives the kernels their code. Without it a module has the compiler's, which computes the same and takes longer.
pub fn install_kernels(plan: &Plan<'_>, file: &Path) -> Result<Option<(Tool, usize)>> {
    if plan.has(Tool::Kernels) {
        match kernels::install(file) {
            Ok(placed) => return Ok(Some((Tool::Kernels, placed))),
            Err(error) => post_link::report(&[format!("{}: {error:#}", file.display())], plan.is_strict, "")?,
        }
    }
    kernels::strip_names(file)?;
    Ok(None)
}

/// Puts the functions of a finished module in an order that compresses well, which changes nothing that it does.
pub fn order_functions(plan: &Plan<'_>, file: &Path) -> Result<Option<(Tool, usize)>> {
    if !plan.has(Tool::Order) {
        return Ok(None);
    }
    let (ordered, count) = function_order::arranged(&fs::read(file)?)?;
    wasmparser::validate(&ordered).context("the module with its functions in order")?;
    fs::write(file, ordered)?;
    Ok(Some((Tool::Order, count)))
}

pub struct Sizes {
    pub raw: u64,
    pub brotli: u64,
}

pub fn measure(root: &Path, module: &Path) -> Result<Sizes> {
    // Node has brotli built in; a crate for it would double this tool's compile time.
    let output = Command::new("node").arg(root.join("scripts/brotli-size.mjs")).arg(module).output()?;
    ensure!(
        output.status.success(),
        "measuring {}: {}",
        module.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(Sizes { raw: fs::metadata(module)?.len(), brotli: String::from_utf8(output.stdout)?.trim().parse()? })
}

pub fn over_budget(name: &str, module: &Module, sizes: &Sizes) -> Vec<String> {
    let budgets =
        [(sizes.raw, module.max_bytes, ""), (sizes.brotli, module.max_brotli_bytes, " with brotli")];
    let over = budgets.into_iter().filter(|(size, budget, _)| size > budget);
    over.map(|(size, budget, how)| format!("{name} has {size} bytes{how}, and its budget is {budget}"))
        .collect()
}
