//! The text of a kernel, as the compiler reads it, and what it computes in any domain: numbers, polynomials, or bits by their origin.

use crate::Failure;
use std::collections::BTreeMap;
use syn::{Expr, Item, Lit, Member, Pat, Stmt, UnOp};

/// Wrapping operations on 64 bits, of two operands each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    And,
    Or,
    Left,
    Right,
}

/// What a value is computed from.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(u64),
    /// A variable, or an element of an array with its place: `P[3]`.
    Name(String),
    Binary(Operator, Box<[Expression; 2]>),
}

/// `let (names) = (values);`
#[derive(Clone, Debug)]
struct Line {
    names: Vec<String>,
    values: Vec<Expression>,
}

/// One kernel, with what it takes from its file.
#[derive(Clone, Debug)]
pub struct Code {
    pub name: String,
    /// Constants, each element of an array by itself.
    constants: Vec<(String, Expression)>,
    /// The limbs of the words x.
    unpack: Vec<Expression>,
    /// The names of each factor's limbs.
    pub factors: Vec<Vec<String>>,
    lines: Vec<Line>,
    /// The words that are handed to `reduce_rarely`.
    result: Vec<Expression>,
}

/// Where a kernel can be computed.
pub trait Domain {
    type Value: Clone;
    fn number(&self, number: u64) -> Self::Value;
    fn operate(
        &mut self,
        operator: Operator,
        left: Self::Value,
        right: Self::Value,
    ) -> Result<Self::Value, Failure>;
}

/// Values by their names.
pub type Scope<V> = BTreeMap<String, V>;

impl Expression {
    pub fn evaluate<D: Domain>(&self, domain: &mut D, scope: &Scope<D::Value>) -> Result<D::Value, Failure> {
        match self {
            Self::Number(number) => Ok(domain.number(*number)),
            Self::Name(name) => scope.get(name).cloned().ok_or_else(|| format!("there is no {name}")),
            Self::Binary(operator, operands) => {
                let left = operands[0].evaluate(domain, scope)?;
                let right = operands[1].evaluate(domain, scope)?;
                domain.operate(*operator, left, right)
            }
        }
    }

    /// This and all that it is made of.
    fn visit(&mut self, f: &mut impl FnMut(&mut Self)) {
        f(self);
        if let Self::Binary(_, operands) = self {
            operands.iter_mut().for_each(|operand| operand.visit(f));
        }
    }
}

fn all<D: Domain>(
    expressions: &[Expression],
    domain: &mut D,
    scope: &Scope<D::Value>,
) -> Result<Vec<D::Value>, Failure> {
    expressions.iter().map(|expression| expression.evaluate(domain, scope)).collect()
}

impl Code {
    /// The limbs of a number in words.
    pub fn limbs<D: Domain>(&self, domain: &mut D, words: Vec<D::Value>) -> Result<Vec<D::Value>, Failure> {
        let mut scope = self.constants(domain)?;
        scope.extend(words.into_iter().enumerate().map(|(i, word)| (format!("x[{i}]"), word)));
        all(&self.unpack, domain, &scope)
    }

    /// All values, by their names, after the last line.
    pub fn run<D: Domain>(
        &self,
        domain: &mut D,
        factors: Vec<Vec<D::Value>>,
    ) -> Result<Scope<D::Value>, Failure> {
        let mut scope = self.constants(domain)?;
        for (names, limbs) in self.factors.iter().zip(factors) {
            assert_eq!(names.len(), limbs.len());
            scope.extend(names.iter().cloned().zip(limbs));
        }
        for line in &self.lines {
            let values = all(&line.values, domain, &scope)
                .map_err(|failure| format!("{}: {failure}", line.names.join(", ")))?;
            scope.extend(line.names.iter().cloned().zip(values));
        }
        Ok(scope)
    }

    /// The words of the result.
    pub fn words<D: Domain>(
        &self,
        domain: &mut D,
        scope: &Scope<D::Value>,
    ) -> Result<Vec<D::Value>, Failure> {
        all(&self.result, domain, scope)
    }

    fn constants<D: Domain>(&self, domain: &mut D) -> Result<Scope<D::Value>, Failure> {
        let value =
            |(name, value): &(String, Expression)| Ok((name.clone(), value.evaluate(domain, &Scope::new())?));
        self.constants.iter().map(value).collect()
    }

    /// Visits all expressions, and what those are made of.
    pub fn visit(&mut self, mut f: impl FnMut(&mut Expression)) {
        let constants = self.constants.iter_mut().map(|(_, value)| value);
        let lines = self.lines.iter_mut().flat_map(|line| &mut line.values);
        let all = constants.chain(&mut self.unpack).chain(lines).chain(&mut self.result);
        all.for_each(|expression| expression.visit(&mut f));
    }

    /// How many lines there are between the limbs and the result.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Leaves out a line.
    pub fn remove(&mut self, line: usize) {
        self.lines.remove(line);
    }
}

