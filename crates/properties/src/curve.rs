//! Fields, points, sums, subgroup tests and pairings, in whichever arithmetic the features choose, against arkworks and blst.

use crate::draw::{alter, below, number, rng, scalar, short, P, R};
use crate::points::{bytes_of, compress, draw, draw_bytes, draw_on_curve, g2, Known};
use arbitrary::{Result, Unstructured};
use ark_bls12_381::{Fq, Fr, G1Projective, G2Affine};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, Fp, MontBackend, MontConfig, PrimeField};
use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_curve::simd::FpPair;
use blobcheck_curve::{
    baseline, g1, g1_encoding, g2_encoding, hash_to_g2, msm, msm_signed, msm_u128, multiply_each,
    point_triples, product_is_one, scalar as scalars, subgroup, sum, uncompressed, BatchPoint,
    PairingProduct, PointError, PreparedG2, Signed, Trits, G1,
};
use blst::{min_pk, min_sig, BLST_ERROR};

/// Words below a modulus: any, near its ends, or with words of zeros and ones.
fn words<C: MontConfig<N>, const N: usize>(input: &mut Unstructured<'_>) -> Result<BigInt<N>> {
    let mut value = match below(input, 4)? {
        0 => C::MODULUS,
        1 => BigInt([0; N]),
        _ => {
            let mut words = [0; N];
            for word in &mut words {
                *word = match below(input, 6)? {
                    0 => 0,
                    1 => u64::MAX,
                    2 => 1 << below(input, 64)?,
                    3 => (1u64 << 48) - 1,
                    _ => input.arbitrary()?,
                };
            }
            BigInt(words)
        }
    };
    let step = BigInt::from(u64::from(input.arbitrary::<u8>()?));
    let _ = if input.arbitrary()? { value.add_with_carry(&step) } else { value.sub_with_borrow(&step) };
    value.0[N - 1] %= C::MODULUS.0[N - 1];
    Ok(value)
}

/// Each operation of our field, and of arkworks' on the same words.
fn fields<Ours: MontConfig<N>, Theirs: MontConfig<N>, const N: usize>(
    input: &mut Unstructured<'_>,
) -> Result<()> {
    type Of<C, const N: usize> = Fp<MontBackend<C, N>, N>;
    let forms = [words::<Theirs, N>(input)?, words::<Theirs, N>(input)?, words::<Theirs, N>(input)?];
    let [a, b, c] = forms.map(Of::<Ours, N>::new_unchecked);
    let [x, y, z] = forms.map(Of::<Theirs, N>::new_unchecked);
    let pairs = [
        (a * b, x * y),
        (a + b, x + y),
        (a - b, x - y),
        (-a, -x),
        (a.square(), x.square()),
        (a.double(), x.double()),
        (
            Of::<Ours, N>::sum_of_products(&[a, b], &[b, c]),
            Of::<Theirs, N>::sum_of_products(&[x, y], &[y, z]),
        ),
    ];
    for (at, (ours, theirs)) in pairs.iter().enumerate() {
        assert_eq!(ours.0, theirs.0, "operation {at} of {forms:x?}");
    }
    assert_eq!(a.into_bigint(), x.into_bigint());
    assert_eq!(a.inverse().map(|a| a.0), x.inverse().map(|x| x.0));
    Ok(())
}

/// The words of the baseline against arkworks.
pub fn baseline_fields(input: &mut Unstructured<'_>) -> Result<()> {
    match input.arbitrary()? {
        true => fields::<baseline::FqConfig, ark_bls12_381::FqConfig, 6>(input),
        false => fields::<baseline::FrConfig, ark_bls12_381::FrConfig, 4>(input),
    }
}

/// What limbs stand for, as a Montgomery form.
fn number_of(limbs: &[[f64; 2]; 8], lane: usize) -> Fq {
    let base = Fq::from(1u64 << 48);
    let value = limbs.iter().rev().fold(Fq::ZERO, |sum, limb| {
        let size = Fq::from(limb[lane].abs() as u64);
        sum * base + if limb[lane] < 0.0 { -size } else { size }
    });
    value * Fq::new_unchecked(BigInt::one())
}

