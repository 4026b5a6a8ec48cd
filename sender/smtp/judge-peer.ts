// Whether a connection proves what the recipient's domain asks for. Asked after the handshake, before anything of a message.

import type { TLSSocket } from 'node:tls';

import { matchTlsa } from './dane.ts';
import { certificateProblem } from './peer-certificate.ts';
import type { TlsDemand } from './tls-demand.ts';

/** The judgement. `verified`: the certificate proved the host, whether or not anybody asked for it. */
export type Verdict =
  | { kind: 'passed'; verified: boolean }
  | { kind: 'failed'; why: string }
  /** Open it again and trust only these authorities (PEM): OpenSSL then checks chain, name and dates. */
  | { kind: 'ask_authority'; anchors: string[] };

/** Judges a connection; `socket` is null for plain text, `anchors` are the authorities that it was opened with. */
export function judgePeer(
  demand: TlsDemand | null,
  socket: TLSSocket | null,
  anchors: string[] | null,
): Verdict {
  if (demand === null) return { kind: 'passed', verified: socket?.authorized ?? false };
  if (socket === null) return { kind: 'failed', why: 'there is no TLS' };
  if (demand.policy === 'dane' && anchors === null) return judgeByRecords(demand, socket);
  const why = certificateProblem(socket);
  return why === null ? { kind: 'passed', verified: true } : { kind: 'failed', why: `is not valid: ${why}` };
}

function judgeByRecords({ records }: Extract<TlsDemand, { policy: 'dane' }>, socket: TLSSocket): Verdict {
  // RFC 7672 section 2.2: unusable records ask for TLS and for nothing more.
  if (records.length === 0) return { kind: 'passed', verified: socket.authorized };
  const shown = socket.getPeerX509Certificate();
  if (!shown) return { kind: 'failed', why: 'is missing' };
  const match = matchTlsa(records, shown);
  switch (match.kind) {
    case 'end_entity':
      return { kind: 'passed', verified: true };
    case 'authority':
      return { kind: 'ask_authority', anchors: match.anchors };
    case 'no_match':
      return { kind: 'failed', why: 'matches none of its TLSA records' };
    default:
      return match satisfies never;
  }
}
