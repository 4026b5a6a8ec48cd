// The filters of liquidjs with the values that they work on made into what Shopify's Liquid would see: numbers are
// calculated as there (liquid-number.ts), objects never arrive as `[object Object]`.

import { filters as libraryFilters, type Liquid } from 'liquidjs';

import { FILTERS, type ArgumentKind, type FilterRule } from './filter-table.ts';
import * as number from './liquid-number.ts';
import { LiquidNumber } from './liquid-number.ts';
import { printItems, printValue, type MemoryLimit } from './print-value.ts';
import { characterAt, countCharacters } from './text-context.ts';

type Handler = (
  this: { context: { memoryLimit: MemoryLimit } },
  value: unknown,
  ...args: unknown[]
) => unknown;

const OWN: Record<string, Handler> = {
  abs: number.abs,
  at_least: number.atLeast,
  at_most: number.atMost,
  ceil: number.ceil,
  floor: number.floor,
  round: number.round,
  plus: number.plus,
  minus: number.minus,
  times: number.times,
  // The library's third argument asks for an integer whatever the numbers are.
  divided_by(value, divisor, isInteger) {
    const quotient = number.dividedBy(value, divisor);
    return isInteger === true ? number.floor(quotient) : quotient;
  },
  modulo: number.modulo,
  sum: (value, property) =>
    entriesOf(value, property).reduce<unknown>((total, { key }) => number.plus(total, key), 0),
  compact: (value, property) =>
    entriesOf(value, property).flatMap(({ item, key }) => (key === null || key === undefined ? [] : [item])),
  uniq: (value, property) => {
    const first = new Map<unknown, unknown>();
    for (const { item, key } of entriesOf(value, property)) {
      const same = key instanceof LiquidNumber ? String(key) : key;
      if (!first.has(same)) first.set(same, item);
    }
    return [...first.values()];
  },
  // The library's puts its dots also where nothing was cut.
  truncatewords(value, count = 15, dots = '...') {
    const words = String(value).trim().split(/\s+/);
    const wanted = Math.max(Number(count) || 1, 1);
    return words.length <= wanted ? value : `${words.slice(0, wanted).join(' ')}${String(dots)}`;
  },
  // Texts by characters; the library takes UTF-16 units, halves of an emoji among them.
  first(value) {
    return typeof value === 'string' ? characterAt(value, 'first') : library('first').call(this, value);
  },
  last(value) {
    return typeof value === 'string' ? characterAt(value, 'last') : library('last').call(this, value);
  },
  size(value) {
    return typeof value === 'string' ? countCharacters(value) : library('size').call(this, value);
  },
  raw(value) {
    return printValue(value, this.context.memoryLimit);
  },
};

/** Puts the filters into an engine; the output of those in `raw` is not escaped. */
export function registerFilters(liquid: Liquid, raw: ReadonlySet<string>): void {
  for (const [name, rule] of Object.entries(FILTERS)) {
    const handler = OWN[name] ?? library(name);
    liquid.registerFilter(name, { raw: raw.has(name), handler: byRule(rule, handler) });
  }
}

function library(name: string): Handler {
  return libraryFilters[name] as Handler;
}

// Arguments that should not be there, or are not, are passed on as they are: a template that was stored before they were
// checked renders as it did.
function byRule({ input, args: kinds }: FilterRule, handler: Handler): Handler {
  return function (value, ...args) {
    const { memoryLimit } = this.context;
    const converted = args.map((arg, i) => convertArgument(kinds[i] ?? 'any', arg, memoryLimit));
    return handler.call(this, convertInput(input, value, memoryLimit), ...converted);
  };
}

function convertInput(kind: FilterRule['input'], value: unknown, memory: MemoryLimit): unknown {
  switch (kind) {
    case 'text':
      return printValue(value, memory);
    case 'texts':
      return Array.isArray(value) ? printItems(value, memory) : printValue(value, memory);
    case 'time':
      return value instanceof LiquidNumber ? Number(value) : value;
    case 'any':
      return value;
    default:
      return kind satisfies never;
  }
}

function convertArgument(kind: ArgumentKind, value: unknown, memory: MemoryLimit): unknown {
  switch (kind) {
    case 'text':
      return value === undefined ? value : printValue(value, memory);
    case 'integer':
      return value instanceof LiquidNumber || isIntegerText(value) ? Number(value) : value;
    case 'number':
    case 'divisor':
    case 'list':
    case 'any':
      return value;
    default:
      return kind satisfies never;
  }
}

function isIntegerText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value);
}

// The items of a list with what they are told apart or counted by: a property of theirs, or themselves.
function entriesOf(value: unknown, property: unknown): { item: unknown; key: unknown }[] {
  const list: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return list.map((item) => ({ item, key: property === undefined ? item : propertyOf(item, property) }));
}

function propertyOf(item: unknown, name: unknown): unknown {
  const isObject = typeof item === 'object' && item !== null;
  return isObject && Object.hasOwn(item, String(name)) ? Reflect.get(item, String(name)) : undefined;
}