/// Limbs within the bounds of a type, the worst of them often.
fn limbs<const B: u32>(input: &mut Unstructured<'_>) -> Result<FpPair<B>> {
    let mut limbs = [[0.0; 2]; 8];
    for (at, limb) in limbs.iter_mut().enumerate() {
        let unit = if at < 7 { (1i64 << 47) + 64 } else { 0x1a01_11ea_397f - 1 };
        let most = i64::from(B) * unit;
        for lane in limb {
            *lane = match below(input, 5)? {
                0 => most,
                1 => -most,
                2 => i64::from(input.arbitrary::<i8>()?),
                _ => input.int_in_range(-most..=most)?,
            } as f64;
        }
    }
    Ok(FpPair::within(&limbs).unwrap_or_else(|| panic!("{limbs:?} is within {B}")))
}

/// The lanes of relaxed SIMD, on their model, against arkworks: right, and within the bounds of their types.
pub fn lanes(input: &mut Unstructured<'_>) -> Result<()> {
    let check = |found: &FpPair<1>, expected: [Fq; 2], what: &str| {
        assert!(
            FpPair::<1>::within(&found.limbs()).is_some(),
            "{what} is out of bounds: {:?}",
            found.limbs()
        );
        assert_eq!(found.words(), expected.map(|number| number.0 .0), "{what}");
    };
    let numbers = |limbs: [[f64; 2]; 8]| [0, 1].map(|lane| number_of(&limbs, lane));
    let each = |x: [Fq; 2], y: [Fq; 2], f: fn(Fq, Fq) -> Fq| [f(x[0], y[0]), f(x[1], y[1])];

    let (x, y) = (limbs::<2>(input)?, limbs::<2>(input)?);
    let (a, b) = (numbers(x.limbs()), numbers(y.limbs()));
    check(&x.mul(&y), each(a, b, |a, b| a * b), "a product");
    check(&x.square(), a.map(|a| a.square()), "a square");
    let fp2 = |a: [Fq; 2], b: [Fq; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    check(&x.mul_fp2_wide(&y).reduce(), fp2(a, b), "a product in Fp2");
    let (x, y) = (limbs::<4>(input)?, limbs::<1>(input)?);
    let (a, b) = (numbers(x.limbs()), numbers(y.limbs()));
    check(&x.mul(&y), each(a, b, |a, b| a * b), "a product of 4 and 1");
    check(&y.square_fp2(), fp2(b, b), "a square in Fp2");
    let (x, y) = (limbs::<8>(input)?, limbs::<7>(input)?);
    let (a, b) = (numbers(x.limbs()), numbers(y.limbs()));
    check(&(x + y).reduce(), each(a, b, |a, b| a + b), "a sum");
    check(&(x - y).reduce(), each(a, b, |a, b| a - b), "a difference");
    let forms = [words::<ark_bls12_381::FqConfig, 6>(input)?, words::<ark_bls12_381::FqConfig, 6>(input)?];
    assert_eq!(FpPair::new(&forms[0].0, &forms[1].0).words(), forms.map(|form| form.0));
    Ok(())
}

/// Scalars' bytes: which are canonical, what they are modulo r, and back.
pub fn scalar_encodings(input: &mut Unstructured<'_>) -> Result<()> {
    let bytes = scalar(input)?;
    let is_canonical = bytes < R;
    let theirs = Fr::from_be_bytes_mod_order(&bytes);
    let theirs: Vec<u8> = theirs.into_bigint().to_bytes_be();
    assert_eq!(scalars::is_canonical(&bytes), is_canonical);
    assert_eq!(
        scalars::scalar_from_be(&bytes).map(|read| scalars::scalar_to_be(&read)),
        is_canonical.then_some(bytes)
    );
    assert_eq!(scalars::scalar_to_be(&scalars::scalar_reduce_be(&bytes))[..], theirs);
    Ok(())
}

/// What blst says of 48 bytes: whether they are a point of the curve, and of G1.
fn judged(read: std::result::Result<bool, BLST_ERROR>) -> std::result::Result<(), PointError> {
    match read {
        Ok(true) => Ok(()),
        // blst says so at once of x = 0, where the two points have order 3.
        Ok(false) | Err(BLST_ERROR::BLST_POINT_NOT_IN_GROUP) => Err(PointError::NotInSubgroup),
        Err(BLST_ERROR::BLST_POINT_NOT_ON_CURVE) => Err(PointError::NotOnCurve),
        Err(_) => Err(PointError::Encoding),
    }
}

/// Compressed points of G1: the same are points as blst's, for the same reason, and are written as they were read.
pub fn g1_encodings(input: &mut Unstructured<'_>) -> Result<()> {
    let count = 1 + below(input, 5)?;
    let all = (0..count).map(|_| draw_bytes(input)).collect::<Result<Vec<_>>>()?;
    for (bytes, read) in all.iter().zip(g1_encoding::decompress(&all)) {
        let expected = judged(min_sig::Signature::uncompress(bytes).map(|point| point.subgroup_check()));
        assert_eq!(read.map(|_| ()), expected, "{bytes:02x?}");
        let encoding = expected == Err(PointError::Encoding);
        assert_eq!(g1_encoding::check_encoding(bytes).is_err(), encoding, "{bytes:02x?}");
        if let Ok(point) = read {
            assert_eq!(g1_encoding::compress(&point), *bytes);
            let long = uncompressed::to_uncompressed(&point);
            assert_eq!(uncompressed::from_uncompressed(&long), Some(point.into()));
        }
    }
    Ok(())
}

/// Compressed points of G2, likewise.
pub fn g2_encodings(input: &mut Unstructured<'_>) -> Result<()> {
    let mut bytes = match below(input, 3)? {
        0 => {
            let mut bytes = [number(input, &P)?, number(input, &P)?].concat();
            bytes[0] = bytes[0] & 0x1f | [0x80, 0xa0, 0xc0, 0xe0, 0x00][below(input, 5)?];
            bytes
        }
        // A point of the curve that is hardly in G2: any x that has a y.
        1 => {
            let x = ark_bls12_381::Fq2::new(
                Fq::from(input.arbitrary::<u16>()?),
                Fq::from(input.arbitrary::<u8>()?),
            );
            let point = G2Affine::get_point_from_x_unchecked(x, input.arbitrary()?);
            compress::<96>(&point.unwrap_or_else(G2Affine::generator)).to_vec()
        }
        _ => {
            let multiple = Fr::from(input.int_in_range(-3i8..=3)?);
            compress::<96>(&(ark_bls12_381::G2Projective::generator() * multiple).into_affine()).to_vec()
        }
    };
    alter(input, &mut bytes)?;
    bytes.resize(96, 0);
    let mut encoded = [0; 96];
    encoded.copy_from_slice(&bytes);
    let expected = judged(min_pk::Signature::uncompress(&encoded).map(|point| point.subgroup_check()));
    let read = g2_encoding::decompress(&[encoded])[0];
    assert_eq!(read.map(|_| ()), expected, "{encoded:02x?}");
    if let Ok(point) = read {
        assert_eq!(g2_encoding::compress(&point), encoded);
    }
    Ok(())
}

/// Points in 96 bytes, and three of them in 192: what is read is on the curve, and is written as it was.
pub fn long_encodings(input: &mut Unstructured<'_>) -> Result<()> {
    let points = [draw_on_curve(input)?, draw_on_curve(input)?, draw_on_curve(input)?];
    let mut bytes = bytes_of(&points[0].point()).to_vec();
    alter(input, &mut bytes)?;
    bytes.resize(96, 0);
    let mut encoded = [0; 96];
    encoded.copy_from_slice(&bytes);
    let coordinate = |bytes: &[u8]| (bytes < &P[..]).then(|| Fq::from_be_bytes_mod_order(bytes));
    let on_curve = encoded == [0; 96]
        || coordinate(&encoded[..48])
            .zip(coordinate(&encoded[48..]))
            .is_some_and(|(x, y)| y.square() == x.square() * x + Fq::from(4));
    let read = uncompressed::from_uncompressed(&encoded);
    assert_eq!(read.is_some(), on_curve);
    if let Some(point) = read {
        assert_eq!(uncompressed::to_uncompressed(&point.assume_in_subgroup()), encoded);
    }

    let expected = points.map(|known| known.ours());
    let written = point_triples::write(&expected.map(|point| point.assume_in_subgroup()));
    if let Some(written) = written {
        let read = point_triples::read_each(&[written])[0];
        // Three points have these four numbers, or others have them, too, and nobody reads them.
        assert!(read.is_none() || read == Some(expected));
        let mut altered = written.to_vec();
        alter(input, &mut altered)?;
        altered.resize(192, 0);
        let mut triple = [0; 192];
        triple.copy_from_slice(&altered);
        if let Some(points) = point_triples::read_each(&[triple])[0] {
            let points = points.map(|point| point.assume_in_subgroup());
            assert_eq!(point_triples::write(&points), Some(triple));
            for point in points {
                let long = uncompressed::to_uncompressed(&point);
                assert!(uncompressed::from_uncompressed(&long).is_some(), "on the curve");
            }
        }
    }
    Ok(())
}

/// Our sum against arkworks' point.
fn same(ours: G1, theirs: G1Projective, what: &str) {
    let ours = uncompressed::to_uncompressed(&g1::normalize(&[ours])[0]);
    assert!(ours == bytes_of(&theirs.into_affine()), "{what}");
}

fn magnitude(input: &mut Unstructured<'_>) -> Result<u128> {
    Ok(match below(input, 5)? {
        0 => u128::MAX - u128::from(input.arbitrary::<u8>()?),
        1 => u128::from(input.arbitrary::<u8>()?),
        2 => 1 << below(input, 128)?,
        _ => input.arbitrary()?,
    })
}

/// How many points: few, or around the numbers at which other methods are chosen.
fn count(input: &mut Unstructured<'_>) -> Result<usize> {
    Ok(match below(input, 8)? {
        0 => 30 + below(input, 100)?,
        1 => 200 + below(input, 60)?,
        _ => below(input, 14)?,
    })
}

/// Sums of multiples of points, by each method: repeated, opposite and infinite points among them.
pub fn sums(input: &mut Unstructured<'_>) -> Result<()> {
    let count = count(input)?;
    let mut known: Vec<Known> = Vec::new();
    for at in 0..count {
        let repeats = at > 4 && below(input, 4)? > 0;
        known.push(if repeats { known[below(input, at)?] } else { draw(input)? });
    }
    let points: Vec<_> = known.iter().map(|known| known.ours().assume_in_subgroup()).collect();
    let generator = G1Projective::generator();
    let total: Fr = known.iter().map(|known| known.multiple).sum();
    same(sum(&points), generator * total, "a sum");

    let mut random = rng(input)?;
    let mut factors = Vec::new();
    for at in 0..count {
        let bytes = if at < 8 { scalar(input)? } else { random.bytes() };
        factors.push(Fr::from_be_bytes_mod_order(&bytes));
    }
    let ours_of = |factor: &Fr| {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&factor.into_bigint().to_bytes_be());
        scalars::scalar_reduce_be(&bytes)
    };
    let scalars: Vec<_> = factors.iter().map(ours_of).collect();
    let total: Fr = known.iter().zip(&factors).map(|(known, factor)| known.multiple * factor).sum();
    same(msm(&points, &scalars), generator * total, "a sum of multiples");
    for ((each, known), factor) in
        multiply_each(&points, &scalars).into_iter().zip(&known).zip(&factors).take(4)
    {
        same(each, generator * (known.multiple * factor), "a multiple");
    }
    let finite = points.iter().filter(|point| !point.is_zero()).count() == points.len();
    if let (true, Some(shape)) = (finite && count > 0, TableShape::new(1 + below(input, 3)? as u32, 3)) {
        let sums = FixedBaseTable::new(&points, shape).sums(&scalars, count);
        same(sums[0], generator * total, "a sum out of a table");
    }

    let magnitudes = (0..count).map(|_| magnitude(input)).collect::<Result<Vec<u128>>>()?;
    let total: Fr = known.iter().zip(&magnitudes).map(|(known, size)| known.multiple * Fr::from(*size)).sum();
    same(msm_u128(&points, &magnitudes), generator * total, "a sum of short multiples");
    Ok(())
}

