// Looks at a message while it comes in: for loops, and for line ends that two servers would read as two messages.
//
// SMTP ends a message with CRLF . CRLF and nothing else (RFC 5321 section 4.1.1.4). A server before us that accepts
// LF . LF or CR . CR for the end would see further commands in what we see as text, and dot-stuffing after a bare CR
// or LF is undone by some and kept by others. So a dot after a bare CR or LF is refused. Other bare CR and LF, and NUL,
// pass as they are.

/** Why a message is refused. */
type ScanProblem = 'smuggling' | 'loop';

/** Received fields beyond which a message is going round (RFC 5321 section 6.3); real ones have under 30. */
const MAX_HOPS = 50;

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;
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
  let before = -1; // the byte before the last one
  let last = -1;
  let smuggling = false;
  return {
    push: (bytes) => {
      if (bytes.length === 0) return;
      smuggling ||= hasBareDot(bytes, before, last);
      before = bytes.length > 1 ? bytes[bytes.length - 2]! : last;
      last = bytes[bytes.length - 1]!;
      header.push(bytes);
    },
    problem: () => (smuggling ? 'smuggling' : header.hops() > MAX_HOPS ? 'loop' : null),
    isOurs: () => header.isOurs(),
  };
}

function hasBareDot(bytes: Buffer, before: number, last: number): boolean {
  const at = (index: number) => (index >= 0 ? bytes[index]! : index === -1 ? last : before);
  for (let dot = bytes.indexOf(DOT); dot >= 0; dot = bytes.indexOf(DOT, dot + 1)) {
    const previous = at(dot - 1);
    if (previous === CR) return true;
    if (previous === LF && at(dot - 2) !== CR) return true;
  }
  return false;
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
