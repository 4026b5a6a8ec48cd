// A small run in which every promise is kept, and its audit with what a test adds to it.

import { audit } from '../../../../prove/audit/audit.ts';
import type { Finding, Rule } from '../../../../prove/audit/finding.ts';
import type { Entry } from '../../../../prove/journal.ts';
import { ask, at, event, head, inOrder, listed, transact } from './world.ts';

/** One fact, or several that belong together. */
export type Part = Entry | Entry[];

/** The load is over, and the end is read from here. */
export const READ = at(100_000, { kind: 'phase', phase: 'read', settled: true });
/** The run is over. */
export const END = at(110_000, { kind: 'phase', phase: 'end', settled: null });

/** One message: asked for, delivered, followed, listed. */
export function sent(recipient: string, t = 1_000): Part[] {
  return [
    ask(t, recipient),
    transact(t + 100, recipient),
    event(t + 200, recipient, 'delivered'),
    listed(100_002, recipient),
  ];
}

/** The receiver asks to come again, and the event says so. */
export function later(recipient: string, t: number, more: { messageId?: string } = {}): Part[] {
  return [transact(t, recipient, { reply: '451 later', ...more }), event(t + 20, recipient, 'deferred')];
}

/** What the auditor finds in a run with these facts. */
export function findings(...parts: Part[]): Finding[] {
  return audit(inOrder([head(), READ, END, ...parts]));
}

/** The rules that find something. */
export function rulesOf(...parts: Part[]): Rule[] {
  return [...new Set(findings(...parts).map(({ rule }) => rule))];
}
