// One SMTP transaction: MAIL FROM, RCPT TO, DATA and the message, pipelined where the peer offers it (RFC 5321
// section 3.3, RFC 2920). Whatever the peer or the network does is a value.
//
// After the final dot was sent, a lost connection says nothing: the peer may have the message or not. That is a
// network failure, and the message is sent again under the same Message-ID (RFC 1047; docs/crashes.md).

import { Readable } from 'node:stream';

import { currentSpan } from '../../core/base/trace.ts';
import { parseReply, type Reply, type SmtpCommand } from '../../core/mail/smtp-reply.ts';
import type { Envelope } from '../../core/message/compose-outgoing.ts';
import type { Connection } from './connection.ts';
import {
  failed,
  lastRefusal,
  refusalRead,
  readError,
  refusedHere,
  type ConnectionError,
  type Failed,
  type Refused,
} from './failure.ts';

/** How a transaction ended. `abandoned`: not a byte of the message was sent, because it may no longer be ours. */
export type Transaction = { kind: 'delivered'; reply: Reply } | { kind: 'abandoned' } | Refused | Failed;

/** Runs one transaction. `maySend` is asked when the peer says "go ahead", right before the message itself. */
export async function transact(
  connection: Connection,
  envelope: Envelope,
  maySend: () => Promise<boolean>,
): Promise<Transaction> {
  if (envelope.smtputf8 && !connection.smtputf8) return NO_SMTPUTF8;
  const fitting = envelope.eightBit && !connection.eightBit ? await narrow(envelope) : envelope;
  if (fitting === null) return NO_8BITMIME;
  connection.trace?.follow(currentSpan());
  const endLimit = connection.limit(fitting.message.length);
  try {
    return await transactNow(connection, fitting, maySend);
  } finally {
    endLimit();
    connection.trace?.follow(undefined);
  }
}

// A header in UTF-8 cannot be sent otherwise.
const NO_SMTPUTF8 = refusedHere(
  553,
  '5.6.7',
  'The receiving server does not take internationalized addresses or headers',
  'MAIL',
);

const NO_8BITMIME = refusedHere(
  554,
  '5.6.3',
  'The receiving server takes no 8-bit content: send it as quoted-printable or base64',
  'MAIL',
);

// RFC 6152 section 3. A body of 8 bits becomes another one, so it is signed again.
async function narrow(envelope: Envelope): Promise<Envelope | null> {
  const message = (await envelope.toSevenBit?.()) ?? null;
  return message && { ...envelope, eightBit: false, message };
}

async function transactNow(
  connection: Connection,
  envelope: Envelope,
  maySend: () => Promise<boolean>,
): Promise<Transaction> {
  if (connection.needsReset && !(await connection.reset())) {
    connection.close();
    return failed('connect', 'RSET failed', 'RSET');
  }
  const message = new GatedMessage(envelope.message, maySend, () => connection.awaitVerdict());
  const result = await send(connection, envelope, message);
  connection.used += 1;
  // After any refusal the peer may still have our MAIL FROM: RFC 5321 section 4.1.1.4 lets a refused dot end the
  // transaction, and Postfix answers 503 to the next MAIL when smtpd_end_of_data_restrictions refused it.
  connection.needsReset = result.kind === 'refused';
  if (message.withheld) {
    connection.close();
    return { kind: 'abandoned' };
  }
  const outOfStep = result.kind === 'failed' || (message.released && !message.whole);
  if (outOfStep) connection.close();
  else connection.verdictCame();
  return result;
}

function send(connection: Connection, envelope: Envelope, message: GatedMessage): Promise<Transaction> {
  return new Promise((resolve) => {
    const smtpEnvelope = {
      from: envelope.mailFrom,
      to: [envelope.rcptTo],
      size: envelope.message.length,
      use8BitMime: envelope.eightBit,
    };
    connection.smtp.utf8Header = envelope.smtputf8;
    connection.smtp.send(smtpEnvelope, message, (error, info) => {
      if (error) {
        const broke = error.response === undefined && error.code !== 'EMESSAGE' && !message.released;
        const problem = (broke && lastRefusal(connection.smtp)) || error;
        const refusal =
          problem.response === undefined && message.released ? refusalRead(connection.smtp) : null;
        if (refusal !== null) Object.assign(problem, { response: refusal });
        return resolve(readError(problem, 'smtp', lastCommand(problem, message)));
      }
      const reply = parseReply(info.response, 'DOT');
      resolve(reply ? { kind: 'delivered', reply } : failed('smtp', `not a reply: ${info.response}`, 'DOT'));
    });
  });
}

// A refused MAIL FROM names itself; a pipelined 421 that does not can only be the answer to RCPT TO.
function lastCommand(error: ConnectionError, message: GatedMessage): SmtpCommand {
  if (message.released) return 'DOT';
  return error.response === undefined ? 'MAIL' : 'RCPT';
}

// The message as a stream that is first read when the peer has said "go ahead": the last moment to hold it back.
class GatedMessage extends Readable {
  released = false;
  withheld = false;
  /** Its final dot was written. */
  whole = false;
  readonly #bytes: Buffer;
  readonly #maySend: () => Promise<boolean>;
  #asked = false;
  readonly #onWhole: () => void;

  constructor(bytes: Buffer, maySend: () => Promise<boolean>, onWhole: () => void) {
    super({ highWaterMark: 0 });
    this.#bytes = bytes;
    this.#maySend = maySend;
    this.#onWhole = onWhole;
  }

  // nodemailer pipes the message through a stream that adds the dots.
  override pipe<T extends NodeJS.WritableStream>(stuffed: T, options?: { end?: boolean }): T {
    stuffed.once('end', () => {
      this.whole = true;
      this.#onWhole();
    });
    return super.pipe(stuffed, options);
  }

  override _read(): void {
    if (this.#asked) return;
    this.#asked = true;
    void this.#maySend().then((may) => this.#proceed(may));
  }

  #proceed(may: boolean): void {
    if (this.destroyed) return;
    if (!may) {
      this.withheld = true;
      this.destroy(new Error('the message may not be sent now'));
      return;
    }
    this.released = true;
    this.push(this.#bytes);
    this.push(null);
  }
}
