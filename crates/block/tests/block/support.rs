//! The official cases of blocks and bodies.

use blobcheck_block::{containers, BlockFork, Preset, Schema};
use blobcheck_testing::vectors::{bytes, files, text, unhex};

/// A case of `ssz_static`.
pub struct Case {
    pub name: String,
    pub fork: BlockFork,
    pub preset: Preset,
    pub kind: Kind,
    pub ssz: Vec<u8>,
    /// `hash_tree_root`.
    pub root: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Body,
    Block,
    Signed,
}

impl Case {
    /// The type of the encoding without the signature around it, and the encoding.
    pub fn inside(&self) -> (&'static Schema, &[u8]) {
        match self.kind {
            Kind::Body => (containers::body(self.fork, self.preset), &self.ssz),
            Kind::Block => (containers::block(self.fork, self.preset), &self.ssz),
            Kind::Signed => (containers::block(self.fork, self.preset), &self.ssz[100..]),
        }
    }
}

/// All of whole blocks and bodies.
pub fn cases() -> Vec<Case> {
    cases_in("blocks")
}

/// All of a set, whose types have the kind `Signed` where they are neither block nor body.
pub fn cases_in(set: &str) -> Vec<Case> {
    let mut paths = files(set);
    paths.retain(|path| path.ends_with("serialized.ssz"));
    paths
        .iter()
        .map(|path| {
            let name = path.to_string_lossy().into_owned();
            let parts: Vec<&str> = name.split('/').collect();
            let (preset, fork) = parts[1].split_once('-').expect("a preset and a fork");
            let root = text(path.with_file_name("roots.yaml"));
            Case {
                preset: if preset == "mainnet" { Preset::Mainnet } else { Preset::Minimal },
                fork: match fork {
                    "deneb" => BlockFork::Deneb,
                    "gloas" => BlockFork::Gloas,
                    _ => BlockFork::Electra,
                },
                kind: match parts[3] {
                    "BeaconBlockBody" => Kind::Body,
                    "BeaconBlock" => Kind::Block,
                    _ => Kind::Signed,
                },
                ssz: bytes(path),
                root: unhex(root.split('\'').nth(1).expect("a root")),
                name,
            }
        })
        .collect()
}

/// The schema of a part that these names lead to; `[]` is the element of a list.
pub fn part(body: &'static Schema, path: &[&str]) -> &'static Schema {
    path.iter().fold(body, |schema, name| match (schema, *name) {
        (
            Schema::List(element, _) | Schema::BoundedList(element, ..) | Schema::ProgressiveList(element, _),
            "[]",
        ) => element,
        (Schema::Container(fields) | Schema::ProgressiveContainer(fields), name) => {
            fields.iter().find(|field| field.name == name).expect("a field").schema
        }
        _ => panic!("no {name}"),
    })
}
