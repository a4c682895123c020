use blobcheck_beacon::{Reason, Stage};

#[test]
fn codes_are_in_range_and_ascend_and_names_are_kebab_case() {
    let codes: Vec<u8> = Reason::ALL.iter().map(|reason| reason.code()).collect();
    assert_eq!(codes, (64..64 + codes.len() as u8).collect::<Vec<_>>());
    assert!(codes.iter().all(|code| *code < 128));
    for reason in Reason::ALL {
        assert!(reason.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        // The exhaustive list of names is the enum's own, in kebab case.
        assert_eq!(reason.name().replace('-', ""), format!("{reason:?}").to_lowercase());
        assert_eq!(reason.to_string(), reason.name());
    }
}

#[test]
fn stages_are_the_verdicts() {
    assert_eq!(Reason::SidecarLength.stage(), Stage::Structure);
    assert_eq!(Reason::InclusionMismatch.stage().name(), "inclusion");
    assert_eq!(Reason::HeaderMismatch.stage().name(), "anchor");
    for (stage, name) in [
        (Stage::Structure, "structure"),
        (Stage::Encoding, "encoding"),
        (Stage::VersionedHash, "versioned-hash"),
    ] {
        assert_eq!(stage.name(), name);
    }
}
