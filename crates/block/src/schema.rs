//! Types of SSZ as constant data (`ssz/simple-serialize.md`; EIP-7495 and EIP-7916 for the progressive ones).

/// A type of SSZ.
///
/// A progressive type has no limit of its own: in its place stands a bound of ours, so that no input decides how much is
/// worked on. It is no part of the root. Nor is the bound of a `BoundedList`.
#[derive(Debug)]
pub enum Schema {
    /// `uintN`: so many bytes, little-endian; 32 at most.
    Uint(usize),
    /// `boolean`.
    Boolean,
    /// `ByteVector[N]`.
    Bytes(usize),
    /// `BitVector[N]`.
    BitVector(usize),
    /// `BitList[N]`.
    BitList(usize),
    /// `ByteList[N]`.
    ByteList(usize),
    /// `Vector[element, N]`, of elements of fixed size.
    Vector(&'static Schema, usize),
    /// `List[element, N]`.
    List(&'static Schema, usize),
    /// `List[element, N]`, of so many elements at most: a bound of ours far below N, which the root is made of.
    BoundedList(&'static Schema, usize, usize),
    /// `Container`.
    Container(&'static [Field]),
    /// `ProgressiveBitList`, of so many bits at most.
    ProgressiveBitList(usize),
    /// `ProgressiveList[element]`, of so many elements at most.
    ProgressiveList(&'static Schema, usize),
    /// `ProgressiveContainer`, all of whose fields are active.
    ProgressiveContainer(&'static [Field]),
}

/// A field of a container.
#[derive(Debug)]
pub struct Field {
    /// Its name, in the specification and in JSON.
    pub name: &'static str,
    /// Its type.
    pub schema: &'static Schema,
}

impl Schema {
    /// How many bytes each encoding has; `None` where that depends on the value.
    pub fn fixed_size(&self) -> Option<usize> {
        match self {
            Self::Uint(size) | Self::Bytes(size) => Some(*size),
            Self::Boolean => Some(1),
            Self::BitVector(bits) => Some(bits.div_ceil(8)),
            Self::Vector(element, length) => element.fixed_size().map(|size| size * length),
            Self::Container(fields) | Self::ProgressiveContainer(fields) => {
                fields.iter().map(|field| field.schema.fixed_size()).sum()
            }
            _ => None,
        }
    }

    /// Whether values are packed into chunks together with their neighbours: those of basic types.
    pub(crate) fn is_basic(&self) -> bool {
        matches!(self, Self::Uint(_) | Self::Boolean)
    }
}
