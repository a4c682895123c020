// What can be wrong with a script, one thing at a time: a condition that always holds or never, an operand left out, a comparison with its
// opposite or off by one, an operator with its opposite, another constant, a call or a throw that is left out.
import ts from 'typescript'

const { SyntaxKind: Kind } = ts

/** Each operator with those that are put in its place. */
const INSTEAD = new Map([
  [Kind.EqualsEqualsEqualsToken, ['!==']],
  [Kind.ExclamationEqualsEqualsToken, ['===']],
  [Kind.LessThanToken, ['<=', '>=']],
  [Kind.LessThanEqualsToken, ['<', '>']],
  [Kind.GreaterThanToken, ['>=', '<=']],
  [Kind.GreaterThanEqualsToken, ['>', '<']],
  [Kind.PlusToken, ['-']],
  [Kind.MinusToken, ['+']],
  [Kind.AsteriskToken, ['/']],
  [Kind.SlashToken, ['*']],
  [Kind.PercentToken, ['*']],
  [Kind.LessThanLessThanToken, ['>>']],
  [Kind.GreaterThanGreaterThanToken, ['<<']],
  [Kind.AmpersandToken, ['|']],
  [Kind.BarToken, ['&']],
  [Kind.PlusEqualsToken, ['-=']],
  [Kind.MinusEqualsToken, ['+=']],
])

const OPERANDS = new Set([Kind.AmpersandAmpersandToken, Kind.BarBarToken, Kind.QuestionQuestionToken])

/** Methods with their opposites. */
const OPPOSITE = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
])

/**
 * The mutants of a script, each with the places from and to which it differs, what is put there, and what it does in words; and, for `questions.mjs`, the
 * expression, statement, spread or access to a method (`form`) that is another then, from and to which places. None is of what an error says, or of what
 * is imported.
 */
export function mutationsOf(text) {
  const source = ts.createSourceFile('script.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS)
  const mutants = []
  const put = (node, by, { what, form = 'expression', around = node } = {}) => {
    const [from, to] = [node.getStart(source), node.end]
    const whole = {
      form,
      from: form === 'method' ? around.expression.end : around.getStart(source),
      to: around.end,
    }
    mutants.push({ from, to, by, whole, what: what ?? `${shorten(text.slice(from, to))} → ${shorten(by)}` })
  }

  function visit(node) {
    // What is imported, and what an error says.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText(source))) return
    mutate(node)
    ts.forEachChild(node, visit)
  }

  function mutate(node) {
    if (isCondition(node)) {
      // A loop that never ends shows nothing.
      if (!ts.isIterationStatement(node.parent, false)) put(node, 'true')
      put(node, 'false')
    }
    if (ts.isBinaryExpression(node)) binary(node)
    else if (ts.isPrefixUnaryExpression(node)) {
      if (node.operator === Kind.ExclamationToken && !isCondition(node))
        put(node, node.operand.getText(source))
    } else if (node.kind === Kind.TrueKeyword) put(node, 'false')
    else if (node.kind === Kind.FalseKeyword) put(node, 'true')
    else if (ts.isNumericLiteral(node)) put(node, `(${node.getText(source)} + 1)`)
    else if (ts.isBigIntLiteral(node)) put(node, `(${node.getText(source)} + 1n)`)
    else if (ts.isStringLiteral(node)) {
      if (isAnswer(node)) put(node, "'mutant'")
    } else if (ts.isSpreadAssignment(node)) put(node, '...{}', { form: 'spread' })
    else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const opposite = OPPOSITE.get(node.name.text)
      if (opposite !== undefined && node.parent.expression === node)
        put(node.name, opposite, { form: 'method', around: node })
    } else if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)) {
      // All that a condition leads to is left out where the condition never holds.
      if (!ts.isIfStatement(alone(node).parent)) put(node, ';', { form: 'statement' })
    } else if (ts.isExpressionStatement(node)) {
      const { expression } = node
      const isSuper = ts.isCallExpression(expression) && expression.expression.kind === Kind.SuperKeyword
      if (!isSuper && !ts.isStringLiteral(expression) && !ts.isIfStatement(alone(node).parent))
        put(node, ';', { form: 'statement' })
    }
  }

  function binary(node) {
    const operator = node.operatorToken
    if (OPERANDS.has(operator.kind)) {
      // One operand of a condition's, left out; the condition as a whole is seen to elsewhere.
      put(node, `(${node.left.getText(source)})`)
      put(node, `(${node.right.getText(source)})`)
    }
    for (const by of INSTEAD.get(operator.kind) ?? []) {
      // The opposite of a condition fails wherever both constants do.
      const isOpposite = /[=!]==/.test(by) || by === OPPOSITES.get(operator.kind)
      if (!(isOpposite && isCondition(node)))
        put(operator, by, {
          what: `${shorten(node.getText(source))}: ${operator.getText(source)} → ${by}`,
          around: node,
        })
    }
  }

  visit(source)
  return mutants
}

const OPPOSITES = new Map([
  [Kind.LessThanToken, '>='],
  [Kind.LessThanEqualsToken, '>'],
  [Kind.GreaterThanToken, '<='],
  [Kind.GreaterThanEqualsToken, '<'],
])

/** A statement, or the block around it in which it is the only one. */
function alone(node) {
  return ts.isBlock(node.parent) && node.parent.statements.length === 1 ? node.parent : node
}

/** Whether an expression decides which way a program goes. */
function isCondition(node) {
  const { parent } = node
  if (parent === undefined) return false
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node
  if (ts.isForStatement(parent) || ts.isConditionalExpression(parent)) return parent.condition === node
  return false
}

/** Whether a string is a value that is handed on, and not a key, or what another is compared with. */
function isAnswer(node) {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isConditionalExpression(parent)) return parent.condition !== node
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent) || ts.isArrayLiteralExpression(parent)
}

const shorten = (text) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 67)}…` : line
}
