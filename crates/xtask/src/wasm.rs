//! cargo → wasm-bindgen → panics cut, copies written out → wasm-opt → kernels placed → functions put in order →
//! budgets and counts, for each module in its variants of `wasm-pack.toml`.

use crate::{
    config::{Config, Module, Variant},
    fingerprint::{self, sha256_hex},
    function_order, glue, kernels, memory_copies, panic_locations, panics,
    post_link::{self, Counts, Expected, Tool},
};
use anyhow::{anyhow, bail, ensure, Context, Result};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard},
    thread,
};
use wasm_bindgen_cli_support::Bindgen;

pub type Finished = serde_json::Map<String, serde_json::Value>;

const TARGET: &str = "wasm32-unknown-unknown";

/// What the modules are made from, less what only tests and benches need: see [`fingerprint::of_tree`].
pub const INPUTS: &[&str] = &["Cargo.toml", "Cargo.lock", "wasm-pack.toml", "crates"];

/// The one package of npm that the modules are made with.
pub const BINARYEN: &str = "node_modules/binaryen";

/// What is to be built.
#[derive(Default)]
pub struct Request {
    /// All where none is named.
    modules: Vec<String>,
    without: BTreeSet<Tool>,
    /// Another folder than that of `wasm-pack.toml`.
    out: Option<PathBuf>,
}

impl Request {
    /// From the words of the command line.
    pub fn read(words: Vec<String>) -> Result<Self> {
        let mut request = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--without" => request.without = Tool::list(&value()?)?,
                "--out" => request.out = Some(value()?.into()),
                _ if word.starts_with("--") => bail!("{word} is no option of wasm"),
                _ => request.modules.push(word),
            }
        }
        Ok(request)
    }
}

/// How strictly, with what, and for which version of Rust modules are built.
struct Plan<'a> {
    root: &'a Path,
    config: &'a Config,
    request: &'a Request,
    /// Whether what is not as it is expected is an error: with the version of Rust that this is of, and with all tools.
    is_strict: bool,
}

/// Builds modules, all or the named ones, in every variant, but for those that the out folder's manifest says were made
/// from these very inputs, and whose files are as it says.
///
/// The variants are built at the same time, each in a folder of its own. In one folder each would compile all that its crates depend on anew after the
/// other: cargo tells builds apart by their settings, and by their flags only where no `--remap-path-prefix` is among them.
pub fn build(root: &Path, config: &Config, request: &Request) -> Result<()> {
    for name in &request.modules {
        ensure!(config.modules.contains_key(name), "no module {name} in wasm-pack.toml");
    }
    for (name, module) in &config.modules {
        let unknown = module.variants.iter().find(|variant| !config.variants.contains_key(*variant));
        ensure!(unknown.is_none(), "{name} has a variant that is none: {unknown:?}");
    }
    let out = root.join(request.out.as_deref().unwrap_or(Path::new(&config.build.out_dir)));
    let rustc = rustc_version()?;
    let expected = Expected::read(root)?;
    let is_strict = expected.is_of(&rustc) && request.without.is_empty();
    let plan = Plan { root, config, request, is_strict };
    let inputs = fingerprint_of(root, &rustc, &request.without)?;
    fs::create_dir_all(&out)?;
    let finished = current(&out, &inputs);
    let before = finished.len();
    // From here on only what is finished is on record, so that an interrupted build never looks whole.
    write_manifest(&out, &inputs, &finished)?;
    let record = Mutex::new(Record { out, inputs, finished, glues: BTreeMap::new() });
    thread::scope(|scope| {
        let builds: Vec<_> = config
            .variants
            .iter()
            .map(|(name, variant)| scope.spawn(|| build_variant(&plan, (name, variant), &record)))
            .collect();
        builds.into_iter().try_for_each(|build| build.join().map_err(|_| anyhow!("a build panicked"))?)
    })?;
    let record = record.into_inner().map_err(|_| anyhow!("a build panicked"))?;
    remove_others(&record.out, config)?;
    if record.finished.len() == before {
        println!("wasm: up to date");
    }
    let counts = counts_of(&record.finished)?;
    let differences = counts.iter().flat_map(|(name, found)| expected.differences(name, found));
    post_link::report(&differences.collect::<Vec<_>>(), is_strict, post_link::REMEDY)
}

