//! A schema as JSON: whoever makes SSZ of the Beacon API's JSON reads types and limits here, so that there is one copy of them.
//!
//! A type is a list of its name and its parameters: `["uint",8]`, `["list",<element>,16]`,
//! `["container",[["slot",<type>],…]]`. Progressive types are written like the others, with the bounds of ours: their
//! encoding is the same. A list that has a limit is written with that, since its root is made of it, whatever our bound is.

use crate::schema::{Field, Schema};

/// The schema as JSON.
pub fn describe(schema: &Schema) -> String {
    let mut out = String::new();
    write(schema, &mut out);
    out
}

fn write(schema: &Schema, out: &mut String) {
    match schema {
        Schema::Uint(size) => number("uint", *size, out),
        Schema::Boolean => out.push_str("[\"boolean\"]"),
        Schema::Bytes(length) => number("bytes", *length, out),
        Schema::BitVector(bits) => number("bit-vector", *bits, out),
        Schema::BitList(limit) | Schema::ProgressiveBitList(limit) => number("bit-list", *limit, out),
        Schema::ByteList(limit) => number("byte-list", *limit, out),
        Schema::Vector(element, length) => elements("vector", element, *length, out),
        Schema::List(element, limit)
        | Schema::BoundedList(element, limit, _)
        | Schema::ProgressiveList(element, limit) => elements("list", element, *limit, out),
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => container(fields, out),
    }
}

fn number(name: &str, value: usize, out: &mut String) {
    out.push_str("[\"");
    out.push_str(name);
    out.push_str("\",");
    out.push_str(&value.to_string());
    out.push(']');
}

fn elements(name: &str, element: &Schema, value: usize, out: &mut String) {
    out.push_str("[\"");
    out.push_str(name);
    out.push_str("\",");
    write(element, out);
    out.push(',');
    out.push_str(&value.to_string());
    out.push(']');
}

fn container(fields: &[Field], out: &mut String) {
    out.push_str("[\"container\",[");
    for (at, field) in fields.iter().enumerate() {
        out.push_str(if at == 0 { "[\"" } else { ",[\"" });
        out.push_str(field.name);
        out.push_str("\",");
        write(field.schema, out);
        out.push(']');
    }
    out.push_str("]]");
}
