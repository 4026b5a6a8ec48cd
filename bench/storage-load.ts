// Part "storage": what an accepted message takes in PostgreSQL's tables and in its WAL, beside the same with contents that are
// not packed (PACK_CONTENT=false: TOAST's lz4 alone, from 2 kB up). Delivery is held back.

import { newUuid, toId } from '../core/base/ids.ts';
import { openSender } from '../core/clients/sender.ts';
import { createLogger } from '../core/base/log.ts';
import { OutgoingMessage, SendBatchRequest } from '../core/gen/sender/v1/sender.ts';
import type { Figure } from './figure.ts';
import { makeLongHtml } from './long-mail.ts';
import { makeMail } from './sample-mail.ts';
import type { Bench } from './stack/bench.ts';
import { diskUsePerMessage, readDiskUse, type DiskUse } from './stack/disk-use.ts';
import { startStack, type Stack } from './stack/stack.ts';

const MESSAGES = 4_000;
const QUICK_MESSAGES = 1_000;
const BATCH = 100;

// A campaign's recipient has the variables that core/campaign/campaign-message.ts gives it; the words are stored once.
const KINDS = [
  { name: 'receipt', what: 'mail of 1.6 kB', make: (domain: string, n: number) => makeMail(domain, n) },
  {
    name: 'html',
    what: 'mail with 20 kB of HTML',
    make: (domain: string, n: number) =>
      OutgoingMessage.fromPartial({ ...makeMail(domain, n), html: makeLongHtml(n) }),
  },
  {
    name: 'campaign',
    what: 'recipient of a campaign with 20 kB of HTML',
    make: (domain: string, n: number, template: string) => {
      const { from, to } = makeMail(domain, n);
      const attributes = { city: `City ${n % 300}`, plan: 'pro' };
      const variables = {
        ...attributes,
        email: to[0],
        name: `Name ${n}`,
        order: `A-${n}`,
        unsubscribe_url: '',
      };
      return OutgoingMessage.fromPartial({ from, to, templateId: template, variables });
    },
  },
] as const;
type Kind = (typeof KINDS)[number];

/** Runs the part. */
export async function measureStorage(bench: Bench): Promise<Figure[]> {
  const count = bench.options.quick ? QUICK_MESSAGES : MESSAGES;
  const packed = await measureAll(bench, count, true);
  const plain = await measureAll(bench, count, false);
  return KINDS.flatMap((kind, at) =>
    (['tables', 'wal'] as const).map((where) => ({
      id: `storage.${kind.name}.${where}`,
      what: `${where === 'wal' ? 'WAL' : 'Tables and indexes'} for an accepted ${kind.what}`,
      detail: `${count} messages`,
      value: packed[at]![where],
      unit: 'kB' as const,
      raw: { what: 'contents not packed', value: plain[at]![where], unit: 'kB' as const },
      // Short mail is not packed, and a campaign's words are not in its messages.
      ...(kind.name === 'html' && { target: { atMost: plain[at]![where] / 2 } }),
    })),
  );
}

async function measureAll(bench: Bench, count: number, packContent: boolean): Promise<DiskUse[]> {
  const taken: DiskUse[] = [];
  for (const kind of KINDS) {
    const stack = await startStack(bench, { holdMail: true, packContent, part: 'storage' });
    try {
      taken.push(await measure(stack, kind, count));
    } finally {
      await stack.close();
    }
  }
  return taken;
}

async function measure(stack: Stack, kind: Kind, count: number): Promise<DiskUse> {
  const { pool } = stack.db;
  await pool.query('update template_versions set html = $1', [makeLongHtml(0)]);
  await accept(stack, kind, BATCH); // pages of indexes that are made once
  await pool.query('checkpoint');
  const before = await readDiskUse(stack.db);
  await accept(stack, kind, count);
  return diskUsePerMessage(before, await readDiskUse(stack.db), count);
}

async function accept(
  { seed, senderAddresses, internalToken }: Stack,
  kind: Kind,
  count: number,
): Promise<void> {
  const settings = { INTERNAL_TOKEN: internalToken, SENDER_ADDRESSES: senderAddresses };
  const sender = openSender(settings, createLogger({ LOG_LEVEL: 'silent' }, 'bench'));
  try {
    for (let done = 0; done < count; done += BATCH) {
      const { id, domains, template } = seed.tenants[(done / BATCH) % seed.tenants.length]!;
      const messages = Array.from({ length: BATCH }, (_, n) => ({
        messageId: toId('msg', newUuid()),
        message: kind.make(domains[n % domains.length]!, done + n, template),
      }));
      const { items, refused } = await sender.sendBatch(
        SendBatchRequest.fromPartial({ tenantId: id, messages }),
      );
      const accepted = items.filter(({ outcome }) => outcome?.$case === 'sent').length;
      if (accepted < BATCH) throw new Error(`${accepted} of ${BATCH} were accepted: ${refused?.message}`);
    }
  } finally {
    sender.close();
  }
}
