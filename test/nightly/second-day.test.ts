// The second day of three people, on the service as `npm start -- --clock` starts it: a developer whose mail waits, a marketing
// person whose campaign takes two days, and an operator whose customer's domain was paused in the night. The night passes by
// itself, with its release and its jobs.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import type { Browser, Page } from 'playwright-core';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { withMovedClock } from '../../local/clock/moved-clock.ts';
import { findLibfaketime } from '../../local/clock/process-clock.ts';
import { walk } from '../../local/clock/walk.ts';
import { startWatchdog, type Watchdog } from '../../local/servers/watchdog.ts';
import { simulatorClient, type SimulatorClient } from '../../local/simulator/client.ts';
import type { DnsRecordInput } from '../../local/simulator/zone.ts';
import type { Started } from '../../local/start/banner.ts';
import { startAll, type StopSteps } from '../../local/start/start-all.ts';
import { complaintsOf, launchBrowser, noBrowser, violationsOf, signIn } from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';

const ROOT = join(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
const CAP = 50; // of tier 0
const noClock =
  (await findLibfaketime()) === null ? 'libfaketime is not installed (apt-get install libfaketime)' : null;

interface Sent {
  id: string;
  status: string;
  deferred_until: string | null;
}

describe.skipIf(skips(noBrowser ?? noClock))('two days', () => {
  const steps: StopSteps = [];
  let watchdog: Watchdog;
  let folder: string;
  let started: Started;
  let simulator: SimulatorClient;
  let browser: Browser;
  let agent: Agent;
  let today: Date;
  const seen = { receipt: '', campaign: '' };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-clock-'));
    watchdog = startWatchdog();
    const own = { DATABASE_URL: undefined, REDIS_URL: undefined, NATS_URL: undefined };
    const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('TEST_'));
    const env = { ...Object.fromEntries(ours), ...own };
    started = await startAll({ root: ROOT, folder, env, watchdog, log: () => {}, clock: true }, steps);
    simulator = simulatorClient(started.connection.simulator.http_port);
    agent = new Agent({ connect: { ca: await readFile(started.connection.ca_file, 'utf8') } });
    browser = await launchBrowser();
    today = await now();
    for (const name of ['shop', 'news', 'bouncing']) await verified(`${name}.example.com`);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await agent?.close();
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step();
    watchdog?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a developer reads for what a receipt waits, and until when', async () => {
    const receipts = await sendAll(
      'shop.example.com',
      Array.from({ length: CAP + 2 }, (_, n) => `delivered+r${n}`),
    );
    const waiting = receipts.filter(({ status }) => status === 'deferred');
    expect(waiting.map((one) => one.deferred_until)).toEqual([midnight(), midnight()]);
    seen.receipt = waiting[0]!.id;
    const developer = await signedIn(started.connection.dashboard);
    await developer.goto(`/messages/${seen.receipt}`);
    const until = `Waits until ${midnight().slice(0, 10)} 00:00 UTC`;
    await developer
      .getByText(`${until}: ${CAP} of ${CAP} messages of the day's cap (tier 0) are used.`)
      .waitFor();
    expect(await violationsOf(developer)).toEqual([]);
  });

  test('a marketing person launches a campaign, and is told that it takes two days', async () => {
    const marketing = await signedIn(started.connection.dashboard);
    seen.campaign = await makeCampaign(CAP + 10);
    await marketing.goto(`/campaigns/${seen.campaign}/edit/review`);
    await marketing.getByRole('button', { name: 'Launch' }).first().click();
    const dialog = marketing.getByRole('dialog');
    await dialog.getByText(`${CAP} of ${CAP + 10} messages are sent today`).waitFor();
    await dialog.getByRole('button', { name: 'Launch' }).click();
    await marketing.getByRole('img', { name: `Delivered ${CAP}, Deferred 10` }).waitFor();
  });

  test('an operator sees what waits, by its reason', async () => {
    const bounces = Array.from({ length: 40 }, (_, n) => (n % 5 === 0 ? `bounced+${n}` : `delivered+b${n}`));
    await sendAll('bouncing.example.com', bounces);
    const operator = await signedIn(started.admin);
    await operator.goto('/admin');
    const waits = operator.getByRole('table', { name: 'Waiting mail' });
    await waits.getByRole('row', { name: 'shop.example.com' }).getByText(/cap/i).waitFor();
    expect(await violationsOf(operator)).toEqual([]);
  });

  test('the night passes', { timeout: 180_000 }, async () => {
    const to = new Date(Date.parse(midnight()) + DAY_MS / 2);
    await withMovedClock(folder, started.connection.database_url, (calendar) =>
      walk({ calendar, to, log: () => {}, signal: new AbortController().signal }),
    );
    expect((await now()) >= to).toBe(true);
  });

  test('a developer finds what waited delivered, and reads why it took so long', async () => {
    const page = await signedIn(started.connection.dashboard);
    const complaints = complaintsOf(page);
    await page.goto(`/messages/${seen.receipt}`);
    await page.getByText('delivered', { exact: true }).first().waitFor();
    await page.getByText(`${CAP} of ${CAP} messages of the day's cap (tier 0)`).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('a marketing person finds the campaign sent to everybody', async () => {
    const page = await signedIn(started.connection.dashboard);
    await page.goto(`/campaigns/${seen.campaign}`);
    await page.getByRole('img', { name: `Delivered ${CAP + 10}` }).waitFor();
    await page.getByText('sent', { exact: true }).first().waitFor();
  });

  test('an operator finds the domain that the night paused, resumes it, and the log names them', async () => {
    const name = 'bouncing.example.com';
    expect(await send(name, 'delivered+while-paused')).toMatchObject({ error: 'domain_paused' });
    const page = await signedIn(started.admin);
    await page.goto('/admin');
    const row = page.getByRole('table', { name: 'Domains' }).getByRole('row', { name });
    await row.filter({ hasText: 'paused' }).getByRole('link').first().click();
    await page.getByRole('button', { name: `Override warm-up of ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the list was cleaned');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(`Warm-up of ${name} changed`).waitFor();
    expect(await send(name, 'delivered+after')).toMatchObject({ data: { status: 'queued' } });
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const log = page.getByRole('table', { name: 'Audit log' });
    await log
      .getByRole('row', { name: /the list was cleaned|resumed/ })
      .getByText(started.admin.email)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('somebody who lost their password gets in again', async () => {
    const { email } = started.connection.dashboard;
    const page = await openPage();
    await page.goto('/');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: /link/ }).click();
    const reset = async () => {
      const mails = await Promise.all(
        (await simulator.messages({ to: email })).map(({ raw }) => simpleParser(Buffer.from(raw))),
      );
      return mails.flatMap(({ text }) => /\/reset-password\/[\w.-]+/.exec(text ?? '') ?? []).at(0);
    };
    await expect.poll(reset).toBeDefined();
    await page.goto((await reset())!);
    const password = 'a new one for the second day';
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(page, { email, password });
  });

  const midnight = () => new Date(Math.floor(today.getTime() / DAY_MS + 1) * DAY_MS).toISOString();

  const now = () => withMovedClock(folder, started.connection.database_url, (calendar) => calendar.now());

  async function api<T>(path: string, body?: object): Promise<T> {
    const { base_url: baseUrl, api_key: key } = started.connection;
    const response = await fetch(`${baseUrl}${path}`, {
      dispatcher: agent,
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  async function verified(name: string): Promise<void> {
    type Made = { data: { id: string; records: DnsRecordInput[] } };
    const { data } = await api<Made>('/mail/domains', { name });
    await simulator.addRecords(data.records);
    expect(await api(`/mail/domains/${data.id}/verify`, {})).toMatchObject({ data: { status: 'verified' } });
  }

  const letter = (domain: string, local: string) => ({
    from: `hello@${domain}`,
    to: `${local}@simulator.test`,
    subject: 'Your receipt',
    text: 'Thank you.',
  });

  const send = (domain: string, local: string) => api<object>('/transactional/send', letter(domain, local));

  async function sendAll(domain: string, locals: string[]): Promise<Sent[]> {
    const messages = locals.map((local) => letter(domain, local));
    return (await api<{ data: { items: Sent[] } }>('/transactional/batch', { messages })).data.items;
  }

  async function makeCampaign(size: number): Promise<string> {
    const list = await api<{ data: { id: string } }>('/contacts/lists', { name: 'Readers' });
    const contacts = Array.from({ length: size }, (_, n) => ({ email: `delivered+c${n}@simulator.test` }));
    const made = await api<{ data: { id: string } }>('/contacts/import', { contacts, list_id: list.data.id });
    const status = async () =>
      (await api<{ data: { status: string } }>(`/contacts/imports/${made.data.id}`)).data.status;
    await expect.poll(status).toBe('completed');
    const { data } = await api<{ data: { id: string } }>('/campaigns', {
      name: 'Two days',
      from: 'News <news@news.example.com>',
      subject: 'News',
      text: 'What is new. {{ unsubscribe_url }}',
      audience: { list_id: list.data.id },
    });
    return data.id;
  }

  async function openPage(): Promise<Page> {
    const baseURL = started.connection.dashboard_url;
    return (await browser.newContext({ baseURL, ignoreHTTPSErrors: true })).newPage();
  }

  async function signedIn(person: { email: string; password: string }): Promise<Page> {
    const page = await openPage();
    await page.goto('/');
    await signIn(page, person);
    return page;
  }
});
