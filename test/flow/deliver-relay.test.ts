// Mail by way of a relay: by weight, by wish of the message, with a login.

import { afterEach, expect, test } from 'vitest';

import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { startSmtpPeer, type PeerScript, type SmtpPeer } from '../harness/smtp-peer.ts';

let world: DeliveryWorld;
let relay: SmtpPeer;

afterEach(async () => {
  await world.close();
  await relay.close();
});

async function start(script: PeerScript, url: (port: number) => string): Promise<void> {
  relay = await startSmtpPeer(script);
  const routes = [
    { name: 'direct', weight: 1 },
    { name: 'postal', weight: 0, url: url(relay.port) },
  ];
  world = await createDeliveryWorld({ OUTBOUND_ROUTES: JSON.stringify(routes) });
  await world.open();
}

test('a message that names a relay goes there, and not to the MX of its recipient', async () => {
  await start({}, (port) => `smtp://127.0.0.1:${port}`);
  const direct = await world.startPeer('both.test');
  const [pinned, free] = [
    await world.queue('pinned@both.test', { esp: 'postal' }),
    await world.queue('free@both.test'),
  ];
  await world.untilState(pinned, 'delivered');
  await world.untilState(free, 'delivered');
  expect(relay.messages.map((message) => message.rcptTo)).toEqual(['pinned@both.test']);
  expect(direct.messages.map((message) => message.rcptTo)).toEqual(['free@both.test']);
  expect(await world.rows('select esp from message_attempts where message_id = $1', [pinned])).toEqual([
    { esp: 'postal' },
  ]);
});

test('the login of the URL is used; a refused one keeps the mail waiting', async () => {
  const logins: string[] = [];
  const auth = (login: string) => {
    logins.push(login);
    return logins.length === 1 ? '535 5.7.8 not today' : '235 2.7.0 welcome';
  };
  await start(
    { auth, extensions: ['PIPELINING', 'AUTH PLAIN'] },
    (port) => `smtp://me:s%40cret@127.0.0.1:${port}?tls=off`,
  );
  const id = await world.queue('ann@anywhere.test', { esp: 'postal' });
  await world.untilState(id, 'delivered');
  expect(logins).toEqual(['me s@cret', 'me s@cret']);
  expect(await world.rows('select command, outcome from message_attempts order by attempt')).toMatchObject([
    { command: 'AUTH', outcome: 'deferred' },
    { outcome: 'delivered' },
  ]);
});

test('a login is never sent without TLS unless the URL says so', async () => {
  await start({ extensions: ['AUTH PLAIN'] }, (port) => `smtp://me:secret@127.0.0.1:${port}`);
  const id = await world.queue('ann@anywhere.test', { esp: 'postal' });
  await world.untilState(id, 'deferred');
  expect(relay.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(0);
});
