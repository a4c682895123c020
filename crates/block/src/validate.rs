//! Whether bytes are the encoding of a value, byte for byte: nothing missing, nothing left over, and no second encoding of it.

use crate::error::{Fault, SszError};
use crate::parts;
use crate::schema::Schema;

/// Whether `bytes` encode a value of the type; limits of lists included.
///
/// # Errors
/// [`SszError`] names the first part that does not.
pub fn validate(schema: &Schema, bytes: &[u8]) -> Result<(), SszError> {
    match schema {
        Schema::Uint(size) | Schema::Bytes(size) => require(bytes.len() == *size, Fault::Length),
        Schema::Boolean => match bytes {
            [0 | 1] => Ok(()),
            [_] => Err(Fault::Boolean.into()),
            _ => Err(Fault::Length.into()),
        },
        Schema::BitVector(bits) => {
            require(bytes.len() == bits.div_ceil(8), Fault::Length)?;
            let used = bits % 8;
            let padding = bytes.last().filter(|_| used != 0).map_or(0, |last| last >> used);
            require(padding == 0, Fault::Bits)
        }
        Schema::BitList(limit) | Schema::ProgressiveBitList(limit) => {
            require(bit_length(bytes)? <= *limit, Fault::Limit)
        }
        Schema::ByteList(limit) => require(bytes.len() <= *limit, Fault::Limit),
        Schema::Vector(element, length) => {
            require(element.fixed_size().is_some_and(|size| bytes.len() == size * length), Fault::Length)?;
            validate_elements(element, *length, bytes)
        }
        Schema::List(element, limit)
        | Schema::BoundedList(element, _, limit)
        | Schema::ProgressiveList(element, limit) => validate_elements(element, *limit, bytes),
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => {
            for (field, part) in fields.iter().zip(parts::fields(fields, bytes)?) {
                validate(field.schema, part).map_err(|error| error.in_field(field.name))?;
            }
            Ok(())
        }
    }
}

fn validate_elements(element: &Schema, limit: usize, bytes: &[u8]) -> Result<(), SszError> {
    for (at, part) in parts::elements(element, limit, bytes)?.into_iter().enumerate() {
        validate(element, part).map_err(|error| error.in_element(at))?;
    }
    Ok(())
}

/// How many bits a bit list has: the highest one in its last byte ends it.
pub(crate) fn bit_length(bytes: &[u8]) -> Result<usize, Fault> {
    let last = *bytes.last().ok_or(Fault::Length)?;
    let end = last.checked_ilog2().ok_or(Fault::Bits)?;
    Ok(8 * (bytes.len() - 1) + end as usize)
}

fn require(holds: bool, otherwise: Fault) -> Result<(), SszError> {
    if holds {
        Ok(())
    } else {
        Err(otherwise.into())
    }
}
