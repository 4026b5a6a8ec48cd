// The mail servers of the world and their DNS: a process of its own, so that nothing that the load does makes its clock
// late. It keeps the wire log: what came when, byte for byte as a hash, and whether the answer could be given.

import { createServer, type AddressInfo, type Socket } from 'node:net';

import { sleep } from '../../core/base/clock.ts';
import { startDnsServer } from '../../local/simulator/dns-server.ts';
import { Zone } from '../../local/simulator/zone.ts';
import { journalMs, openJournal } from '../journal.ts';
import type { SinkNews, SinkOrder } from '../outside.ts';
import { canonical } from '../spelling.ts';
import { createDescribe } from './describe.ts';
import { createReader } from './reader.ts';
import { beforeGoAheadMs, beforeRecipientMs, onMessage, onRecipient } from './verdicts.ts';

const END_OF_DATA = '\r\n.\r\n'; // no message of ours is empty
const REPLIES: Record<string, string> = {
  EHLO: '250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 26214400',
  DATA: '503 5.5.1 no recipient',
  QUIT: '221 2.0.0 bye',
};

const PROGRESS_MS = 1_000;

const journal = openJournal(process.argv[2]!, 'sink');
const zone = new Zone();
const asked = new Map<string, { rcpt: number; dot: number; firstDay: string }>();
let today = '';
let connections = 0;
let transactions = 0;
let taken = 0;
let describe: ReturnType<typeof createDescribe>;

process.on('message', (order: SinkOrder) => void obey(order));
process.on('disconnect', () => process.exit(0));
await listen();
setInterval(() => say({ taken }), PROGRESS_MS);

function say(news: SinkNews): void {
  process.send?.(news);
}

async function obey(order: SinkOrder): Promise<void> {
  if ('day' in order) today = order.day;
  else {
    await zone.add(order.records);
    say({ added: order.records.length });
  }
}

async function listen(): Promise<void> {
  const server = createServer({ noDelay: true }, (socket) => void converse(socket));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const dns = await startDnsServer(zone, 0);
  const smtpPort = (server.address() as AddressInfo).port;
  const dnsAddress = `127.0.0.1:${dns.port}`;
  describe = createDescribe(dnsAddress);
  say({ smtpPort, dnsAddress });
}

interface Transaction {
  connection: number;
  transaction: number;
  recipient: string;
}

interface Talk {
  socket: Socket;
  connection: number;
  read: ReturnType<typeof createReader>;
  mailFrom: string;
  /** After a good RCPT. */
  current: Transaction | null;
  /** Number of the transaction that is between DATA and verdict. */
  inData: number | null;
  /** The script said that the connection is over. */
  hungUp: boolean;
}

async function converse(socket: Socket): Promise<void> {
  const connection = ++connections;
  const talk: Talk = {
    socket,
    connection,
    read: createReader(socket),
    mailFrom: '',
    current: null,
    inData: null,
    hungUp: false,
  };
  socket.on('error', () => {});
  socket.on('close', () => {
    const by = talk.hungUp ? 'sink' : 'peer';
    journal.append({ kind: 'closed', connection, transaction: talk.inData, by });
  });
  await write(socket, '220 sink.test ESMTP');
  for (;;) {
    const line = (await talk.read('\r\n'))?.toString('utf8').trimEnd();
    if (line === undefined) return;
    const verb = line.split(/[ :]/)[0]!.toUpperCase();
    const goesOn =
      verb === 'DATA' && talk.current ? await receive(talk, talk.current) : await answer(talk, verb, line);
    if (goesOn) continue;
    talk.hungUp = true;
    return void socket.end();
  }
}

async function answer(talk: Talk, verb: string, line: string): Promise<boolean> {
  const address = /<(.*?)>/.exec(line)?.[1] ?? '';
  if (verb === 'EHLO')
    journal.append({ kind: 'connected', connection: talk.connection, helo: line.slice(5) });
  if (verb === 'MAIL') talk.mailFrom = address;
  if (verb === 'MAIL' || verb === 'RSET') talk.current = null;
  const pauseMs = verb === 'RCPT' ? beforeRecipientMs(canonical(address)) : 0;
  if (pauseMs > 0) await sleep(pauseMs);
  await write(talk.socket, verb === 'RCPT' ? onRcpt(talk, address) : (REPLIES[verb] ?? '250 2.0.0 ok'));
  return verb !== 'QUIT';
}

function onRcpt(talk: Talk, written: string): string {
  const { connection, mailFrom } = talk;
  const recipient = canonical(written);
  const transaction = { connection, transaction: ++transactions, recipient };
  const reply = onRecipient(situation(recipient, 'rcpt'));
  journal.append({ kind: 'rcpt', ...transaction, mailFrom, reply });
  if (reply.startsWith('2')) talk.current = transaction;
  return reply;
}

// DATA, the message and the verdict. False when the connection is over.
async function receive(talk: Talk, transaction: Transaction): Promise<boolean> {
  const goOn = '354 go on';
  journal.append({ kind: 'data', ...transaction, reply: goOn });
  talk.inData = transaction.transaction;
  const pauseMs = beforeGoAheadMs(transaction.recipient);
  if (pauseMs > 0) await sleep(pauseMs);
  journal.append({ kind: 'go_ahead', ...transaction });
  await write(talk.socket, goOn);
  const wire = await talk.read(END_OF_DATA);
  if (wire === null) return false;
  const cameAt = journalMs();
  journal.append({ kind: 'dot', ...transaction, ...(await describe(wire)) }, cameAt);
  const { reply, afterMs } = onMessage(situation(transaction.recipient, 'dot'));
  if (afterMs > 0) await sleep(afterMs);
  if (reply === null) return false;
  const written = await write(talk.socket, reply);
  journal.append({ kind: 'verdict', ...transaction, reply, written });
  talk.current = null;
  talk.inData = null;
  if (reply.startsWith('2')) taken += 1;
  return !reply.startsWith('421'); // RFC 5321 section 3.8: who says 421 closes
}

function situation(recipient: string, step: 'rcpt' | 'dot') {
  const known = asked.get(recipient) ?? { rcpt: 0, dot: 0, firstDay: today };
  asked.set(recipient, known);
  return { recipient, before: known[step]++, today, firstDay: known.firstDay };
}

// Whether the socket took it.
function write(socket: Socket, reply: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (!socket.writable) return resolve(false);
    socket.write(`${reply}\r\n`, (error) => resolve(!error));
  });
}
