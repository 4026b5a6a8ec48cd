// Content that a bulk request has once, with {{ names }} that stand for values of each recipient's TemplateModel. Stored
// templates are Liquid and rendered elsewhere; this is Mustachio's plain form, and anything else of it is refused.

import { escapeHtml } from '../../plain-page.ts';

const PLACE = /\{\{(\{?)([^{}]{1,200})\}\}\}?/g;
const NAME = /^[\w$-]+(?:\.[\w$-]+)*$/;

// Characters of a result: more than a message may have.
const MAX_RESULT_CHARS = 5 * 1024 * 1024;

/** The text with its values; null where it has something else than names, or becomes larger than 5 MiB. */
export function fillModel(text: string, model: Record<string, unknown>, isHtml: boolean): string | null {
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  for (const { 0: place, 1: brace, 2: inside = '', index } of text.matchAll(PLACE)) {
    const name = inside.trim();
    if (name.startsWith('pm:')) continue; // their links: read-email.ts
    const raw = brace === '{' || name.startsWith('&');
    const path = name.replace(/^& */, '');
    if (!NAME.test(path)) return null;
    const value = valueOf(model, path.split('.'));
    const part = text.slice(from, index) + (isHtml && !raw ? escapeHtml(value) : value);
    parts.push(part);
    length += part.length;
    if (length > MAX_RESULT_CHARS) return null;
    from = index + place.length;
  }
  return parts.join('') + text.slice(from);
}

function valueOf(model: unknown, path: string[]): string {
  let value = model;
  for (const name of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
