// Suppression lists of other services, imported over REST.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Loop } from '../../core/base/loop.ts';
import { startImportLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type Answer, type ApiWorld } from '../harness/api-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let loop: Loop;

beforeAll(async () => {
  world = await createApiWorld();
  const { config, db, log } = world.context;
  loop = startImportLoop({ config, db, log });
});
afterAll(async () => {
  await loop?.stop();
  await world?.close();
});

async function imported(csv: string, query = '') {
  const { key, tenantId } = await world.makeKey({ scopes: ['suppressions:read', 'suppressions:write'] });
  const headers = { 'content-type': 'text/csv' };
  const started = await world.call('POST', `/suppressions/import${query}`, { key, raw: csv, headers });
  expect(started.status, started.text).toBe(202);
  const path = `/suppressions/imports/${started.json.data.id}`;
  let answer: Answer = started;
  await waitUntil(async () => {
    answer = await world.call('GET', path, { key });
    return ['completed', 'failed'].includes(answer.json.data.status);
  });
  const { rows } = await world.context.db.pool.query(
    'select email, reason, stream, created_at from suppressions where tenant_id = $1 order by email',
    [tenantId],
  );
  return { key, path, done: answer.json.data, rows };
}

const at = (text: string) => new Date(text);
const NEW_YEAR = at('2021-01-01T00:00:00Z');
const bounce = { reason: 'bounce', stream: 'all', created_at: NEW_YEAR };
const unsubscribe = { reason: 'unsubscribe', stream: 'bulk', created_at: NEW_YEAR };

test.each([
  [
    'SendGrid, bounces',
    'status,reason,email,created\n5.1.1,"550 5.1.1 no such user",a@b.co,1609459200\n',
    '',
    bounce,
  ],
  ['SendGrid, unsubscribes', 'email,created\na@b.co,1609459200\n', '?reason=unsubscribe', unsubscribe],
  [
    'Postmark',
    'EmailAddress,SuppressionReason,Origin,CreatedAt\na@b.co,SpamComplaint,Recipient,2021-01-01T01:00:00+01:00\n',
    '',
    { reason: 'complaint', stream: 'all', created_at: NEW_YEAR },
  ],
  [
    'Mailgun, bounces',
    'address,code,error,created_at\na@b.co,550,No such mailbox,"Fri, 01 Jan 2021 00:00:00 UTC"\n',
    '',
    bounce,
  ],
  ['Mailchimp, cleaned', 'Email Address,First Name,CLEAN_TIME\na@b.co,Ann,2021-01-01 00:00:00\n', '', bounce],
  [
    'Mailchimp, unsubscribed, in German',
    'E-Mail-Adresse,Vorname,UNSUB_TIME\na@b.co,Ann,2021-01-01 00:00:00\n',
    '',
    unsubscribe,
  ],
  ['Brevo', 'Email;Blocked reason;Blocked date\na@b.co;Hard bounced;2021-01-01 00:00:00\n', '', bounce],
  [
    'listmonk',
    'uuid,email,name,attributes,status,created_at\nx,a@b.co,Ann,{},blocklisted,2021-01-01T00:00:00Z\n',
    '',
    { reason: 'manual', stream: 'all', created_at: NEW_YEAR },
  ],
  ['a stream of the request', 'email\na@b.co\n', '?stream=bulk', { reason: 'manual', stream: 'bulk' }],
])('%s', async (_, csv, query, entry) => {
  const { done, rows } = await imported(csv, query);
  expect(done).toMatchObject({ status: 'completed', total: 1, created: 1, failed: 0 });
  expect(rows).toMatchObject([{ email: 'a@b.co', ...entry }]);
});

test('who is subscribed is not suppressed, and failed rows are a file', async () => {
  const csv =
    'email,status,created_at\na@b.co,subscribed,\nnobody,bounced,\nB@b.co,bounced,2999-01-01\nb@b.co,,\n';
  const { key, path, done, rows } = await imported(csv);
  expect(done).toMatchObject({ status: 'completed', total: 4, created: 1, skipped: 1, failed: 2 });
  expect(done.errors[0]).toMatchObject({ row: 2, email: 'a@b.co', message: 'is subscribed' });
  expect(rows).toMatchObject([{ email: 'b@b.co', reason: 'bounce' }]);
  expect(rows[0].created_at.getTime()).toBeLessThan(at('2999-01-01').getTime());
  const file = await world.call('GET', `${path}/failed-rows`, { key });
  expect(file.text).toContain('"a@b.co","subscribed","","is subscribed"');
});
