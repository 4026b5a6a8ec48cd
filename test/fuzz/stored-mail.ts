// Mail that inbound stored: waited for until a parser has read it, then read over REST as its owner does.

import { toId } from '../../core/base/ids.ts';
import { waitUntil } from '../harness/wait.ts';
import { judgeRest, parse } from './ask.ts';
import type { FuzzWorld } from './world.ts';

const READ_LIMIT_MS = 60_000; // a parser that is killed takes its neighbours along, which are read again

/** Waits until a raw was read; what is wrong when that takes too long, else null. */
export async function untilRead({ stack }: FuzzWorld, rawId: string): Promise<string | null> {
  const isRead = async () => {
    const { rows } = await stack.context.db.pool.query<{ done: boolean }>(
      'select work_due_at is null as done from inbound_raws where id = $1',
      [rawId],
    );
    return rows[0]?.done ?? true; // deleted with its domain
  };
  try {
    await waitUntil(isRead, { limitMs: READ_LIMIT_MS });
    return null;
  } catch {
    return `accepted mail was not read in ${READ_LIMIT_MS / 1000} s`;
  }
}

/** Reads the messages of a raw over REST: what is wrong, or null. */
export async function readInbound(world: FuzzWorld, rawId: string): Promise<string | null> {
  const { rows } = await world.stack.context.db.pool.query<{ id: string }>(
    'select id from inbound_messages where raw_id = $1',
    [rawId],
  );
  for (const { id } of rows) {
    const inm = toId('inm', id);
    world.things.set('inm', inm);
    for (const below of ['', '/raw', '/attachments/0']) {
      const path = `/api/v1/mail/messages/${inm}${below}`;
      const came = await world.ask('key', { method: 'GET', path, headers: {} });
      const wrong = judgeRest(came);
      if (wrong !== null) return `GET ${path}: ${wrong}`;
      if (below === '' && typeof came !== 'string' && came.status === 200) {
        const { data } = parse(came.text) as { data: { parse_error: string | null } };
        if (/tried too often|crash/.test(data.parse_error ?? '')) return `a parser died: ${data.parse_error}`;
      }
    }
  }
  return null;
}
