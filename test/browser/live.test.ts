// Live views: the line comes back by itself after the api was unavailable, without a new sign-in.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { complaintsOf, noBrowser, openBrowserWorld, signIn, type BrowserWorld } from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';
import { login } from '../harness/sign-in.ts';
import { subscribe } from '../harness/sse.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const QUERY = 'subscription { messageUpdated { id } }';

describe.skipIf(skips(noBrowser))('live views', () => {
  let world: BrowserWorld;
  let wire: TcpProxy;
  beforeAll(async () => {
    world = await openBrowserWorld();
    wire = await startTcpProxy('127.0.0.1', world.api.port);
    world.api.deps.config.PUBLIC_URL = `https://localhost:${wire.port}`; // what the browser calls it
  });
  afterAll(async () => {
    await wire.close();
    await world.close();
  });

  test('cut off, and back', async () => {
    const page = await world.openPage();
    const complaints = complaintsOf(page);
    await page.goto(`https://localhost:${wire.port}/events`);
    await signIn(page, world.owner);
    const dot = page.getByRole('status').filter({ hasText: /^(Live|Connecting)$/ });
    await dot.getByText('Live').first().waitFor();
    wire.cut();
    await dot.getByText('Connecting').first().waitFor();
    wire.mend();
    await dot.getByText('Live').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a stream that has gone silent without an end is noticed within 20 seconds, and comes back', async () => {
    const page = await world.openPage();
    await page.goto(`https://localhost:${wire.port}/events`);
    await signIn(page, world.owner);
    const dot = page.getByRole('status').filter({ hasText: /^(Live|Connecting)$/ });
    await dot.getByText('Live').first().waitFor();
    wire.freeze();
    const startedAt = performance.now();
    await dot.getByText('Connecting').first().waitFor({ timeout: 40_000 });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    wire.thaw();
    await dot.getByText('Live').first().waitFor({ timeout: 40_000 });
  });

  test('where a tenant has its most, the page says so, asks no sooner than the api wants, and comes in', async () => {
    const { tenant, owner } = world;
    const person = { ...owner, tenantId: tenant.id };
    const tokens = await Promise.all(Array.from({ length: 5 }, () => login(world.api, person)));
    const others = await Promise.all(
      tokens.flatMap(({ token }) =>
        Array.from({ length: 20 }, () => subscribe(world.api.port, token, QUERY)),
      ),
    );
    expect(others.filter(({ refused }) => refused.length === 0).length).toBeGreaterThan(90); // pages of other tests have the rest
    const page = await world.openPage();
    const refusedAt: number[] = [];
    page.on('response', (answer) => void (answer.status() === 429 && refusedAt.push(performance.now())));
    await page.goto(`https://localhost:${wire.port}/events`);
    await signIn(page, owner);
    await waitUntil(() => refusedAt.length > 1);
    expect(refusedAt[1]! - refusedAt[0]!).toBeGreaterThan(9_000); // Retry-After: 10
    await page.getByRole('status').filter({ hasText: 'Connecting' }).first().waitFor();
    for (const one of others) one.hangUp();
    await page.getByRole('status').filter({ hasText: 'Live' }).first().waitFor();
    expect(refusedAt.length).toBeLessThan(5);
  });

  test('a server that is unavailable at page load says so, and the session is kept', async () => {
    const page = await world.openPage();
    await page.goto(`https://localhost:${wire.port}/profile`);
    await signIn(page, world.owner);
    await page.route('**/graphql', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  test('opened at another address, the page names its own', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/profile`);
    await page.getByText(`The dashboard is at ${world.api.deps.config.PUBLIC_URL}`).waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
  });
});
