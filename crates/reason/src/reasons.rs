/// Declares a crate's `Reason`, a `#[repr(u8)]` enum that is a [`std::error::Error`].
///
/// Each line is a variant with its code, its stage and its name: the variant's own, in kebab case. Codes ascend within
/// the range that is the crate's; a code outside of it does not compile, and a test of the crate that declares the
/// reasons holds order and names.
///
/// ```
/// blobcheck_reason::reasons! {
///     /// Why a door stays shut.
///     pub enum Reason in 1..=63 {
///         /// Nobody is at home.
///         NobodyHome = 1, Anchor, "nobody-home";
///     }
/// }
/// assert_eq!(Reason::NobodyHome.code(), 1);
/// assert_eq!(Reason::NobodyHome.to_string(), "nobody-home");
/// assert_eq!(Reason::ALL.len(), 1);
/// ```
///
/// ```compile_fail
/// blobcheck_reason::reasons! {
///     /// Its code belongs to another crate.
///     pub enum Reason in 1..=63 {
///         /// 64 is not in 1..=63.
///         NobodyHome = 64, Anchor, "nobody-home";
///     }
/// }
/// ```
#[macro_export]
macro_rules! reasons {
    (
        $(#[$about:meta])*
        pub enum Reason in $first:literal..=$last:literal {
            $($(#[$meaning:meta])* $variant:ident = $code:literal, $stage:ident, $name:literal;)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Reason {
            $($(#[$meaning])* $variant = $code,)+
        }

        $(const _: () = assert!($first <= $code && $code <= $last, "a code out of the crate's range");)+

        impl Reason {
            /// All of them, by ascending code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its number across the WebAssembly boundary; stable.
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// Its name in verdicts and errors.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Where it is found.
            pub const fn stage(self) -> $crate::Stage {
                match self {
                    $(Self::$variant => $crate::Stage::$stage,)+
                }
            }
        }

        impl ::core::fmt::Display for Reason {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::error::Error for Reason {}

        #[cfg(test)]
        #[test]
        fn reasons_ascend_and_are_named_after_themselves() {
            assert!(Reason::ALL.is_sorted_by_key(|reason| reason.code()));
            for reason in Reason::ALL {
                let name = reason.name();
                assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
                let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
                assert_eq!(words.collect::<String>(), ::std::format!("{reason:?}"));
            }
        }
    };
}
