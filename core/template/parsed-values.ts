// The expressions of a parsed template, wherever the library keeps them.

import { TypeGuards, toValueSync, Value, type Arguments, type Template, type Token } from 'liquidjs';

import { numberLiteral } from './liquid-number.ts';

/** A filter as it is called: its arguments are tokens, those with a name are pairs. */
export interface FilterCall {
  name: string;
  args: readonly (Token | [name?: string, value?: Token])[];
  token: Token;
}

/** One expression: its operands and operators in postfix order, then its filters. */
export interface Expressed {
  postfix: readonly Token[];
  filters: readonly FilterCall[];
}

/** Every tag and output of a template, those inside of others too. */
export function* elementsOf(parsed: readonly Template[]): Generator<Template> {
  const waiting = [...parsed].reverse();
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    if (!element.children) continue;
    const children = toValueSync(element.children(false, true));
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
  }
}

/** The expressions that an element itself holds. */
export function expressionsOf(element: Template): Expressed[] {
  return [...(element.arguments?.() ?? [])].map(expressionOf);
}

/** Makes the numbers with a point in a template floats; the library reads 7.0 as 7. */
export function markLiterals(parsed: readonly Template[]): void {
  for (const element of elementsOf(parsed)) {
    for (const { postfix, filters } of expressionsOf(element)) {
      for (const token of postfix) mark(token);
      for (const { args } of filters) for (const arg of args) mark(Array.isArray(arg) ? arg[1] : arg);
    }
  }
}

function mark(token: Token | undefined): void {
  if (TypeGuards.isNumberToken(token)) Object.assign(token, { content: numberLiteral(token.getText()) });
}

function expressionOf(argument: Arguments extends Iterable<infer One> ? One : never): Expressed {
  if (argument instanceof Value) {
    // The library's own last filter, which escapes, was not written by the author and has no place in the source.
    const written = argument.filters.filter((filter) => filter['token'].input !== '');
    const filters = written.map((filter) => ({
      name: filter.name,
      args: filter.args,
      token: filter['token'],
    }));
    return { postfix: argument.initial.postfix, filters };
  }
  if (TypeGuards.isFilteredValueToken(argument)) {
    const filters = argument.filters.map((token) => ({ name: token.name, args: token.args, token }));
    return { postfix: argument.initial.postfix, filters };
  }
  return { postfix: [argument], filters: [] };
}
