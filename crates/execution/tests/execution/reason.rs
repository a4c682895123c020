use blobcheck_execution::{Reason, Stage};

#[test]
fn codes_are_in_range_and_ascend_and_names_are_kebab_case() {
    let codes: Vec<u8> = Reason::ALL.iter().map(|reason| reason.code()).collect();
    assert_eq!(codes, (128..128 + codes.len() as u8).collect::<Vec<_>>());
    assert!(codes.iter().all(|code| *code < 192));
    for reason in Reason::ALL {
        assert!(reason.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        // The exhaustive list of names is the enum's own, in kebab case.
        assert_eq!(reason.name().replace('-', ""), format!("{reason:?}").to_lowercase());
        assert_eq!(reason.to_string(), reason.name());
    }
}

#[test]
fn stages_are_the_verdicts() {
    assert_eq!(Reason::TransactionType.stage(), Stage::Structure);
    assert_eq!(Reason::Rlp.stage(), Stage::Encoding);
    assert_eq!(Reason::VersionedHashMismatch.stage(), Stage::VersionedHash);
    assert_eq!(
        [Stage::Structure, Stage::Encoding, Stage::VersionedHash].map(Stage::name),
        ["structure", "encoding", "versioned-hash"]
    );
}
