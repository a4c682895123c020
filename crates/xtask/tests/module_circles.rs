//! No module of a crate imports one that imports it, directly or through others.
//!
//! A module is a file. It imports what its `use` declarations and its paths name, macros' arguments included; what only its
//! tests name does not count. A path that leads through a re-export (`pub use`) is followed to where the item is defined, so
//! that the facade of a folder may re-export what is in it, and what is in it may name each other through the facade.
#![allow(clippy::unwrap_used)] // tests

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// A path as its segments, absolute within the crate or as it is written.
type Segments = Vec<String>;

/// What each module imports.
type Graph = BTreeMap<Segments, BTreeSet<Segments>>;

/// A declaration `use path as name`.
struct Import {
    path: Segments,
    name: String,
    is_public: bool,
}

/// What a file names.
#[derive(Default)]
struct Names {
    imports: Vec<Import>,
    paths: Vec<Segments>,
    /// How many modules written out within the file are around what is visited.
    depth: usize,
}

impl Names {
    fn of(source: &str) -> Self {
        let mut names = Self::default();
        names.visit_file(&syn::parse_file(source).unwrap());
        names
    }

    /// `super` leads out of a module that is written out within the file before it leads out of the file.
    fn outside(&self, path: Segments) -> Segments {
        let supers = path.iter().take_while(|segment| *segment == "super").count();
        path[supers.min(self.depth)..].to_vec()
    }

    fn add_use(&mut self, prefix: &[String], tree: &syn::UseTree, is_public: bool) {
        let with = |segment: &syn::Ident| [prefix, &[segment.to_string()]].concat();
        match tree {
            syn::UseTree::Path(inner) => self.add_use(&with(&inner.ident), &inner.tree, is_public),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_use(prefix, tree, is_public));
            }
            syn::UseTree::Name(name) => self.add_import(with(&name.ident), None, is_public),
            syn::UseTree::Rename(name) => {
                self.add_import(with(&name.ident), Some(name.rename.to_string()), is_public);
            }
            syn::UseTree::Glob(_) => self.paths.push(self.outside(prefix.to_vec())),
        }
    }

    fn add_import(&mut self, mut path: Segments, rename: Option<String>, is_public: bool) {
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = rename.unwrap_or_else(|| path.last().unwrap().clone());
        self.imports.push(Import { path: self.outside(path), name, is_public });
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let is_test = |list: &syn::MetaList| list.path.is_ident("cfg") && list.tokens.to_string() == "test";
    attributes.iter().any(|attribute| attribute.meta.require_list().is_ok_and(is_test))
}

impl Visit<'_> for Names {
    fn visit_item_mod(&mut self, module: &syn::ItemMod) {
        if !is_test(&module.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, module);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_use(&[], &item.tree, !matches!(item.vis, syn::Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments: Segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.paths.push(self.outside(segments));
        }
        visit::visit_path(self, path);
    }

    /// `pub(in super::super)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &syn::VisRestricted) {}

    /// A macro's arguments are not parsed: of them, what begins with `crate` counts.
    fn visit_macro(&mut self, call: &syn::Macro) {
        let tokens = call.tokens.to_string().replace(' ', "");
        for path in tokens.split("crate::").skip(1) {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
            let segments = path[..end].split("::").filter(|segment| !segment.is_empty());
            self.paths.push(["crate"].into_iter().chain(segments).map(String::from).collect());
        }
        self.visit_path(&call.path);
    }
}

/// The modules of a crate, by their paths; the crate's root has the empty one.
struct Modules(BTreeMap<Segments, Names>);

impl Modules {
    fn of<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        let names = |(path, source): (&str, &str)| {
            let segments = path.split('/').filter(|segment| !segment.is_empty());
            (segments.map(String::from).collect(), Names::of(source))
        };
        Self(sources.into_iter().map(names).collect())
    }

    /// What is written in `module`, as a path from the crate's root; `None` for what is of another crate.
    fn absolute(&self, module: &[String], path: &[String], follow: usize) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let supers = path.iter().take_while(|segment| *segment == "super").count();
                Some([module.get(..module.len().checked_sub(supers)?)?, &path[supers..]].concat())
            }
            _ if self.0.contains_key(&[module, &path[..1]].concat()) => Some([module, path].concat()),
            _ => {
                let import = self.0.get(module)?.imports.iter().find(|import| import.name == *first)?;
                // A name may stand for itself, as `use std::fmt` does.
                if follow == 0 || import.path.first() == Some(first) {
                    return None;
                }
                self.absolute(module, &[&import.path, rest].concat(), follow - 1)
            }
        }
    }

    /// The module that defines what is at an absolute path.
    fn definer(&self, path: &[String], follow: usize) -> Segments {
        let depth =
            (0..=path.len()).take_while(|depth| self.0.contains_key(&path[..*depth])).last().unwrap_or(0);
        let (module, rest) = path.split_at(depth);
        let target = rest.split_first().and_then(|(name, rest)| {
            let mut imports = self.0.get(module)?.imports.iter();
            let import = imports.find(|import| import.is_public && import.name == *name)?;
            Some([self.absolute(module, &import.path, follow)?, rest.to_vec()].concat())
        });
        match target {
            Some(target) if follow > 0 => self.definer(&target, follow - 1),
            _ => module.to_vec(),
        }
    }

    fn graph(&self) -> Graph {
        /// No chain of names or of re-exports is as long.
        const FOLLOW: usize = 8;
        let imports = |(module, names): (&Segments, &Names)| {
            let declared = names.imports.iter().map(|import| (&import.path, import.is_public));
            let written = names.paths.iter().map(|path| (path, false));
            let targets = declared.chain(written).filter_map(|(path, is_public)| {
                let target = self.definer(&self.absolute(module, path, FOLLOW)?, FOLLOW);
                let is_facade = is_public && target.starts_with(module);
                (target != *module && !is_facade).then_some(target)
            });
            (module.clone(), targets.collect())
        };
        self.0.iter().map(imports).collect()
    }
}

