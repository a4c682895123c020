/// The step at which something is refused. The first two mean that it cannot be verified, the others that it is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The bytes are not what they are said to be, or their parts do not fit one another.
    Structure,
    /// A scalar, a point or an RLP item is not canonically encoded.
    Encoding,
    /// A versioned hash is not its commitment's.
    VersionedHash,
    /// A Merkle branch does not lead to its root.
    Inclusion,
    /// The header is not the one that the caller trusts.
    Anchor,
    /// An update that the light-client protocol does not take: its slots, its periods, its participants.
    Protocol,
    /// A BLS signature is not its keys' and message's.
    Signature,
    /// A proof does not prove its claim.
    Kzg,
}

impl Stage {
    /// Its name in verdicts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Encoding => "encoding",
            Self::VersionedHash => "versioned-hash",
            Self::Inclusion => "inclusion",
            Self::Anchor => "anchor",
            Self::Protocol => "protocol",
            Self::Signature => "signature",
            Self::Kzg => "kzg",
        }
    }
}
