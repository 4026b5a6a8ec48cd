// What messages get on their way out.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { createDecorate } from '../../../core/tracking/decorate.ts';
import { readToken, trackingKeys, type TokenKind } from '../../../core/tracking/token.ts';
import { createUnsubscribeUrl } from '../../../core/tracking/unsubscribe-url.ts';

const config = {
  PUBLIC_URL: 'https://mail.example/',
  MASTER_KEY: randomBytes(32),
  MASTER_KEY_PREVIOUS: undefined,
};
const keys = trackingKeys(config);
const decorate = createDecorate(config);
const message = { id: newUuid(), tenantId: newUuid(), rcptTo: 'Ann@Example.net', campaignId: null };
const words = (html: string, text = '') => ({ html, text });
const read = (kind: TokenKind, url: string) => readToken(kind, url.split('/').at(-1)!, keys);

test('links lead over us, a pixel comes last, the same on every attempt', () => {
  const html = '<body><a href="https://a.example/?x=1&amp;y=2">A</a></body>';
  const made = decorate(message, {}, words(html));
  const [, link] = /href="(https:\/\/mail\.example\/t\/c\/[\w-]+)"/.exec(made.html)!;
  expect(read('c', link!)).toEqual({
    messageId: message.id,
    tenantId: message.tenantId,
    text: 'https://a.example/?x=1&y=2',
  });
  const [, pixel] = /<img src="(https:\/\/mail\.example\/t\/o\/[\w-]{64})"[^>]*><\/body>$/.exec(made.html)!;
  expect(read('o', pixel!)).toMatchObject({ messageId: message.id, text: '' });
  expect(made.text).toContain('https://a.example/?x=1&y=2');
  expect(made).not.toHaveProperty('unsubscribeUrl');
  expect(decorate(message, {}, words(html))).toEqual(made);
});

test('what is switched off is left out, and plain text is never touched', () => {
  const html = '<a href="https://a.example/">A</a>';
  expect(decorate(message, { trackOpens: false, trackClicks: false }, words(html, 't'))).toEqual({
    html,
    text: 't',
  });
  expect(decorate(message, { trackOpens: false }, words(html)).html).not.toContain('/t/o/');
  expect(decorate(message, { trackClicks: false }, words(html)).html).toContain(html);
  expect(decorate(message, {}, words('', 'see https://a.example/'))).toEqual({
    html: '',
    text: 'see https://a.example/',
  });
});

test('the link to leave is no click: it stays as it is, also when it was made before', () => {
  const campaign = { ...message, campaignId: newUuid() };
  const url = createUnsubscribeUrl(config)(campaign)!;
  const html = `<a href="${url}">Leave</a><a href="https://a.example/u/x">A</a>`;
  const made = decorate(campaign, { trackOpens: false }, { html, text: '', unsubscribeUrl: url });
  expect(made.html).toContain(`<a href="${url}">Leave</a><a href="https://mail.example/t/c/`);
  expect(made.unsubscribeUrl).toBe(url);
  expect(decorate(campaign, {}, words('', 'x')).unsubscribeUrl).toBe(url);
  expect(createUnsubscribeUrl(config)(message)).toBeNull();
});

test('campaign mail can be unsubscribed from; the URL always fits its header', () => {
  const campaign = { ...message, campaignId: newUuid() };
  const { unsubscribeUrl } = decorate(campaign, {}, words('', 'x'));
  expect(unsubscribeUrl).toMatch(/^https:\/\/mail\.example\/u\/[\w-]+$/);
  expect(read('u', unsubscribeUrl!)?.text).toBe('ann@example.net');
  const rcptTo = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const long = decorate({ ...campaign, rcptTo }, {}, words('', 'x'));
  expect(long.unsubscribeUrl!.length).toBeLessThanOrEqual(380);
  expect(read('u', long.unsubscribeUrl!)).toMatchObject({ messageId: message.id, text: '' });
});
