// Every statement that writes to messages or events stands in core/message, and those about messages are in the table of
// moves; other lists of states say the same as the table.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import * as schema from '../../../core/db/schema/message.ts';
import { events } from '../../../core/db/schema/event.ts';
import type { EventType } from '../../../core/message/event-store.ts';
import { DEFER_REASONS, MESSAGE_STATES, MOVES } from '../../../core/message/states.ts';
import { MESSAGE_STATES as DASHBOARD_STATES } from '../../../dashboard/src/pages/messages/waiting-words.ts';

const WRITES = /\b(?:update|insert into|delete from|merge into)\s+(?:only\s+)?(messages|events)\b/gi;

test('only stores of core/message write to messages and events', () => {
  const elsewhere = sources()
    .filter((file) => !/^core\/message\/[a-z-]+-store\.ts$/.test(file))
    .filter((file) => read(file).match(WRITES));
  expect(elsewhere).toEqual([]);
});

test('every statement that writes to messages is in the table, once', () => {
  const stores = sources().filter((file) => file.startsWith('core/message/'));
  const declared = MOVES.map((move) => move.statement as string);
  expect(new Set(declared).size).toBe(declared.length);
  for (const file of stores) {
    const text = read(file);
    const writes = countWrites(text);
    const named = MOVES.filter((move) => text.includes(`name: '${move.statement}'`));
    expect(named.length, `statements of ${file} that are in the table`).toBe(writes);
    for (const { name } of named) expect(text).toContain(`export async function ${name}(`);
  }
  const all = stores.map(read).join('');
  for (const statement of declared) expect(all.split(`name: '${statement}'`)).toHaveLength(2);
});

test('the schema and the dashboard list the same states and reasons', () => {
  expect(schema.messages.state.enumValues).toEqual([...MESSAGE_STATES]);
  expect(schema.messages.deferReason.enumValues).toEqual([...DEFER_REASONS]);
  expect([...DASHBOARD_STATES]).toEqual([...MESSAGE_STATES]);
  const types: EventType[] = events.type.enumValues;
  expect(types).toContain('delivered' satisfies (typeof events.type.enumValues)[number]);
});

// A write in a function that gives a part of a statement counts once for each statement that has it.
function countWrites(text: string): number {
  const count = (sql: string) => [...sql.matchAll(WRITES)].filter((match) => match[1] === 'messages').length;
  const parts = [...text.matchAll(/^function (\w+)\([^)]*\): string \{$([^]*?)^\}$/gm)];
  const again = parts.map(([, name, body]) => count(body!) * (text.split(`\${${name}(`).length - 2));
  return again.reduce((sum, more) => sum + more, count(text));
}

function sources(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (file) => /^(api|cli|core|inbound|scheduler|sender)\//.test(file) && !file.startsWith('core/gen/'),
    );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // deleted, and not committed yet
  }
}
