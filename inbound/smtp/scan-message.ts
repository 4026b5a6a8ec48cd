// Looks at a message while it comes in: for loops, and for line ends that two servers would read as two messages.
//
// SMTP ends a message with CRLF . CRLF and nothing else (RFC 5321 section 4.1.1.4). A server before us that accepts
// LF . LF or CR . CR for the end, or that drops NUL, would see further commands in what we see as text, and dot-stuffing
// after a bare CR or LF is undone by some and kept by others. So these are refused: a dot after a bare CR or LF, a line of
// one dot that ends in a bare CR or LF, and a line of one dot and NUL. Other bare CR and LF, and NUL, pass as they are.

import { MAX_HOPS } from '../../core/mail/header-fields.ts';

/** Why a message is refused. */
type ScanProblem = 'smuggling' | 'loop';

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;
const NUL = 0x00;
const MAX_HEADER_BYTES = 256 * 1024; // of the header section that is looked at

/** Watches one message. */
export interface MessageScan {
  /** Looks at the next bytes, in any portions. */
  push(bytes: Buffer): void;
  /** What is wrong so far. */
  problem(): ScanProblem | null;
  /** Whether our own sender wrote this message: its Feedback-ID says so. */
  isOurs(): boolean;
}

/** Begins to watch a message. */
export function scanMessage(): MessageScan {
  const header = createHeaderScan();
  const dots = createDotScan();
  return {
    push: (bytes) => {
      dots.push(bytes);
      header.push(bytes);
    },
    problem: () => (dots.found() ? 'smuggling' : header.hops() > MAX_HOPS ? 'loop' : null),
    isOurs: () => header.isOurs(),
  };
}

type Line = 'empty' | 'nuls' | 'dot' | 'dot and nuls' | 'text';

// One state for whatever portions the bytes come in: what the line has so far, how the line before it ended, and whether
// the last byte was a CR that may still become CRLF. The message begins after the CRLF of DATA.
function createDotScan() {
  let line: Line = 'empty';
  let afterBare = false;
  let cr = false;
  let found = false;
  const end = (bare: boolean) => {
    found ||= line === 'dot and nuls' || (line === 'dot' && bare);
    line = 'empty';
    afterBare = bare;
  };
  const next = (byte: number): Line => {
    if (byte === NUL) return line === 'empty' ? 'nuls' : line === 'dot' ? 'dot and nuls' : line;
    if (byte !== DOT || line === 'dot' || line === 'dot and nuls') return 'text';
    found ||= line === 'empty' && afterBare;
    return line === 'empty' ? 'dot' : 'dot and nuls';
  };
  return {
    push: (bytes: Buffer) => {
      if (found) return;
      for (let at = 0; at < bytes.length; at++) {
        // Most of a message is in the middle of lines of text.
        if (line === 'text' && !cr) while (bytes[at]! > CR) at++;
        if (at >= bytes.length) return;
        const byte = bytes[at]!;
        if (cr) end(byte !== LF);
        else if (byte === LF) end(true);
        if (byte !== LF && byte !== CR && line !== 'text') line = next(byte);
        cr = byte === CR;
      }
    },
    found: () => found,
  };
}

function createHeaderScan() {
  let parts: Buffer[] | null = [];
  let length = 0;
  let text = '';
  const finish = () => {
    if (!parts) return;
    text = `\n${Buffer.concat(parts).toString('latin1')}`;
    parts = null;
  };
  return {
    push: (bytes: Buffer) => {
      if (!parts) return;
      parts.push(bytes);
      length += bytes.length;
      if (length > MAX_HEADER_BYTES) finish();
    },
    hops: () => {
      finish();
      return headerOf(text).match(/\nreceived[ \t]*:/gi)?.length ?? 0;
    },
    isOurs: () => {
      finish();
      return /\nfeedback-id:[^\n]*:postrider\s*(?:\n|$)/i.test(headerOf(text));
    },
  };
}

function headerOf(text: string): string {
  const end = /\r?\n\r?\n/.exec(text.slice(1));
  return end ? text.slice(0, end.index + 1) : text;
}