/// Writes what the tools found in the modules of the out folder, all of which must be there and be up to date.
pub fn write_counts(root: &Path, config: &Config) -> Result<()> {
    let rustc = rustc_version()?;
    let finished = current(&root.join(&config.build.out_dir), &inputs(root)?);
    let of = |module: &Module| {
        if module.variants.is_empty() {
            config.variants.len()
        } else {
            module.variants.len()
        }
    };
    ensure!(
        finished.len() == config.modules.values().map(of).sum::<usize>(),
        "not all modules are there, or not of these sources: run `cargo xtask wasm` first"
    );
    post_link::write(root, &rustc, counts_of(&finished)?)
}

/// What modules of these sources are made from, as the manifest of a build with all tools has it.
pub fn inputs(root: &Path) -> Result<String> {
    fingerprint_of(root, &rustc_version()?, &BTreeSet::new())
}

/// One hash of all that modules are made from, and with.
fn fingerprint_of(root: &Path, rustc: &str, without: &BTreeSet<Tool>) -> Result<String> {
    let tools = format!("{rustc}\n{}\n{without:?}", binaryen_version(root)?);
    fingerprint::of_tree(root, INPUTS, &tools)
}

fn counts_of(finished: &Finished) -> Result<BTreeMap<String, Counts>> {
    let read = |(name, about): (&String, &serde_json::Value)| {
        Ok((name.clone(), serde_json::from_value(about["counts"].clone())?))
    };
    finished.iter().map(read).collect()
}

/// Removes scripts, types and modules of builds with another `wasm-pack.toml`: npm would pack them.
fn remove_others(out: &Path, config: &Config) -> Result<()> {
    let mut ours = BTreeSet::new();
    for (name, module) in &config.modules {
        let prefix = &module.glue;
        ours.extend([format!("{}glue.js", config.glue_prefix(module)?), format!("{prefix}exports.d.ts")]);
        for variant in config.variants.keys().map(|variant| variant.replace('-', "_")) {
            ours.extend(["js", "d.ts"].map(|ending| format!("{prefix}{variant}.{ending}")));
            ours.insert(format!("{name}_{variant}.wasm"));
        }
    }
    for entry in fs::read_dir(out)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_built = [".wasm", ".js", ".d.ts"].iter().any(|ending| name.ends_with(ending));
        if is_built && !ours.contains(&*name) {
            fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
    }
    Ok(())
}

/// What has been built so far, in every variant.
struct Record {
    out: PathBuf,
    inputs: String,
    finished: Finished,
    /// Each glue, by what its name begins with: it must be the same for all modules and variants that share it.
    glues: BTreeMap<String, String>,
}

fn lock<T>(shared: &Mutex<T>) -> Result<MutexGuard<'_, T>> {
    shared.lock().map_err(|_| anyhow!("another build panicked"))
}

