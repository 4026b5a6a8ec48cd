// A tenant that has one of everything, each with a word in it that nothing of another tenant has.

import { newUuid, toId, type IdPrefix } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { TESTER } from './actor.ts';
import type { ApiWorld } from './api-world.ts';
import { makeEventDelivery } from './event-delivery.ts';
import { makeMessageRow } from './message-row.ts';
import type { Side } from './parity-pair.ts';
import { makeSide } from './parity-world.ts';
import { login, makePerson } from './sign-in.ts';

/** What ids that callers may send can name. */
export type Kind = Exclude<IdPrefix, 'evt' | 'aud' | 'req' | 'alt' | 'adm'>;

/** The tenant. */
export interface Holding extends Side {
  /** An owner's access token. */
  token: string;
  /** An id of each kind, as callers write it. */
  ids: Record<Kind, string>;
  /** Whether a text tells anything of this tenant. */
  isIn(text: string): boolean;
}

const BULK = `mutation { createBulkChange(input: {action: lift_suppressions, filter: {}}) { bulkChange { id } } }`;
const INVITE = 'mutation($input: InvitePersonInput!) { invitePerson(input: $input) { invitation { id } } }';

/** Makes it. Invitations need makeSystemSender. */
export async function makeHolding(world: ApiWorld): Promise<Holding> {
  const side = await makeSide(world);
  const { tenantId, domainId, domain, db } = side;
  const word = `w${newUuid().slice(-12)}`;
  const email = `${word}@example.net`;
  const owner = await makePerson(world, 'owner', { tenantId });
  const other = await makePerson(world, 'member', { tenantId });
  await db.pool.query(
    `insert into second_factors (user_id, sealed_secret, confirmed_at) values ($1, '', now())`,
    [other.userId],
  );
  await login(world, owner);
  const { token } = await login(world, owner);
  const ask = async (query: string, variables = {}) => {
    const { json } = await world.graphql(query, variables, { key: token });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    return json.data;
  };
  const { sessions } = await ask('{ sessions { id current } }');
  const invited = await ask(INVITE, { input: { email: `i${email}`, role: 'member' } });
  await side.rest('POST', '/suppressions', { email: `s${email}` });
  const whk = await side.make('/webhooks', { url: `http://127.0.0.1:9/${word}`, event_types: ['*'] });
  const made = await createKey(world.context, TESTER, { tenantId, name: word, scopes: ['mail:read'] });
  const ids: Holding['ids'] = {
    msg: toId('msg', await makeMessageRow(db, tenantId, { state: 'deferred', to: email, domainId })),
    tpl: await side.make('/templates', { name: word, subject: word, text: 't' }),
    cmp: await side.make('/campaigns', {
      name: word,
      from: `a@${domain}`,
      subject: 's',
      text: 't',
      audience: { all: true },
    }),
    con: await side.make('/contacts', { email }),
    lst: await side.make('/contacts/lists', { name: word }),
    imp: await insertImport(side),
    exp: await side.make('/exports', { kind: 'contacts' }),
    blk: (await ask(BULK)).createBulkChange.bulkChange.id,
    dom: toId('dom', domainId),
    mbx: await side.make('/mail/mailboxes', { address: `${word}@${domain}` }),
    ...(await insertInbound(side, word)),
    whk,
    alr: await side.make('/alert-rules', { kind: 'quota', threshold: 80 }),
    wdl: await makeEventDelivery(db, tenantId, whk),
    key: toId('key', made.keyId),
    tnt: toId('tnt', tenantId),
    usr: toId('usr', other.userId),
    ses: sessions.find(({ current }: { current: boolean }) => !current).id,
    inv: invited.invitePerson.invitation.id,
  };
  const words = [word, domain, tenantId, owner.email, other.email, ...Object.values(ids)];
  return { ...side, token, ids, isIn: (text) => words.some((one) => text.includes(one)) };
}

async function insertImport({ db, tenantId }: Side): Promise<string> {
  const id = newUuid();
  await db.pool.query(
    `insert into contact_imports (id, tenant_id, format, status) values ($1, $2, 'csv', 'completed')`,
    [id, tenantId],
  );
  return toId('imp', id);
}

// Received mail, and the delivery of it to the tenant's webhook that nobody answered.
async function insertInbound({ db, tenantId, domainId, domain }: Side, word: string) {
  const [raw, inm, dlv] = [newUuid(), newUuid(), newUuid()];
  const values = [raw, tenantId, inm, domainId, `${word}@${domain}`, word, dlv];
  await db.pool.query(
    `with raw as (insert into inbound_raws (id, tenant_id, mail_from, helo, peer, smtputf8, size_bytes)
       values ($1, $2, '', 'x', '192.0.2.1', false, 1)),
     chunk as (insert into inbound_chunks (raw_id, seq, bytes) values ($1, 0, convert_to($6, 'UTF8'))),
     message as (insert into inbound_messages (id, tenant_id, raw_id, domain_id, kind, recipient)
       values ($3, $2, $1, $4, 'mail', $5)),
     content as (insert into inbound_contents (raw_id, tenant_id, subject, auth, search, attachments)
       values ($1, $2, $6, '{"spf":"none","dkim":"none","dmarc":"none"}', to_tsvector('simple', $6),
         '[{"index":0,"filename":"a","content_type":"text/plain","size_bytes":1}]')),
     attachment as (insert into inbound_attachments (raw_id, index, seq, bytes) values ($1, 0, 0, convert_to($6, 'UTF8')))
     insert into webhook_deliveries (id, tenant_id, endpoint_id, message_id, raw_id, recipient, size_bytes, state,
       attempts, last_error, dead_lettered_at) values ($7, $2, $2, $3, $1, $5, 1, 'dead', 8, $6, now())`,
    values,
  );
  return { inm: toId('inm', inm), dlv: toId('dlv', dlv) };
}
