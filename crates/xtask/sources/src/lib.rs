//! Empty: this package exists for its dependencies, see its manifest.
