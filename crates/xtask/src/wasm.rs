//! The modules of `wasm-pack.toml` in their variants: which are to be made, each of them by its steps, and what they may take.

use crate::{
    config::{Config, Module, Variant},
    fingerprint, glue,
    manifest::{self, Finished},
    post_link::{self, Counts, Expected, Tool},
    steps::{self, Plan, BINARYEN},
};
use anyhow::{anyhow, bail, ensure, Context, Result};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard},
    thread,
};

/// What the modules are made from, less what only tests and benches need: see [`fingerprint::of_tree`].
pub const INPUTS: &[&str] = &["Cargo.toml", "Cargo.lock", "wasm-pack.toml", "crates"];

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
    let plan = Plan { root, config, without: &request.without, is_strict };
    let inputs = fingerprint_of(root, &rustc, &request.without)?;
    fs::create_dir_all(&out)?;
    let finished = manifest::current(&out, &inputs);
    let before = finished.len();
    // From here on only what is finished is on record, so that an interrupted build never looks whole.
    manifest::write(&out, &inputs, &finished)?;
    let record = Mutex::new(Record { out, inputs, finished, glues: BTreeMap::new() });
    thread::scope(|scope| {
        let builds: Vec<_> = config
            .variants
            .iter()
            .map(|(name, variant)| {
                scope.spawn(|| build_variant(&plan, &request.modules, (name, variant), &record))
            })
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
    let finished = manifest::current(&root.join(&config.build.out_dir), &inputs(root)?);
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

/// Builds one variant's modules, all or the named ones, one after the other.
fn build_variant(
    plan: &Plan<'_>,
    named: &[String],
    (variant_name, variant): (&String, &Variant),
    record: &Mutex<Record>,
) -> Result<()> {
    let Plan { root, config, .. } = *plan;
    for (module_name, module) in &config.modules {
        let suffix = variant_name.replace('-', "_");
        let stem = format!("{module_name}_{suffix}");
        let is_wanted = (named.is_empty() || named.contains(module_name))
            && (module.variants.is_empty() || module.variants.contains(variant_name));
        if !is_wanted || lock(record)?.finished.contains_key(&stem) {
            continue;
        }
        println!("wasm: {stem}, for {}", variant.description);
        let scratch = root.join("target").join(format!("bindgen-{stem}"));
        let compiled = steps::compile(root, module, (variant_name, variant), &scratch)?;
        let bound = steps::bind(&compiled, &scratch)?;
        let mut counts = steps::rewrite(plan, &bound, module)?;
        let file = lock(record)?.out.join(format!("{stem}.wasm"));
        steps::optimise(root, config, &bound, &file)?;
        counts.extend(steps::install_kernels(plan, &file)?);
        counts.extend(steps::order_functions(plan, &file)?);
        let sizes = steps::measure(root, &file)?;
        println!("wasm: {stem}: {} bytes, {} with brotli", sizes.raw, sizes.brotli);
        post_link::report(&steps::over_budget(&stem, module, &sizes), plan.is_strict, "")?;

        let mut record = lock(record)?;
        let shared = config.glue_prefix(module)?;
        let glue = glue::write(&scratch, &record.out, module, shared, &suffix)?;
        let same = *record.glues.entry(shared.to_owned()).or_insert_with(|| glue.text.clone()) == glue.text;
        ensure!(same, "the modules of {} differ in what they export", module.package);
        let files = manifest::hashes(&record.out, glue.files.into_iter().chain([format!("{stem}.wasm")]))?;
        let about =
            json!({ "bytes": sizes.raw, "brotliBytes": sizes.brotli, "counts": counts, "files": files });
        record.finished.insert(stem, about);
        manifest::write(&record.out, &record.inputs, &record.finished)?;
    }
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
}
