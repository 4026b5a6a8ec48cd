// Local parts in quotation marks (RFC 5321 section 4.1.2), which smtp-server takes for syntax errors.

/** A command with a plain local part where it had a quoted one, and that local part in its one spelling. */
export interface QuotedPath {
  command: string;
  local: string;
}

// A source route before the address is ignored, as everywhere (appendix C). No controls, nothing invisible.
const PATH = /^([^:]*:\s*<(?:@[^\s:<>]+:)?)"((?:[^"\\\p{Cc}\p{Cf}]|\\[\x20-\x7e])*)"(?=@[^@\s]+>)/u;
const DOT_ATOM = /^[^\s()<>[\]:;@\\,."]+(?:\.[^\s()<>[\]:;@\\,."]+)*$/;

/**
 * Reads `RCPT TO:<"john doe"@example.com>`; null when nothing is quoted. A local part that needs no quotation marks
 * loses them: `"john"@` and `john@` are the same mailbox. The plain one is as long, so that limits count.
 */
export function readQuotedPath(command: string): QuotedPath | null {
  const match = PATH.exec(command);
  if (!match) return null;
  const [whole, before = '', quoted = ''] = match;
  const content = quoted.replace(/\\(.)/gsu, '$1');
  const local = DOT_ATOM.test(content) ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
  const plain = 'x'.repeat(Math.max(1, quoted.length));
  return { command: `${before}${plain}${command.slice(whole.length)}`, local };
}
