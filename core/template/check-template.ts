// What the library lets pass when it parses, although it cannot be meant: wrong arguments of filters and tags, words that
// nothing joins. Asked when a template is saved or previewed; one that is stored renders whatever this says.

import { ForTag, TablerowTag, Tokenizer, TypeGuards, type Template, type Token } from 'liquidjs';

import { toOneLine } from '../mail/unsafe-text.ts';
import { FILTERS, type ArgumentKind } from './filter-table.ts';
import { elementsOf, expressionsOf, type Expressed, type FilterCall } from './parsed-values.ts';

const MAX_PROBLEMS = 20; // of one part: who has more will ask again
const TAG_ARGUMENTS = {
  for: { limit: 'integer', offset: 'integer', reversed: 'flag' },
  tablerow: { limit: 'integer', offset: 'integer', cols: 'integer' },
} as const;
const KINDS: Readonly<Record<Exclude<ArgumentKind, 'any' | 'text'>, string>> = {
  number: 'a number',
  integer: 'a whole number',
  divisor: 'a number other than 0',
  list: 'a list',
};

/** A sentence for each problem, with line and column; `source` is what was parsed. */
export function checkTemplate(source: string, parsed: readonly Template[]): string[] {
  const problems: string[] = [];
  for (const problem of problemsOf(source, parsed)) {
    problems.push(problem);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

function* problemsOf(source: string, parsed: readonly Template[]): Generator<string> {
  for (const element of elementsOf(parsed)) {
    for (const expressed of expressionsOf(element)) yield* checkExpression(expressed);
    if (element instanceof ForTag) yield* checkTagArguments(element.token, 'for', element.hash.hash);
    if (element instanceof TablerowTag)
      yield* checkTagArguments(element.token, 'tablerow', element.args.hash);
  }
  yield* checkWords(source);
}

function* checkExpression({ postfix, filters }: Expressed): Generator<string> {
  let operands = 0;
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) operands++;
    else if (token.getText() === 'not') operands -= operands < 1 ? 2 : 0;
    else operands--;
    if (operands < 1) return yield at(token, `${token.getText()} needs a value on ${sidesOf(token)}`);
  }
  const last = postfix.at(-1);
  if (last && operands > 1)
    yield at(last, `unexpected ${quote(last)}: values are joined by a filter or an operator`);
  for (const call of filters) yield* checkFilter(call);
}

function sidesOf(operator: Token): string {
  return operator.getText() === 'not' ? 'its right' : 'both sides';
}

function* checkFilter({ name, args, token }: FilterCall): Generator<string> {
  const rule = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (!rule) return yield at(token, `undefined filter: ${name}`);
  const given = args.filter((arg) => !Array.isArray(arg));
  for (const arg of args) {
    if (!Array.isArray(arg) || rule.named?.includes(arg[0] ?? '')) continue;
    yield at(token, `${name} has no argument called ${arg[0]}`);
  }
  const { required, args: kinds } = rule;
  if (given.length < required || given.length > kinds.length)
    return yield at(token, `${name} takes ${countOf(required, kinds.length)}, got ${given.length}`);
  for (const [i, kind] of kinds.entries()) yield* checkLiteral(name, kind, given[i] as Token | undefined);
}

function countOf(least: number, most: number): string {
  if (most === 0) return 'no arguments';
  const many = least === most ? `${most}` : `${least} ${most - least === 1 ? 'or' : 'to'} ${most}`;
  return `${many} argument${most === 1 ? '' : 's'}`;
}

function* checkTagArguments(
  tag: Token,
  name: keyof typeof TAG_ARGUMENTS,
  given: Readonly<Record<string, Token | undefined>>,
): Generator<string> {
  const kinds: Readonly<Record<string, 'integer' | 'flag'>> = TAG_ARGUMENTS[name];
  for (const [key, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (!kind) yield at(tag, `${name} takes ${Object.keys(kinds).join(', ')}, not ${key}`);
    else if (kind === 'flag' && value) yield at(value, `${key} takes no value`);
    else if (kind === 'integer' && !value) yield at(tag, `${key} needs a whole number`);
    else if (kind === 'integer') yield* checkLiteral(key, kind, value);
  }
}

// Only what is written out can be checked; what a variable holds is known when a mail is rendered.
function* checkLiteral(name: string, kind: ArgumentKind, token: Token | undefined): Generator<string> {
  if (!token || kind === 'any' || kind === 'text' || fits(kind, token)) return;
  yield at(token, `${name} needs ${KINDS[kind]}, not ${quote(token)}`);
}

function fits(kind: Exclude<ArgumentKind, 'any' | 'text'>, token: Token): boolean {
  if (TypeGuards.isPropertyAccessToken(token)) return true;
  if (TypeGuards.isRangeToken(token)) return kind === 'list';
  const isWritten = TypeGuards.isNumberToken(token) || TypeGuards.isQuotedToken(token);
  if (!isWritten || kind === 'list') return false;
  const text = TypeGuards.isQuotedToken(token) ? token.content.trim() : token.getText();
  if (kind === 'integer') return /^[+-]?\d+$/.test(text);
  return /^[+-]?\d+(\.\d*)?$/.test(text) && (kind === 'number' || /[1-9]/.test(text));
}

// `when` and `else` are read by the tag around them, which skips what it does not understand.
function* checkWords(source: string): Generator<string> {
  let isComment = false;
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (!TypeGuards.isTagToken(token)) continue;
    if (token.name === 'comment' || token.name === 'endcomment') isComment = token.name === 'comment';
    if (isComment) continue;
    if (token.name === 'else' && token.args.trim() !== '') yield at(token, '{% else %} takes no arguments');
    if (token.name === 'when' && !isWhen(token.args))
      yield at(token, '{% when %} takes values that are joined by `or` or a comma');
  }
}

function isWhen(args: string): boolean {
  const tokenizer = new Tokenizer(args);
  for (;;) {
    if (!tokenizer.readValue()) return false;
    tokenizer.skipBlank();
    if (tokenizer.end()) return true;
    if (tokenizer.peek() === ',') tokenizer.advance();
    else if (tokenizer.readIdentifier().getText() !== 'or') return false;
  }
}

function quote(token: Token): string {
  const text = toOneLine(token.getText());
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function at(token: Token, message: string): string {
  const [line, column] = token.getPosition();
  return `line ${line}, column ${column}: ${message}`;
}