/// A circle of modules, each of which imports the next, and the last the first; `None` where there is none.
fn circle(mut graph: Graph) -> Option<Vec<Segments>> {
    // What imports nothing that is left is on no circle.
    while let Some(leaf) =
        graph.iter().find(|(_, imports)| imports.is_empty()).map(|(module, _)| module.clone())
    {
        graph.remove(&leaf);
        graph.values_mut().for_each(|imports| {
            imports.remove(&leaf);
        });
    }
    // Each that is left imports one that is left.
    let mut path = vec![graph.keys().next()?.clone()];
    loop {
        let next = graph.get(path.last()?)?.first()?;
        if let Some(start) = path.iter().position(|module| module == next) {
            return Some(path.split_off(start));
        }
        path.push(next.clone());
    }
}

fn in_words(circle: &[Segments]) -> String {
    let name = |module: &Segments| if module.is_empty() { "crate".into() } else { module.join("::") };
    let names: Vec<String> = circle.iter().chain(circle.first()).map(name).collect();
    names.join(" → ")
}

/// Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

fn modules_of_crate(src: &Path) -> Modules {
    let read = |path: PathBuf| {
        let name = path.strip_prefix(src).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        let module = match name.as_str() {
            "lib" | "main" => String::new(),
            _ => name.strip_suffix("/mod").unwrap_or(&name).into(),
        };
        (module, fs::read_to_string(path).unwrap())
    };
    // Programs beside the library are crates of their own.
    let sources = files(src).into_iter().filter(|path| !path.starts_with(src.join("bin"))).map(read);
    let sources: Vec<(String, String)> = sources.collect();
    Modules::of(sources.iter().map(|(module, source)| (module.as_str(), source.as_str())))
}

#[test]
fn no_crate_has_a_circle_of_modules() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut checked, mut found) = (0, Vec::new());
    for folder in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if !folder.join("src").is_dir() {
            continue;
        }
        let modules = modules_of_crate(&folder.join("src"));
        checked += modules.0.len();
        found.extend(circle(modules.graph()).map(|circle| format!("{name}: {}", in_words(&circle))));
    }
    assert!(checked > 150, "most modules were not found: {checked}");
    assert!(found.is_empty(), "circles of modules:\n{}", found.join("\n"));
}

#[test]
fn circles_are_found_wherever_a_name_comes_from() {
    let find = |sources: &[(&str, &str)]| {
        circle(Modules::of(sources.iter().copied()).graph()).map(|circle| in_words(&circle))
    };
    let circular = |sources: &[(&str, &str)]| {
        let found = find(sources).expect("a circle");
        assert!(found.contains("a → ") && found.contains("b → "), "{found}");
    };
    circular(&[("", ""), ("a", "use crate::b::X;"), ("b", "use crate::a::Y;")]);
    circular(&[("", ""), ("a", "use super::b;"), ("b", "fn f() { crate::a::g() }")]);
    circular(&[("", ""), ("a", "use crate::{b as other, c};"), ("b", "struct S(crate::a::T);"), ("c", "")]);
    circular(&[("", ""), ("a", "m!(crate::b::X, 3);"), ("b", "use crate::a::Y as Z;")]);
    circular(&[("", ""), ("a", "use crate::b::*;"), ("b", "mod inner { use super::super::a::X; }")]);
    // Through two others, a folder's facade, and the crate's own.
    circular(&[("", ""), ("a", "use crate::c::X;"), ("b", "use crate::a;"), ("c", "use crate::b;")]);
    circular(&[("", ""), ("a", "use crate::f::X;"), ("f", "pub use b::X;"), ("f/b", "use crate::a;")]);
    circular(&[("", "pub use b::X;"), ("a", "use crate::X;"), ("b", "use crate::a::Y;")]);
    // The folder itself, which names what is in it, and is named by it.
    assert!(find(&[("", ""), ("f", "fn x() { g::y() }"), ("f/g", "use super::x;")]).is_some());

    assert_eq!(find(&[("", ""), ("a", "use crate::b::X;"), ("b", "use crate::c::Y;"), ("c", "")]), None);
    let tested = "#[cfg(test)] mod tests { use crate::a::Y; } #[cfg(test)] use crate::a::Z;";
    assert_eq!(find(&[("", ""), ("a", "use crate::b::X;"), ("b", tested)]), None);
    assert_eq!(find(&[("", "pub use a::X; pub use b::Y;"), ("a", "use crate::Y;"), ("b", "")]), None);
    assert_eq!(
        find(&[("", ""), ("f", "pub use a::X; mod a; mod b;"), ("f/a", "use super::b;"), ("f/b", "")]),
        None
    );
    assert_eq!(
        find(&[("", ""), ("a", "mod inner { use super::X; } struct X;"), ("b", "use crate::a;")]),
        None
    );
}