/// Builds one variant's modules, one after the other.
fn build_variant(
    plan: &Plan<'_>,
    (variant_name, variant): (&String, &Variant),
    record: &Mutex<Record>,
) -> Result<()> {
    let Plan { root, config, request, .. } = *plan;
    for (module_name, module) in &config.modules {
        let suffix = variant_name.replace('-', "_");
        let stem = format!("{module_name}_{suffix}");
        let is_wanted = (request.modules.is_empty() || request.modules.contains(module_name))
            && (module.variants.is_empty() || module.variants.contains(variant_name));
        if !is_wanted || lock(record)?.finished.contains_key(&stem) {
            continue;
        }
        println!("wasm: {stem}, for {}", variant.description);
        let scratch = root.join("target").join(format!("bindgen-{stem}"));
        let compiled = compile(root, module, (variant_name, variant), &scratch)?;
        let bound = bind(&compiled, &scratch)?;
        let mut counts = rewrite(plan, &bound, module)?;
        let file = lock(record)?.out.join(format!("{stem}.wasm"));
        optimise(root, config, &bound, &file)?;
        counts.extend(install_kernels(plan, &file)?);
        counts.extend(order_functions(plan, &file)?);
        let sizes = measure(root, &file)?;
        println!("wasm: {stem}: {} bytes, {} with brotli", sizes.raw, sizes.brotli);
        post_link::report(&over_budget(&stem, module, &sizes), plan.is_strict, "")?;

        let mut record = lock(record)?;
        let shared = config.glue_prefix(module)?;
        let glue = glue::write(&scratch, &record.out, module, shared, &suffix)?;
        let same = *record.glues.entry(shared.to_owned()).or_insert_with(|| glue.text.clone()) == glue.text;
        ensure!(same, "the modules of {} differ in what they export", module.package);
        let files = hashes(&record.out, glue.files.into_iter().chain([format!("{stem}.wasm")]))?;
        let about =
            json!({ "bytes": sizes.raw, "brotliBytes": sizes.brotli, "counts": counts, "files": files });
        record.finished.insert(stem, about);
        write_manifest(&record.out, &record.inputs, &record.finished)?;
    }
    Ok(())
}

/// The finished modules by their file's stem, if they were made from these inputs and are still as they were written.
fn current(out: &Path, inputs: &str) -> Finished {
    let (made_from, mut modules) = read_manifest(out);
    if made_from != inputs {
        return Finished::default();
    }
    modules.retain(|_, about| is_whole(out, about));
    modules
}

/// SHA-256 of files of a folder, by their names.
fn hashes(folder: &Path, names: impl Iterator<Item = String>) -> Result<Finished> {
    names.map(|name| Ok((name.clone(), json!(sha256_hex(&fs::read(folder.join(name))?))))).collect()
}

/// Whether every file of a module, its scripts and types among them, is there with the bytes that it was written with. What the manifest has no
/// hashes of is not known to be whole: older ones have none.
fn is_whole(out: &Path, about: &serde_json::Value) -> bool {
    let is_as_written = |(name, hash): (&String, &serde_json::Value)| {
        fs::read(out.join(name)).is_ok_and(|bytes| *hash == sha256_hex(&bytes))
    };
    about["files"].as_object().is_some_and(|files| files.iter().all(is_as_written))
}

/// What the modules of a folder were made from, in one hash, and the modules by their file's stem.
pub fn read_manifest(out: &Path) -> (String, Finished) {
    let manifest = fs::read(out.join("manifest.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    let inputs = manifest["inputs"].as_str().unwrap_or_default().to_owned();
    (inputs, manifest["modules"].as_object().cloned().unwrap_or_default())
}

fn write_manifest(out: &Path, inputs: &str, modules: &Finished) -> Result<()> {
    let manifest = json!({ "inputs": inputs, "modules": modules });
    fs::write(out.join("manifest.json"), serde_json::to_string_pretty(&manifest)? + "\n")?;
    Ok(())
}

fn rustc_version() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("running rustc")?;
    Ok(String::from_utf8(output.stdout)?)
}

/// The version of binaryen that npm installed. Its package alone is asked, and not the lock file: what else the lock file has makes no module.
fn binaryen_version(root: &Path) -> Result<String> {
    let manifest = root.join(BINARYEN).join("package.json");
    let text = fs::read_to_string(&manifest).context("wasm-opt is missing: run `npm ci` first")?;
    let manifest: serde_json::Value = serde_json::from_str(&text)?;
    Ok(format!("binaryen {}", manifest["version"]))
}

/// Compiles the module's crate into `folder`: cargo's own folder has the same name for it in each variant. That is one for all modules of a variant, so
/// that macros and build scripts are compiled once, and dependencies once for all modules that take them with the same settings.
fn compile(
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

fn bind(module: &Path, scratch: &Path) -> Result<PathBuf> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).web(true)?.out_name("glue");
    // The caller says where the module is: a default path would be followed by bundlers, to a file that is not there.
    bindgen.omit_default_module_path(true);
    // A trap leaves the instance in an unknown state: `__wbg_reset_state` gives a fresh one of the same module.
    bindgen.reset_state_function(true);
    bindgen.generate(scratch)?;
    Ok(scratch.join("glue_bg.wasm"))
}

