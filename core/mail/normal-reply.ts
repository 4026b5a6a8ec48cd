// A reply without what differs from one message to the next, so that equal replies can be counted.

const MAX_CHARS = 160; // refusals say what they mean early; the rest is help text and ids

// In this order: an address of a mailbox holds a host name, a host name may hold numbers.
const VARYING: readonly [RegExp, string][] = [
  [/https?:\/\/[^\s<>]{1,300}/g, '<url>'],
  [/<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?/g, '<address>'],
  [/\[?\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b\]?/g, '<ip>'],
  [/\[?\b(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]{0,39}\]?/gi, '<ip>'],
  [/\b(?=[\w.-]{0,40}\d)(?=[\w.-]{0,40}[a-z])[\w.-]{12,200}(?= - gsmtp|\b)/gi, '<id>'],
  [/\b\d{5,}\b/g, '<n>'],
];

/** The reply on one line: addresses, ids, long numbers and links replaced by what they are, at most 160 characters. */
export function normalReply(reply: string): string {
  const lines = reply.slice(0, 1_000).split('\n');
  const said = lines.map((line, n) =>
    n === 0 ? line : line.replace(/^[2-5]\d\d[ -](?:[245]\.\d{1,3}\.\d{1,3} ?)?/, ''),
  );
  const short = VARYING.reduce((text, [pattern, word]) => text.replace(pattern, word), said.join(' '));
  return short.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS).toWellFormed();
}
