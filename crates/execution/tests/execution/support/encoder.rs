//! A tiny RLP encoder over owned trees.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    String(Vec<u8>),
    List(Vec<Tree>),
}

pub fn string(bytes: &[u8]) -> Tree {
    Tree::String(bytes.to_vec())
}

pub fn integer(value: u64) -> Tree {
    let digits = value.to_be_bytes();
    string(&digits[value.leading_zeros() as usize / 8..])
}

pub fn list(items: impl IntoIterator<Item = Tree>) -> Tree {
    Tree::List(items.into_iter().collect())
}

impl Tree {
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::String(bytes) if matches!(bytes[..], [0..0x80]) => bytes.clone(),
            Self::String(bytes) => [header(0x80, bytes.len()), bytes.clone()].concat(),
            Self::List(items) => {
                let payload = items.iter().flat_map(Self::encode).collect::<Vec<_>>();
                [header(0xc0, payload.len()), payload].concat()
            }
        }
    }

    /// The items of a list, for tests to change.
    pub fn items(&mut self) -> &mut Vec<Tree> {
        match self {
            Self::List(items) => items,
            Self::String(_) => panic!("not a list"),
        }
    }
}

fn header(base: u8, length: usize) -> Vec<u8> {
    if length < 56 {
        return vec![base + length as u8];
    }
    let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
    [vec![base + 55 + digits.len() as u8], digits].concat()
}