impl Plan<'_> {
    fn has(&self, tool: Tool) -> bool {
        !self.request.without.contains(&tool)
    }
}

/// What neither the compiler nor wasm-opt does.
fn rewrite(plan: &Plan<'_>, file: &Path, settings: &Module) -> Result<Counts> {
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

fn optimise(root: &Path, config: &Config, input: &Path, output: &Path) -> Result<()> {
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
fn install_kernels(plan: &Plan<'_>, file: &Path) -> Result<Option<(Tool, usize)>> {
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
fn order_functions(plan: &Plan<'_>, file: &Path) -> Result<Option<(Tool, usize)>> {
    if !plan.has(Tool::Order) {
        return Ok(None);
    }
    let (ordered, count) = function_order::arranged(&fs::read(file)?)?;
    wasmparser::validate(&ordered).context("the module with its functions in order")?;
    fs::write(file, ordered)?;
    Ok(Some((Tool::Order, count)))
}

struct Sizes {
    raw: u64,
    brotli: u64,
}

fn measure(root: &Path, module: &Path) -> Result<Sizes> {
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

fn over_budget(name: &str, module: &Module, sizes: &Sizes) -> Vec<String> {
    let budgets =
        [(sizes.raw, module.max_bytes, ""), (sizes.brotli, module.max_brotli_bytes, " with brotli")];
    let over = budgets.into_iter().filter(|(size, budget, _)| size > budget);
    over.map(|(size, budget, how)| format!("{name} has {size} bytes{how}, and its budget is {budget}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Request> {
        Request::read(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn what_is_asked_for() {
        let request = read("verifier --without kernels,order --out target/other prover").unwrap();
        assert_eq!(request.modules, ["verifier", "prover"]);
        assert_eq!(request.without, [Tool::Kernels, Tool::Order].into());
        assert_eq!(request.out.as_deref(), Some(Path::new("target/other")));
        let all = read("").unwrap();
        assert!(all.modules.is_empty() && all.without.is_empty() && all.out.is_none());
        for wrong in ["--without", "--out", "--without kernel", "--without=kernels", "--strict"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
    #[test]
    fn what_is_finished() {
        let out = env::temp_dir().join(format!("blobcheck-finished-{}", std::process::id()));
        fs::create_dir_all(&out).unwrap();
        let files = ["one.wasm", "one.js", "shared.js", "two.wasm"];
        let write_all = || files.iter().for_each(|name| fs::write(out.join(name), name).unwrap());
        let about = |names: &[&str]| {
            let hashes = names.iter().map(|name| ((*name).to_owned(), json!(sha256_hex(name.as_bytes()))));
            json!({ "files": Finished::from_iter(hashes) })
        };
        let modules = json!({
            "one": about(&["one.wasm", "one.js", "shared.js"]),
            "two": about(&["two.wasm", "shared.js"]),
            "of_before": { "bytes": 8 },
        });
        write_manifest(&out, "these", modules.as_object().unwrap()).unwrap();
        let found = |inputs| current(&out, inputs).keys().cloned().collect::<Vec<_>>().join(" ");

        write_all();
        assert_eq!(found("these"), "one two");
        assert_eq!(found("others"), "");
        for (file, left) in [("one.wasm", "two"), ("one.js", "two"), ("two.wasm", "one"), ("shared.js", "")] {
            fs::write(out.join(file), &file[1..]).unwrap();
            assert_eq!(found("these"), left, "{file} is cut");
            fs::remove_file(out.join(file)).unwrap();
            assert_eq!(found("these"), left, "{file} is missing");
            write_all();
        }
        fs::remove_dir_all(out).unwrap();
    }
}
