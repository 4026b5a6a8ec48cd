// What a value looks like in a mail.

import { filters, toValue } from 'liquidjs';

import { LiquidNumber } from './liquid-number.ts';

/** Counts characters, and throws when a template makes too many of them. */
export interface MemoryLimit {
  use(characters: number): void;
}

// The library's own, which counts while it writes: a value that holds itself many times over ends in time.
const toJson = filters['json'] as (this: { context: { memoryLimit: MemoryLimit } }, value: unknown) => string;

/** Lists one item after the other, objects as JSON (Ruby prints its own notation), nothing for null. */
export function printValue(value: unknown, memory: MemoryLimit): string {
  const plain: unknown = toValue(value);
  if (typeof plain === 'string') return plain;
  if (plain === null || plain === undefined) return '';
  if (Array.isArray(plain)) return printItems(plain, memory).join('');
  if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
  if (plain instanceof LiquidNumber) return plain.toString();
  return toJson.call({ context: { memoryLimit: memory } }, plain);
}

/** Each item as it is printed; lists in the list are unfolded. */
export function printItems(list: readonly unknown[], memory: MemoryLimit): string[] {
  const items: string[] = [];
  for (const item of list) {
    memory.use(1);
    const printed = Array.isArray(item) ? printItems(item, memory) : [printValue(item, memory)];
    for (const one of printed) {
      memory.use(one.length);
      items.push(one);
    }
  }
  return items;
}
