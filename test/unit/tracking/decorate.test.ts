// What messages get on their way out.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { createDecorate } from '../../../core/tracking/decorate.ts';
import { readToken, trackingKeys, type TokenKind } from '../../../core/tracking/token.ts';
import { placeUnsubscribeUrl } from '../../../core/mail/compose/list-headers.ts';
import { createUnsubscribeUrl } from '../../../core/tracking/unsubscribe-url.ts';

const config = {
  PUBLIC_URL: 'https://mail.example/',
  MASTER_KEY: randomBytes(32),
  MASTER_KEY_PREVIOUS: undefined,
};
const keys = trackingKeys(config);
const decorate = createDecorate(config);
const message = { id: newUuid(), tenantId: newUuid(), rcptTo: 'Ann@Example.net' };
const read = (kind: TokenKind, url: string) => readToken(kind, url.split('/').at(-1)!, keys);

test('links lead over us, a pixel comes last, the same on every attempt', () => {
  const html = '<body><a href="https://a.example/?x=1&amp;y=2">A</a></body>';
  const made = decorate(message, {}, html);
  const [, link] = /href="(https:\/\/mail\.example\/t\/c\/[\w-]+)"/.exec(made)!;
  expect(read('c', link!)).toEqual({
    messageId: message.id,
    tenantId: message.tenantId,
    text: 'https://a.example/?x=1&y=2',
  });
  const [, pixel] = /<img src="(https:\/\/mail\.example\/t\/o\/[\w-]{64})"[^>]*><\/body>$/.exec(made)!;
  expect(read('o', pixel!)).toMatchObject({ messageId: message.id, text: '' });
  expect(decorate(message, {}, html)).toEqual(made);
});

// HTML 13.2.5: what only looks like the end of the body is none. `█` marks the place of the pixel.
test.each([
  '<p>x█</body></html>',
  '<!-- </body> --><p>x█</body>',
  '<!--[if mso]></body><![endif]--><p>x█</body>',
  '<p>x█</body></html><!--[if mso]></body><![endif]-->',
  '<p>x█<!--[if mso]></body></html>',
  '<![if !mso]>█</body><![endif]>',
  '<a title="</body>">x</a>█',
  "<script>var s = '</body>'</script>x█</BODY\n>",
  '<style>/* </body> */</style>x█</body>',
  '<textarea></body></textarea>x█',
  'x█<textarea></body>',
  '<template></body></template>x█',
  '<p>x</body>y█</body></html>',
  '<p>x█</body><p>y',
  '<p>x█',
  'x█<p title="',
  'a &lt; b &am█',
])('the pixel is where it is loaded: %s', (marked) => {
  const made = decorate(message, { trackClicks: false }, marked.replace('█', ''));
  expect(made.replace(/<img src="[^"]+\/t\/o\/[^>]+>/, '█')).toBe(marked);
});

test('what is switched off is left out, and no HTML stays none', () => {
  const html = '<a href="https://a.example/">A</a>';
  expect(decorate(message, { trackOpens: false, trackClicks: false }, html)).toBe(html);
  expect(decorate(message, { trackOpens: false }, html)).not.toContain('/t/o/');
  expect(decorate(message, { trackClicks: false }, html)).toContain(html);
  expect(decorate(message, {}, '')).toBe('');
});

test('the link to leave is no click: it stays as it is', () => {
  const url = createUnsubscribeUrl(config)(message);
  const html = `<a href="${url}">Leave</a><a href="https://a.example/u/x">A</a>`;
  const made = decorate(message, { trackOpens: false }, html);
  expect(made).toContain(`<a href="${url}">Leave</a><a href="https://mail.example/t/c/`);
});

test('the link to leave names the recipient, and always fits its header', () => {
  const url = createUnsubscribeUrl(config)(message);
  expect(url).toMatch(/^https:\/\/mail\.example\/u\/[\w-]+$/);
  expect(read('u', url)?.text).toBe('ann@example.net');
  const rcptTo = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const long = createUnsubscribeUrl(config)({ ...message, rcptTo });
  expect(long.length).toBeLessThanOrEqual(380);
  expect(read('u', long)).toMatchObject({ messageId: message.id, text: '' });
});

test('the link is placed wherever its name stands in braces, with any blanks in them', () => {
  const url = 'https://mail.example/u/$&x';
  const text = '{{unsubscribe_url}} {{  unsubscribe_url\n}} { { unsubscribe_url }} {{ other }}';
  expect(placeUnsubscribeUrl(text, url)).toBe(`${url} ${url} { { unsubscribe_url }} {{ other }}`);
});

test('names of the link beyond a thousand stay, so that a message does not grow without end', () => {
  const placed = placeUnsubscribeUrl('{{unsubscribe_url}} '.repeat(100_000), 'https://mail.example/u/x');
  expect(placed.split('https:').length - 1).toBe(1000);
  expect(placed.length).toBeLessThan(2_100_000);
});
