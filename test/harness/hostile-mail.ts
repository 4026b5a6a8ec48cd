// Mail that is made to cost its reader much memory: within the limits of SMTP, as wide or as deep as MIME allows.

const MIB = 1_048_576;
const HEAD = 'From: a@b.test\r\nSubject: hostile\r\nMIME-Version: 1.0\r\n';

const lines = (line: string, octets: number): string =>
  `${line}\r\n`.repeat(Math.ceil(octets / (line.length + 2)));
const text = (charset: string, encoding: string, body: string): string =>
  `${HEAD}Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;

function nested(depth: number, body: string): string {
  const open = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  );
  return `${HEAD}${open.join('')}\r\n${body}`;
}

/** The kinds, by name, and a message of each. */
export const HOSTILE_MAIL: Readonly<Record<string, () => string>> = {
  'parts in parts': () => nested(900, lines('x'.repeat(76), 4 * MIB)),
  'parts beside parts': () =>
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\nContent-Type: application/x\r\n\r\n${'y'.repeat(8_000)}\r\n`.repeat(900)}--b--\r\n`,
  'more parts than are read': () =>
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${lines('--b\r\n\r\nx', 8 * MIB)}`,
  'short header fields': () => `${HEAD}${lines('X: y', 4 * MIB)}\r\nx\r\n`,
  'one long header field': () => `${HEAD}X: ${lines(`y${' z'.repeat(400)}\r\n `, 8 * MIB)}z\r\n\r\nx\r\n`,
  'recipients in the header': () =>
    `${HEAD}To: a@b.test${lines(',\r\n Ann <ann@example.com>', 4 * MIB)}\r\nx\r\n`,
  'encoded words': () =>
    `${HEAD}Keywords: ${lines(`=?gb18030?B?${'xOO6ww=='.repeat(6)}?=\r\n `, 4 * MIB)}z\r\n\r\nx\r\n`,
  'a long text of two-byte characters': () =>
    text('gb18030', 'base64', lines('xOO6w8Tjusc='.repeat(6), 20 * MIB)),
  'a long text in UTF-16': () => text('utf-16le', 'base64', lines('eABPAGAAeQBPAGAA'.repeat(4), 20 * MIB)),
  'a long quoted-printable text': () =>
    text('utf-8', 'quoted-printable', lines('=E4=BD=A0=E5=A5=BD'.repeat(4), 20 * MIB)),
  'a long text in HTML': () =>
    text('utf-8', '8bit', lines('<div><p><b>x</b>'.repeat(4), 20 * MIB)).replace('text/plain', 'text/html'),
  'one large attachment': () =>
    `${HEAD}Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines('QUJDREVG'.repeat(9), 20 * MIB)}`,
};
