// What a document may ask for. It is measured before any rule of validation sees it, because those rules and the
// execution cost what the fragments unfold to: 200 of them, each spreading the next one twice, unfold to 2^200
// fields. Guarantee: measuring stops after MAX_SELECTIONS selections, whatever the document says.
// What pages and rows may cost is limited in builder.ts.

import {
  GraphQLError,
  Kind,
  Lexer,
  parse,
  Source,
  TokenKind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Characters of a document; long values belong into variables. */
export const MAX_DOCUMENT_LENGTH = 100_000;

/** Lines of a document: each place of an error is found by counting them (900,000 lines: 0.1 s). */
export const MAX_LINES = 2_000;

/** Tokens of a document; the standard introspection query has about 250. */
export const MAX_TOKENS = 2_000;

/** Brackets within each other: the parser and the rules go into each by recursion, and have stack for about 1,000. */
export const MAX_NESTING = 200;

/** Errors that one answer names. */
export const MAX_ERRORS = 10;

/** Fields and fragments with every spread unfolded; what MAX_TOKENS can spell out without fragments. */
export const MAX_SELECTIONS = 2_000;

/** Levels of fields; the contract's number. */
const MAX_DEPTH = 10;

/** Levels below __schema and __type: those of the standard introspection query. */
export const MAX_INTROSPECTION_DEPTH = 15;

/** The same field at one place: validation compares every two of them and all that is below (490: 0.4 s). */
const MAX_REPEATS = 20;

/** Aliases and directives of one operation with every spread unfolded; __typename is not counted. */
const MAX_ALIASES = 15;
const MAX_DIRECTIVES = 20;

/** Parses a document within its length and its numbers of lines and tokens. */
export function parseBounded(source: string): DocumentNode {
  const lines = source.length > MAX_DOCUMENT_LENGTH ? 0 : source.split(/\r\n|[\n\r]/).length;
  if (lines === 0 || lines > MAX_LINES) {
    const most = `${MAX_DOCUMENT_LENGTH} characters and ${MAX_LINES} lines`;
    throw new GraphQLError(`A document has at most ${most}; put long values into variables.`);
  }
  checkNesting(source);
  return parse(source, { maxTokens: MAX_TOKENS });
}

function checkNesting(source: string): void {
  const lexer = new Lexer(new Source(source));
  let nesting = 0;
  for (let tokens = 0; tokens <= MAX_TOKENS; tokens++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    nesting += CHANGE[kind] ?? 0;
    if (nesting > MAX_NESTING)
      throw new GraphQLError(`A document is nested ${MAX_NESTING} levels deep at most.`);
  }
}

const CHANGE: Partial<Record<TokenKind, number>> = {
  [TokenKind.BRACE_L]: 1,
  [TokenKind.BRACKET_L]: 1,
  [TokenKind.PAREN_L]: 1,
  [TokenKind.BRACE_R]: -1,
  [TokenKind.BRACKET_R]: -1,
  [TokenKind.PAREN_R]: -1,
};

/** What is too much in a document, or null; `selections` is what it cost to find out. */
export interface Measured {
  problem: string | null;
  selections: number;
}

interface Walk extends Measured {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  reached: Set<FragmentDefinitionNode>;
  inside: Set<string>; // the spreads that lead to where the walk is
  aliases: number;
  directives: number;
}

/** A place in the answer: how often it is asked for, and the places below it. */
interface Place {
  asked: number;
  below: Map<string, Place>;
}

/** Walks what each operation unfolds to; fragments that none spreads too, since validation looks at them as well. */
export function measureDocument({ definitions }: DocumentNode): Measured {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const walk: Walk = {
    fragments: new Map(fragments.map((node) => [node.name.value, node])),
    reached: new Set(),
    inside: new Set(),
    problem: null,
    selections: 0,
    aliases: 0,
    directives: 0,
  };
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION) measureRoot(walk, node);
  }
  for (const node of fragments) {
    if (!walk.reached.has(node)) measureRoot(walk, node);
  }
  return walk;
}

function measureRoot(
  walk: Walk,
  { selectionSet, directives = [] }: Pick<FieldNode, 'directives'> & { selectionSet: SelectionSetNode },
): void {
  if (walk.problem !== null) return;
  walk.aliases = 0;
  walk.directives = directives.length;
  measure(walk, selectionSet, { asked: 1, below: new Map() }, 1, MAX_DEPTH);
}

function measure(walk: Walk, set: SelectionSetNode, at: Place, depth: number, maxDepth: number): void {
  for (const node of set.selections) {
    walk.selections++;
    walk.directives += node.directives?.length ?? 0;
    if (node.kind === Kind.FIELD) measureField(walk, node, at, depth, maxDepth);
    else measureFragment(walk, node, at, depth, maxDepth);
    walk.problem ??= tooMuch(walk);
    if (walk.problem !== null) return;
  }
}

function measureField(walk: Walk, node: FieldNode, at: Place, depth: number, maxDepth: number): void {
  const name = node.name.value;
  const shown = node.alias?.value ?? name;
  if (node.alias && shown !== '__typename' && name !== '__typename') walk.aliases++;
  const place = at.below.get(shown) ?? { asked: 0, below: new Map<string, Place>() };
  at.below.set(shown, place);
  place.asked++;
  const isIntrospection = depth === 1 && (name === '__schema' || name === '__type');
  const limit = isIntrospection ? MAX_INTROSPECTION_DEPTH : maxDepth;
  if (depth > limit) walk.problem = `The request is more than ${limit} levels deep.`;
  else if (place.asked > MAX_REPEATS) {
    walk.problem = `The request has "${shown}" more than ${MAX_REPEATS} times at one place.`;
  } else if (node.selectionSet) measure(walk, node.selectionSet, place, depth + 1, limit);
}

function measureFragment(
  walk: Walk,
  node: Exclude<SelectionNode, FieldNode>,
  at: Place,
  depth: number,
  maxDepth: number,
): void {
  if (node.kind === Kind.INLINE_FRAGMENT) return measure(walk, node.selectionSet, at, depth, maxDepth);
  const name = node.name.value;
  const fragment = walk.fragments.get(name);
  if (!fragment || walk.inside.has(name)) return; // unknown or a cycle: graphql's own rules refuse it
  walk.reached.add(fragment);
  walk.directives += fragment.directives?.length ?? 0;
  walk.inside.add(name);
  measure(walk, fragment.selectionSet, at, depth, maxDepth);
  walk.inside.delete(name);
}

function tooMuch({ selections, aliases, directives }: Walk): string | null {
  if (selections > MAX_SELECTIONS) {
    return `The request selects more than ${MAX_SELECTIONS} fields with its fragments unfolded.`;
  }
  if (aliases > MAX_ALIASES) return `The request has more than ${MAX_ALIASES} aliases.`;
  if (directives > MAX_DIRECTIVES) return `The request has more than ${MAX_DIRECTIVES} directives.`;
  return null;
}