/// The kernels of a file.
///
/// # Panics
///
/// On anything but what the generator writes.
pub fn parse(text: &str) -> Vec<Code> {
    let (mut constants, mut unpack, mut kernels) = (vec![], vec![], vec![]);
    for item in syn::parse_file(text).unwrap().items {
        match item {
            // The number of words tells one field's `reduce_rarely` from the other's.
            Item::Use(_) => {}
            Item::Const(item) => match *item.expr {
                Expr::Array(array) => {
                    let named = |(i, digit)| (format!("{}[{i}]", item.ident), expression(digit));
                    constants.extend(array.elems.iter().enumerate().map(named));
                }
                value => constants.push((item.ident.to_string(), expression(&value))),
            },
            Item::Fn(function) if function.sig.ident == "unpack" => {
                let [Stmt::Expr(Expr::Array(limbs), None)] = function.block.stmts.as_slice() else {
                    panic!("unpack is not an array of limbs")
                };
                unpack = limbs.elems.iter().map(expression).collect();
            }
            Item::Fn(function) => {
                let mut code = Code {
                    name: function.sig.ident.to_string(),
                    constants: constants.clone(),
                    unpack: unpack.clone(),
                    factors: vec![],
                    lines: vec![],
                    result: vec![],
                };
                function.block.stmts.iter().for_each(|statement| code.add(statement));
                kernels.push(code);
            }
            _ => panic!("neither constant nor function"),
        }
    }
    kernels
}

impl Code {
    fn add(&mut self, statement: &Stmt) {
        assert!(self.result.is_empty(), "a line after the result");
        match statement {
            Stmt::Local(local) => {
                let value = &*local.init.as_ref().unwrap().expr;
                match (&local.pat, value) {
                    (Pat::Slice(limbs), Expr::Call(call)) => {
                        let factor = ["a", "b"][self.factors.len()];
                        assert!(path(&call.func) == "unpack" && path(&call.args[0]) == factor);
                        self.factors.push(limbs.elems.iter().map(name).collect());
                    }
                    (Pat::Tuple(names), Expr::Tuple(values)) => {
                        assert_eq!(names.elems.len(), values.elems.len());
                        let names = names.elems.iter().map(name).collect();
                        let values = values.elems.iter().map(expression).collect();
                        self.lines.push(Line { names, values });
                    }
                    (pattern, value) => {
                        self.lines.push(Line { names: vec![name(pattern)], values: vec![expression(value)] });
                    }
                }
            }
            Stmt::Expr(Expr::Assign(assignment), _) => {
                let (Expr::Unary(place), Expr::Call(call)) = (&*assignment.left, &*assignment.right) else {
                    panic!("not a call for the result")
                };
                assert!(matches!(place.op, UnOp::Deref(_)) && path(&place.expr) == "a");
                assert!(path(&call.func) == "reduce_rarely" && call.args.len() == 1);
                let Expr::Array(words) = &call.args[0] else { panic!("not the words of the result") };
                self.result = words.elems.iter().map(expression).collect();
            }
            _ => panic!("neither line nor result"),
        }
    }
}

/// The name that a line gives to a value.
fn name(pattern: &Pat) -> String {
    let Pat::Ident(name) = pattern else { panic!("not a name") };
    name.ident.to_string()
}

fn path(expression: &Expr) -> String {
    let Expr::Path(path) = expression else { panic!("not a name") };
    path.path.require_ident().unwrap().to_string()
}

fn number(expression: &Expr) -> u64 {
    let Expr::Lit(literal) = expression else { panic!("not a number") };
    let Lit::Int(number) = &literal.lit else { panic!("not an integer") };
    number.base10_parse().unwrap()
}

/// `Wrapping` and `.0` go without saying: operations of both kinds are the same here, since `unpack` has none that could overflow.
fn expression(of: &Expr) -> Expression {
    match of {
        Expr::Lit(_) => Expression::Number(number(of)),
        Expr::Path(_) => Expression::Name(path(of)),
        Expr::Index(element) => {
            Expression::Name(format!("{}[{}]", path(&element.expr), number(&element.index)))
        }
        Expr::Paren(inner) => expression(&inner.expr),
        Expr::Field(field) => {
            assert!(matches!(&field.member, Member::Unnamed(index) if index.index == 0));
            expression(&field.base)
        }
        Expr::Call(call) => {
            assert!(path(&call.func) == "Wrapping" && call.args.len() == 1);
            expression(&call.args[0])
        }
        Expr::Binary(binary) => {
            let operator = match binary.op {
                syn::BinOp::Add(_) => Operator::Plus,
                syn::BinOp::Sub(_) => Operator::Minus,
                syn::BinOp::Mul(_) => Operator::Times,
                syn::BinOp::BitAnd(_) => Operator::And,
                syn::BinOp::BitOr(_) => Operator::Or,
                syn::BinOp::Shl(_) => Operator::Left,
                syn::BinOp::Shr(_) => Operator::Right,
                _ => panic!("an operator that no kernel has"),
            };
            Expression::Binary(operator, Box::new([expression(&binary.left), expression(&binary.right)]))
        }
        _ => panic!("an expression that no kernel has"),
    }
}
