// Finds every regular expression in a file: literals, and patterns that `RegExp` and `match` compile from a string.

import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A regular expression, or a place that makes one out of a text known only when it runs. */
export type Found =
  | { line: number; pattern: string; flags: string }
  | { line: number; /** The expression as written. */ made: string };

/** A node of the syntax tree (ESTree), as far as it is read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

// Parsing takes most of the time. A literal begins with a slash that neither begins nor ends a comment.
const MAY_HAVE = /(?<!\*)\/(?![/*])|RegExp|\.(?:match|matchAll|search)\(/;
const IN_CAPITALS = /^[A-Z][A-Z0-9_]*$/; // as constants are named
const FROM_TEXT = new Set(['match', 'matchAll', 'search']); // of String: they make a RegExp of a text

/**
 * Finds them in a file of JavaScript or TypeScript. `read` gives the code of a file that it imports: constants may be there. Throws if
 * the file cannot be parsed.
 */
export function findPatterns(file: string, code: string, read?: (file: string) => string): Found[] {
  if (!MAY_HAVE.test(code)) return [];
  const nodes = parse(file, code);
  const constants = constantsOf(nodes);
  if (read) addImported(constants, nodes, file, read);
  const starts = lineStarts(code);
  return nodes.flatMap((node): Found[] => {
    const line = lineAt(starts, node.start);
    if (isPattern(node)) return [{ line, ...node.regex }];
    if (isCallOf(node, 'RegExp')) return made(node, line);
    if (node.type !== 'CallExpression') return [];
    const name = methodOf(node.callee as Node);
    const text = FROM_TEXT.has(name) ? literal((node.arguments as Node[])[0]) : undefined;
    return text === undefined ? [] : [{ line, pattern: text, flags: name === 'matchAll' ? 'g' : '' }];
  });

  function made(node: Node, line: number): Found[] {
    const [source, flags] = node.arguments as Node[];
    const pattern = source && valueOf(source, constants);
    const flagText = flags ? literal(flags) : '';
    if (typeof pattern === 'string') return [{ line, pattern, flags: flagText ?? '' }];
    if (source && isPattern(source)) return []; // the literal itself is found
    return [{ line, made: code.slice(node.start, node.end).replaceAll(/\s+/g, ' ') }];
  }
}

// The value of an expression of literals and constants; undefined if it is known only when it runs.
function valueOf(node: Node, constants: Map<string, Node>, depth = 0): string | undefined {
  const DEEPEST = 20;
  if (depth > DEEPEST) return undefined;
  const of = (other: unknown) => valueOf(other as Node, constants, depth + 1);
  const all = (others: Node[]) => {
    const values = others.map(of);
    return values.some((value) => value === undefined) ? undefined : (values as string[]);
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' ? String(node.value) : literal(node);
    case 'Identifier': {
      const value = constants.get(node.name as string);
      return value && of(value);
    }
    case 'BinaryExpression': {
      const sides = node.operator === '+' ? all([node.left as Node, node.right as Node]) : undefined;
      const isSum =
        typeof (node.right as Node).value === 'number' && sides?.every((side) => /^\d+$/.test(side));
      return isSum ? String(Number(sides![0]) + Number(sides![1])) : sides?.join('');
    }
    case 'TemplateLiteral': {
      const values = all(node.expressions as Node[]);
      const texts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      return values && texts.map((text, at) => text + (values[at] ?? '')).join('');
    }
    case 'TaggedTemplateExpression': {
      const quasi = node.quasi as { quasis: { value: { raw: string } }[]; expressions: Node[] };
      if (methodOf(node.tag as Node) !== 'raw') return undefined;
      const values = all(quasi.expressions);
      return values && quasi.quasis.map(({ value }, at) => value.raw + (values[at] ?? '')).join('');
    }
    case 'MemberExpression':
      return methodOf(node) === 'source' ? sourceOf(node.object as Node, constants) : undefined;
    case 'CallExpression': {
      const { callee } = node as unknown as { callee: Node };
      const list = callee.object as Node | undefined;
      if (methodOf(callee) !== 'join' || list?.type !== 'ArrayExpression') return undefined;
      const [between] = node.arguments as Node[];
      return all(list.elements as Node[])?.join(between ? literal(between) : ',');
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return of(node.expression);
    default:
      return undefined;
  }
}

function sourceOf(node: Node, constants: Map<string, Node>): string | undefined {
  if (isPattern(node)) return node.regex.pattern;
  const value = node.type === 'Identifier' ? constants.get(node.name as string) : undefined;
  if (value === undefined) return undefined;
  if (isPattern(value)) return value.regex.pattern;
  const [source] = isCallOf(value, 'RegExp') ? (value.arguments as Node[]) : [];
  return source && valueOf(source, constants);
}

// Variables that one place declares, with a value, and no other place of the file assigns.
function constantsOf(nodes: Node[]): Map<string, Node> {
  const found = new Map<string, Node>();
  const often = new Set<string>();
  for (const node of nodes) {
    const target = (node.type === 'VariableDeclarator' ? node.id : node.left) as Node | undefined;
    if (node.type !== 'VariableDeclarator' && node.type !== 'AssignmentExpression') continue;
    if (target?.type !== 'Identifier') continue;
    const name = target.name as string;
    if (found.has(name) || node.type === 'AssignmentExpression') often.add(name);
    else if (node.init) found.set(name, node.init as Node);
  }
  for (const name of often) found.delete(name);
  return found;
}

function parse(file: string, code: string): Node[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  return [...walk(program as unknown as Node)];
}

// Texts and numbers that files beside it export.
function addImported(
  constants: Map<string, Node>,
  nodes: Node[],
  file: string,
  read: (file: string) => string,
): void {
  for (const node of nodes) {
    if (node.type !== 'ImportDeclaration') continue;
    const from = (node.source as Node).value as string;
    const names = (node.specifiers as Node[]).filter((one) => one.type === 'ImportSpecifier');
    if (!from.startsWith('.') || !names.some(({ local }) => IN_CAPITALS.test((local as Node).name as string)))
      continue;
    const path = join(dirname(file), from);
    const theirs = constantsOf(parse(path, read(path)));
    for (const { local, imported } of names) {
      const node = theirs.get((imported as Node).name as string);
      const value = node && valueOf(node, theirs);
      if (value === undefined) continue;
      constants.set((local as Node).name as string, { type: 'Literal', start: 0, end: 0, value });
    }
  }
}

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function isPattern(node: Node): node is Node & { regex: { pattern: string; flags: string } } {
  return node.type === 'Literal' && 'regex' in node;
}

function isCallOf(node: Node, name: string): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const callee = node.callee as Node;
  return callee.type === 'Identifier' && callee.name === name;
}

function methodOf(node: Node): string {
  const property = node.type === 'MemberExpression' ? (node.property as Node) : undefined;
  return property?.type === 'Identifier' ? (property.name as string) : '';
}

function literal(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function lineStarts(code: string): number[] {
  const starts = [0];
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

// Counted from 1.
function lineAt(starts: number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
