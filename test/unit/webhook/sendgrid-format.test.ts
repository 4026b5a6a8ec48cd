// Events in the shape of SendGrid's event webhook.

import { expect, test } from 'vitest';

import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../core/webhook/event-types.ts';
import { sendgridBody } from '../../../core/webhook/formats/sendgrid.ts';

const TIME = new Date('2026-11-22T12:00:00.900Z');
const body = (type: WebhookEventType, details: object = {}, tags: unknown = []) =>
  sendgridBody({
    id: '01936c5e-0000-7000-8000-000000000000',
    type,
    timestamp: TIME,
    data: { id: 'evt_1', message_id: 'msg_1', recipient: 'ann@example.net', data: details, tags },
  });
const event = (...given: Parameters<typeof body>) => JSON.parse(body(...given) ?? 'null');

test('each type of a message has its event; the others have none', () => {
  const names = WEBHOOK_EVENT_TYPES.map((type) => [type, event(type)?.[0].event]);
  expect(Object.fromEntries(names.filter(([, name]) => name !== undefined))).toEqual({
    'message.accepted': 'processed',
    'message.deferred': 'deferred',
    'message.delivered': 'delivered',
    'message.bounced': 'bounce',
    'message.complained': 'spamreport',
    'message.opened': 'open',
    'message.clicked': 'click',
    'message.unsubscribed': 'unsubscribe',
    'message.dropped': 'dropped',
    'message.expired': 'bounce',
  });
});

test('an event says what SendGrid’s says, and the same event gives the same text', () => {
  const bounce = { kind: 'hard', diagnostic: '550 5.1.1 no such user', enhanced_code: '5.1.1' };
  expect(event('message.bounced', bounce)).toEqual([
    {
      email: 'ann@example.net',
      timestamp: 1_795_348_800,
      event: 'bounce',
      type: 'bounce',
      reason: '550 5.1.1 no such user',
      status: '5.1.1',
      sg_event_id: 'evt_1',
      sg_message_id: 'msg_1',
    },
  ]);
  expect(event('message.bounced', { ...bounce, kind: 'soft' })[0].type).toBe('blocked');
  const click = { url: 'https://example.com/', user_agent: 'Mozilla/5.0', ip: '192.0.2.1' };
  expect(event('message.clicked', click)[0]).toMatchObject({
    url: click.url,
    useragent: 'Mozilla/5.0',
    ip: click.ip,
  });
  expect(event('message.opened', { machine_open: true })[0].sg_machine_open).toBe(true);
  expect(body('message.clicked', click)).toBe(body('message.clicked', click));
});

test('tags are categories and arguments, and none passes for a field of SendGrid’s', () => {
  const tags = (...list: [string, string][]) => list.map(([name, value]) => ({ name, value }));
  const of = (...list: [string, string][]) => event('message.delivered', {}, tags(...list))[0];
  expect(of(['category', 'a'], ['order', '1'])).toMatchObject({ category: 'a', order: '1' });
  expect(of(['category', 'a'], ['category', 'b'])).toMatchObject({ category: ['a', 'b'] });
  expect(
    of(['email', 'x'], ['event', 'bounce'], ['sg_message_id', 'x'], ['timestamp', '1'], ['reason', 'x']),
  ).toEqual({
    email: 'ann@example.net',
    event: 'delivered',
    response: '',
    sg_event_id: 'evt_1',
    sg_message_id: 'msg_1',
    timestamp: 1_795_348_800,
  });
  for (const none of [null, 'x', [null], undefined])
    expect(event('message.delivered', {}, none)).toHaveLength(1);
});