/// Sums of points outside G1: the defect comes out as the factors say, and not modulo r.
pub fn sums_outside(input: &mut Unstructured<'_>) -> Result<()> {
    let prime = below(input, 5)?;
    let count = count(input)?;
    let (mut known, mut factors) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let mut point = draw(input)?;
        point.defect = (input.int_in_range(0..=crate::points::PRIMES[prime] - 1)?, prime);
        known.push(point);
        factors.push(Signed { negative: input.arbitrary()?, magnitude: magnitude(input)? });
    }
    let points: Vec<_> = known.iter().map(|known| known.ours().assume_in_subgroup()).collect();
    let order = i128::from(crate::points::PRIMES[prime]);
    let (mut multiple, mut defect) = (Fr::ZERO, 0i128);
    for (known, Signed { negative, magnitude }) in known.iter().zip(&factors) {
        let sign = |value: Fr| if *negative { -value } else { value };
        multiple += sign(known.multiple * Fr::from(*magnitude));
        let size = (magnitude % order as u128) as i128 * i128::from(known.defect.0);
        defect += if *negative { -size } else { size };
    }
    let expected = Known { multiple, defect: (defect.rem_euclid(order) as u64, prime) };
    same(msm_signed(&points, &factors), expected.point().into(), "a sum of points of the curve");
    Ok(())
}

