// Mail of the sample account: templates, contacts, campaigns, single messages with every outcome, and mail that came in.

import { createTransport } from 'nodemailer';

import { sleep } from '../../core/base/clock.ts';
import type { Connection } from '../start/connection.ts';
import type { Ask } from './ask.ts';

const CONTACTS = 400;
const WAIT_MS = 60_000;
const LOOK_MS = 2_000; // a key has 60 requests a minute
const FIRST_NAMES = ['Ann', 'Ben', 'Carla', 'Dev', 'Elif', 'Finn', 'Grace', 'Hugo'];
const CITIES = ['Bern', 'Lyon', 'Porto', 'Graz', 'Ghent'];

/** Makes all of it and waits until it has come through. Returns the id of a message that was deferred. */
export async function makeSampleMail(
  ask: Ask,
  connection: Connection,
  domain: string,
  hookUrl: string,
): Promise<string> {
  await ask('POST', '/webhooks', {
    url: hookUrl,
    event_types: ['*'],
    description: 'Order system, production',
  });
  const templateId = await addTemplates(ask);
  await importContacts(ask);
  await addCampaigns(ask, domain, templateId);
  const messageId = await sendSome(ask, domain);
  await ask('POST', '/suppressions', { emails: ['old@example.net', 'gone@example.org'] });
  await receive(ask, connection, domain, hookUrl);
  return messageId;
}

async function addTemplates(ask: Ask): Promise<string> {
  await ask('POST', '/templates', {
    name: 'Password reset',
    subject: 'Set a new password',
    html: '<p>Hello {{ name }}, <a href="{{ url }}">set a new password</a>.</p>',
    variables: [
      { name: 'name', required: true },
      { name: 'url', required: true },
    ],
  });
  const receipt = await ask('POST', '/templates', {
    name: 'June news',
    subject: '{{ first_name }}, June is here',
    html: [
      '<div style="font-family:sans-serif;max-width:480px;margin:auto">',
      '  <h1 style="color:#0b6e4f">Fresh for June</h1>',
      '  <p>Hello {{ first_name | default: "there" }}, this is what {{ city }} reads this month.</p>',
      '  <p><a href="https://acme.example/june">Read all of it</a></p>',
      '</div>',
    ].join('\n'),
    variables: [
      { name: 'first_name', default: 'there' },
      { name: 'city', default: 'your city' },
    ],
  });
  return receipt.id;
}

async function importContacts(ask: Ask): Promise<void> {
  const rows = Array.from({ length: CONTACTS }, (_, n) => {
    const kind = n % 60 === 59 ? 'bounced' : n % 130 === 129 ? 'complained' : 'delivered';
    return `${kind}+reader${n}@simulator.test,${FIRST_NAMES[n % 8]},${CITIES[n % 5]}`;
  });
  rows.splice(120, 0, 'not an address,Eve,Genf');
  const list = await ask('POST', '/contacts/lists', { name: 'Readers' });
  const csv = `email,first_name,city\n${rows.join('\n')}\n`;
  const { id } = await ask('POST', `/contacts/import?list_id=${list.id}`, csv, 'text/csv');
  await until(async () => (await ask('GET', `/contacts/imports/${id}`)).finished_at !== null);
}

async function addCampaigns(ask: Ask, domain: string, templateId: string): Promise<void> {
  const common = { from: `Acme <news@${domain}>`, audience: { all: true }, track_opens: true };
  const news = await ask('POST', '/campaigns', { ...common, name: 'June news', template_id: templateId });
  await ask('POST', '/campaigns', {
    ...common,
    name: 'Summer sale',
    subject: 'It begins on Monday',
    html: '<p>Hello {{ first_name }}, save the date.</p>',
  });
  await ask('POST', `/campaigns/${news.id}/launch`, {});
  await until(async () => ['completed', 'sent'].includes((await ask('GET', `/campaigns/${news.id}`)).status));
}

async function sendSome(ask: Ask, domain: string): Promise<string> {
  const send = (to: string, subject: string) =>
    ask('POST', '/transactional/send', {
      from: `Acme <orders@${domain}>`,
      to: `${to}@simulator.test`,
      subject,
      html: `<p>${subject}. Thank you.</p>`,
    });
  for (let n = 0; n < 12; n++) await send(`delivered+buyer${n}`, `Your order ${10_423 + n} is on its way`);
  await send('bounced+nobody', 'Your invoice');
  await send('deferred+full', 'Your receipt');
  const soft = await send('softbounced+busy', 'Your booking');
  await until(async () => (await ask('GET', `/transactional/${soft.id}`)).status === 'deferred');
  return soft.id;
}

async function receive(ask: Ask, connection: Connection, domain: string, hookUrl: string): Promise<void> {
  await ask('PATCH', '/settings/inbound-webhook', { webhook_url: hookUrl, enabled: true });
  await ask('POST', '/mail/mailboxes', { address: `support@${domain}`, name: 'Support' });
  await ask('POST', '/mail/mailboxes', { address: `*@${domain}`, name: 'Everything else' });
  const transport = createTransport({
    host: connection.inbound_smtp.host,
    port: connection.inbound_smtp.port,
    tls: { rejectUnauthorized: false },
  });
  await transport.sendMail({
    from: 'Carla Rossi <carla@simulator.test>',
    to: `support@${domain}`,
    subject: 'Where is my order?',
    text: 'Hello, order 10423 has not come yet.',
  });
  await transport.sendMail({
    from: 'Hugo Weber <hugo@simulator.test>',
    to: `support@${domain}`,
    subject: 'The lamp came broken',
    html: '<h2 style="color:#8a1c1c">It came broken</h2><p>Please look at the picture.</p><img src="https://tracker.example/pixel.gif" alt="">',
    attachments: [{ filename: 'lamp.txt', content: 'a broken lamp' }],
  });
  transport.close();
  await until(async () => (await ask('GET', '/mail/messages')).items.length === 2);
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(WAIT_MS);
  while (!(await done())) {
    if (limit.aborted) throw new Error(`waited ${WAIT_MS} ms in vain for ${done.toString()}`);
    await sleep(LOOK_MS);
  }
}
