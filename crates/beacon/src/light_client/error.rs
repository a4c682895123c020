//! Why bytes are no light-client object.

/// Why bytes are no light-client object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectError {
    /// Not as long as the container, or longer than its lists may be.
    Length,
    /// Offsets that are not those of the container's one canonical encoding.
    Offsets,
}