/// The subgroup tests, point by point and in bulk: no point outside passes, and none inside is refused.
pub fn subgroup_tests(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let mut families: Vec<Vec<(Known, Trits)>> = Vec::new();
    // Defects of one order: those of others would show in its place.
    let prime = below(input, 5)?;
    let order = crate::points::PRIMES[prime];
    for _ in 0..1 + below(input, 3)? {
        let count = count(input)?;
        let mut family = Vec::new();
        for _ in 0..count {
            let mut known = draw(input)?;
            if below(input, 40)? == 0 {
                known.defect = (input.int_in_range(0..=order)?, prime);
            }
            family.push((known, Trits::from_bytes(&random.bytes())));
        }
        // A pair of defects that cancel where coefficients are equal.
        if count > 1 && below(input, 3)? == 0 {
            family[0].0.defect = (1, prime);
            family[1].0.defect = (order - 1, prime);
        }
        families.push(family);
    }
    let all: Vec<Known> = families.iter().flatten().map(|(known, _)| *known).collect();
    let points: Vec<_> = all.iter().map(Known::ours).collect();
    let expected: Vec<bool> = all.iter().map(Known::is_in_subgroup).collect();
    assert_eq!(subgroup::are_in_subgroup(&points), expected);
    assert_eq!(subgroup::tested_each(&points).iter().map(Option::is_some).collect::<Vec<_>>(), expected);

    let member =
        |(known, coefficient): &(Known, Trits)| BatchPoint { point: known.ours(), coefficient: *coefficient };
    let batches: Vec<Vec<BatchPoint>> =
        families.iter().map(|family| family.iter().map(member).collect()).collect();
    let rows = subgroup::tested(&batches.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!(rows.is_some(), expected.iter().all(|inside| *inside));
    let totals = rows.map_or(vec![], |rows| subgroup::totals(&rows.iter().collect::<Vec<_>>()));
    for (family, sum) in families.iter().zip(totals) {
        let total: Fr = family
            .iter()
            .map(|(known, trits)| {
                let Signed { negative, magnitude } = trits.value();
                known.multiple * if negative { -Fr::from(magnitude) } else { Fr::from(magnitude) }
            })
            .sum();
        same(sum, G1Projective::generator() * total, "the sum of a family");
    }
    Ok(())
}

/// Products of pairings of multiples of the generators, which are one exactly where the exponents add up to zero.
pub fn pairings(input: &mut Unstructured<'_>) -> Result<()> {
    let mut pairs = Vec::new();
    let mut exponent = Fr::ZERO;
    for _ in 0..below(input, 4)? {
        let (left, right) = (draw(input)?, Fr::from(input.int_in_range(1u8..=9)?));
        exponent += left.multiple * right;
        pairs.push((left, right));
    }
    if input.arbitrary()? {
        pairs.push((Known { multiple: -exponent, defect: (0, 0) }, Fr::ONE));
        exponent = Fr::ZERO;
    }
    let prepared: Vec<PreparedG2> = pairs.iter().map(|(_, right)| PreparedG2::new(g2(*right))).collect();
    let lefts = pairs.iter().map(|(left, _)| left.ours().assume_in_subgroup());
    let all: Vec<_> = lefts.zip(&prepared).collect();
    assert_eq!(product_is_one(&all), exponent == Fr::ZERO);
    let (part, others) = all.split_at(below(input, all.len() + 1)?);
    let [Some(all), Some(part), Some(others)] = [&all[..], part, others].map(PairingProduct::of) else {
        panic!("no Miller loop comes to zero")
    };
    assert_eq!(all.without(&part).is_one(), others.is_one());
    assert!(all.without(&part).without(&others).is_one());
    Ok(())
}

/// Hashing to G2, for messages and tags of any length up to 255 bytes, as blst does.
pub fn hashing_to_g2(input: &mut Unstructured<'_>) -> Result<()> {
    let (message, tag) = (short(input, 200)?, short(input, 254)?);
    // blst takes no empty tag; neither does RFC 9380.
    let tag = if tag.is_empty() { vec![1] } else { tag };
    let mut one = [0; 32];
    one[31] = 1;
    let Ok(key) = min_pk::SecretKey::from_bytes(&one) else { panic!("one is a key") };
    let expected = key.sign(&message, &tag, &[]).to_bytes();
    let [found] = hash_to_g2(&[&message], &tag)[..] else { panic!("one message, one point") };
    assert_eq!(g2_encoding::compress(&found), expected);
    Ok(())
}
