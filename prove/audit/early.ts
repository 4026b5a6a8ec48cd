// What was refused for now is not tried again too soon: a webhook by the contract's gaps or the endpoint's Retry-After, a message by
// the gaps of the documents. Both may be late; a fault that may have eaten the record of the refusal excuses them.

import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import { meetsPostgres, overlaps, stops } from './fault.ts';
import type { Finding } from './finding.ts';
import { endOf, mayBeUnrecorded } from './recorded.ts';
import { saidFirstDigit, saidLater } from './reply.ts';
import type { Transaction } from './transactions.ts';

const WEBHOOK_GAPS_S = [30, 120, 600, 3_600, 21_600, 86_400]; // contract section 8, counted from the end of an attempt
const SMTP_GAPS_S = [45, 300, 900, 1_800, 3_600, 7_200, 14_400]; // docs/flow.md
const SMTP_LEAST = 2 / 3; // of a gap: jitter
const AGE_LIMIT_MS = 96 * 3_600_000; // the last attempt is at the limit itself, however short ago the one before it was
const CLOCK_MS = 1_000; // the endpoint writes down an attempt before its end, and clocks are read over connections
const RECORDED_MS = 3_000;

/** Every attempt after a refusal keeps its gap, by the store's clock. */
export function checkEarly(evidence: Evidence): Finding[] {
  return [...earlyPosts(evidence), ...earlyMail(evidence)];
}

function earlyPosts(evidence: Evidence): Finding[] {
  const byDelivery = new Map<string, Evidence['webhooks']>();
  for (const post of evidence.webhooks) addTo(byDelivery, post.delivery, post);
  return [...byDelivery].flatMap(([delivery, posts]) =>
    posts.slice(1).flatMap((again, i) => {
      const before = posts[i]!;
      if (before.status < 429 || before.status === 499) return []; // nothing was said: the peer had hung up
      const gap = before.retryAfterSeconds ?? WEBHOOK_GAPS_S[before.attempt - 1] ?? 86_400;
      if (mayBeLost(evidence, before.t)) return [];
      const said = `${before.status}${before.retryAfterSeconds === null ? '' : `, Retry-After: ${before.retryAfterSeconds}`}`;
      return tooSoon(evidence, delivery, `posted again`, said, { from: before.t, to: again.t, gap });
    }),
  );
}

function mayBeLost({ faults }: Evidence, t: number): boolean {
  return faults.some(
    (fault) => overlaps(fault, t, t + RECORDED_MS) && (meetsPostgres(fault) || stops(fault, 'inbound', null)),
  );
}

function earlyMail(evidence: Evidence): Finding[] {
  return [...evidence.wire].flatMap(([recipient, transactions]) => {
    if ((evidence.messagesTo.get(recipient)?.length ?? 0) > 1) return []; // each has gaps of its own
    const inOrder = transactions
      .filter(({ rcpt }) => rcpt !== null)
      .toSorted((a, b) => a.rcpt!.t - b.rcpt!.t);
    let refusals = 0;
    return inOrder.slice(1).flatMap((again, i) => {
      const before = inOrder[i]!;
      if (!isRefusedForNow(before) || mayBeUnrecorded(evidence, before)) return [];
      const gap = (SMTP_GAPS_S[refusals++] ?? SMTP_GAPS_S.at(-1)!) * SMTP_LEAST;
      const age = evidence.clock.latest(again.rcpt!.t) - evidence.clock.at(inOrder[0]!.rcpt!.t);
      if (age >= AGE_LIMIT_MS - gap * 1_000) return [];
      const said = (before.verdict ?? before.rcpt!).reply.slice(0, 3);
      const times = { from: endOf(before), to: again.rcpt!.t, gap };
      return tooSoon(evidence, recipient, `tried again by ${again.sender ?? 'a sender'}`, said, times);
    });
  });
}

function isRefusedForNow(transaction: Transaction): boolean {
  return transaction.verdict ? saidLater(transaction.verdict) : saidFirstDigit(transaction, '4');
}

function tooSoon(
  { clock }: Evidence,
  about: string,
  did: string,
  said: string,
  { from, to, gap }: { from: number; to: number; gap: number },
): Finding[] {
  const passed = clock.latest(to) - clock.at(from);
  if (passed >= gap * 1_000 - CLOCK_MS) return [];
  const what = `${did} ${(passed / 1_000).toFixed(1)} s after "${said}", and ${gap} s is the least`;
  return [{ rule: 'early', about, what, t: to }];
}
