// What the scanner thinks of a message, and whether it is refused for that. The answer after DATA is one for all recipients: it
// is a refusal only when the domains of all of them refuse. Otherwise the message is accepted for all, and at those domains
// kept as junk without a delivery to the webhook: nothing is lost, and those who keep it have it.

import type { SMTPServerSession } from 'smtp-server';
import type pg from 'pg';

import type { Fail } from '../../core/base/failpoint.ts';
import type { ScanResult } from '../../core/db/schema/inbound.ts';
import { readUpload } from '../../core/inbound/raw-store.ts';
import { applyPolicy } from '../../core/inbound/scan.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';
import type { Recipient } from '../find-recipient.ts';
import type { Scanner } from '../scan-mail.ts';

/** A recipient as the client wrote it, and who it is. */
export interface Addressed {
  address: string;
  recipient: Recipient;
}

/** Resolves with what the scanner said; null without a scanner, and for mail that is all reports to us. Throws a Refusal. */
export async function judgeMail(
  deps: { pool: pg.Pool; scanner: Scanner | null; fail: Fail },
  session: SMTPServerSession,
  received: { rawId: string; sizeBytes: number; uploaded: number; tail: Buffer },
  recipients: Addressed[],
  operators: string[],
): Promise<ScanResult | null> {
  const { pool, scanner } = deps;
  const mail = recipients.filter(({ recipient }) => recipient.kind === 'mail');
  if (!scanner || mail.length === 0) return null;
  const { rawId, sizeBytes, uploaded, tail } = received;
  const pieces = async function* () {
    yield* readUpload(pool, rawId, uploaded);
    yield tail;
  };
  const result = await scanner.scan(
    {
      queueId: rawId,
      peer: session.remoteAddress,
      helo: session.hostNameAppearsAs || '',
      mailFrom: senderOf(session),
      recipients: mail.map(({ address }) => address),
    },
    uploaded === 0 ? tail : { length: sizeBytes, pieces },
  );
  deps.fail('inbound.after-scan');
  const refuses = ({ recipient }: Addressed) => applyPolicy(recipient.spamPolicy, result) === 'refuse';
  if (operators.length === 0 && recipients.every(refuses)) throw refusalOf(result);
  return result;
}

/** MAIL FROM of a session; empty for the null sender. */
export function senderOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? '' : mailFrom.address;
}

function refusalOf({ virus }: ScanResult): Refusal {
  if (virus !== null) return new Refusal(554, `5.7.1 The message carries a virus (${virus})`);
  return new Refusal(
    550,
    '5.7.1 The message looks like spam; if it is not, write to the recipient in another way',
  );
}
