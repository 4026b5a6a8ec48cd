// What the receiving mail servers see of every connection.

/** A client of the sink greeted. */
export interface WireConnected {
  kind: 'connected';
  connection: number;
  /**
   * The name in its EHLO. The stack starts each sender with OUTBOUND_HOSTNAME = the name that its faults have as `target`
   * (`sender-1`), so that a repeat is excused only by a fault of the very sender that may not have got its verdict.
   */
  helo: string;
}

/** RCPT of one transaction at the sink, answered. A transaction has one recipient. */
export interface WireRecipient {
  kind: 'rcpt';
  connection: number;
  /** Unique in the run. */
  transaction: number;
  mailFrom: string;
  recipient: string;
  reply: string;
}

/** The sink got DATA; `t` is when the command came, before it was answered. */
export interface WireData {
  kind: 'data';
  connection: number;
  transaction: number;
  recipient: string;
  reply: string;
}

/** The sink said "go ahead" (354): from now on the sender may write the message. */
export interface WireGoAhead {
  kind: 'go_ahead';
  connection: number;
  transaction: number;
  recipient: string;
}

/** The whole message is here: the final dot came. */
export interface WireDot {
  kind: 'dot';
  connection: number;
  transaction: number;
  recipient: string;
  /** The header Message-ID without its brackets: `<uuid>@<sending domain>`, null without one. */
  messageId: string | null;
  /** Domain of the header From. */
  from: string | null;
  /** SHA-256 (hex) of what came after DATA, dots unstuffed, without the final dot. */
  sha256: string;
  octets: number;
  subject: string;
  /** What its recipient reads (`hashContent`). */
  content: string;
  /** What a check of its DKIM signatures says: `pass`, or why not. */
  dkim: string;
}

/** The answer to the final dot. */
export interface WireVerdict {
  kind: 'verdict';
  connection: number;
  transaction: number;
  recipient: string;
  reply: string;
  /** Whether the socket took it; false when the peer was gone by then. */
  written: boolean;
}

/** A connection ended. */
export interface WireClosed {
  kind: 'closed';
  connection: number;
  /** The transaction that was between DATA and verdict, or null. */
  transaction: number | null;
  /** Who ended it: the sink by its script, or the peer. */
  by: 'sink' | 'peer';
}
