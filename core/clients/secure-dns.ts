// DNS look-ups that say whether the resolver validated the answer (the AD bit, RFC 4035 section 3.2.3), and TLSA records
// (RFC 6698). Node's resolver has neither. The bit is worth as much as the resolver and the line to it: whoever uses this
// has asked the operator first.
//
// One datagram per question, over TCP when the answer is cut off; both are bounded in time.

import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { connect } from 'node:net';
import dns2 from 'dns2';

import type { Config } from '../base/config.ts';

const { Packet } = dns2;

/** What came back. `secure`: the resolver says that DNSSEC proves it, also where there are no records. */
type SecureAnswer<T> = { ok: true; secure: boolean; records: T[] } | { ok: false; detail: string };

/** One TLSA record. */
export interface TlsaRecord {
  usage: number;
  selector: number;
  matching: number;
  data: Buffer;
}

/** The look-ups of one process; nothing is cached here. They never throw. */
export interface SecureDns {
  /** Names of the MX hosts, lower case, without the last dot. */
  mx(name: string): Promise<SecureAnswer<string>>;
  /** Whether the address records of a host are proven; the records themselves come from core/clients/dns.ts. */
  address(name: string): Promise<SecureAnswer<string>>;
  tlsa(name: string): Promise<SecureAnswer<TlsaRecord>>;
}

const TRY_MS = 2_500;
const TRIES = 2;
const MAX_TCP_OCTETS = 65_537; // what the length prefix can say
const TLSA = 52;

/** Makes the look-ups. */
export function createSecureDns({ DNS_SERVERS }: Pick<Config, 'DNS_SERVERS'>): SecureDns {
  const servers = (DNS_SERVERS.length > 0 ? DNS_SERVERS : getServers()).map(parseServer);
  const ask = (name: string, type: number) => askServers(servers, name, type);
  return {
    mx: (name) =>
      read(ask(name, Packet.TYPE.MX), (record) => record.exchange?.toLowerCase().replace(/\.$/, '')),
    address: (name) => read(ask(name, Packet.TYPE.A), (record) => record.address),
    tlsa: (name) => read(ask(name, TLSA), readTlsa),
  };
}

// Its types lack the bit that it reads and writes (RFC 4035 section 3.2.3).
type Packet = InstanceType<typeof Packet> & { header: { ad: 0 | 1 } };
type Resource = Packet['answers'][number];
type Server = { host: string; port: number };

async function read<T>(
  asked: Promise<{ response: Packet; type: number } | string>,
  readOne: (record: Resource) => T | undefined,
): Promise<SecureAnswer<T>> {
  const answer = await asked;
  if (typeof answer === 'string') return { ok: false, detail: answer };
  const { response, type } = answer;
  const records = response.answers.filter((record) => record.type === type).map(readOne);
  return { ok: true, secure: response.header.ad === 1, records: records.filter((one) => one !== undefined) };
}

function readTlsa({ data }: Resource): TlsaRecord | undefined {
  if (!Buffer.isBuffer(data) || data.length < 4) return undefined;
  return { usage: data[0]!, selector: data[1]!, matching: data[2]!, data: data.subarray(3) };
}

// One server after the other, twice. What a server says is final, but for SERVFAIL and the like.
async function askServers(
  servers: Server[],
  name: string,
  type: number,
): Promise<{ response: Packet; type: number } | string> {
  let detail = 'no DNS server is known';
  for (let n = 0; n < TRIES * servers.length; n += 1) {
    const answer = await askOne(servers[n % servers.length]!, name, type);
    if (typeof answer === 'string') {
      detail = answer;
      continue;
    }
    const { rcode } = answer.header;
    const final = rcode === Packet.RCODE.NOERROR || rcode === Packet.RCODE.NXDOMAIN;
    if (final && answer.errors.length === 0) return { response: answer, type };
    detail = `rcode ${rcode}`;
  }
  return `DNS: ${detail} for ${name}`;
}

async function askOne(server: Server, name: string, type: number): Promise<Packet | string> {
  const query = new Packet() as Packet;
  query.header.id = Packet.uuid();
  query.header.rd = 1;
  query.header.ad = 1; // asks for the bit in the answer (RFC 6840 section 5.7)
  query.questions.push(new Packet.Question(name, type, Packet.CLASS.IN));
  try {
    const bytes = query.toBuffer();
    const overUdp = await exchange((done) => askByUdp(server, bytes, query.header.id, done));
    if (typeof overUdp === 'string' || overUdp.header.tc !== 1) return overUdp;
    return await exchange((done) => askByTcp(server, bytes, query.header.id, done));
  } catch (error) {
    return (error as Error).message; // a name that DNS cannot carry
  }
}

type Done = (result: Packet | string) => void;

function exchange(start: (done: Done) => () => void): Promise<Packet | string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done('no answer in time'), TRY_MS);
    const done: Done = (result) => {
      clearTimeout(timer);
      close();
      resolve(result);
    };
    const close = start(done);
  });
}

// A socket of its own for each question: a random port beside the random id (RFC 5452).
function askByUdp({ host, port }: Server, query: Buffer, id: number, done: Done): () => void {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', (error) => done(error.message));
  socket.on('message', (message) => {
    const answer = parse(message, id);
    if (answer) done(answer);
  });
  socket.connect(port, host, () => socket.send(query));
  return () => socket.close();
}

function askByTcp({ host, port }: Server, query: Buffer, id: number, done: Done): () => void {
  const socket = connect({ host, port });
  let received = Buffer.alloc(0);
  socket.on('error', (error) => done(error.message));
  socket.on('close', () => done('the DNS server hung up'));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]).subarray(0, MAX_TCP_OCTETS);
    const length = received.length < 2 ? Infinity : received.readUInt16BE(0);
    if (received.length >= length + 2) done(parse(received.subarray(2, length + 2), id) ?? 'not an answer');
  });
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(query.length);
  socket.write(Buffer.concat([prefix, query]));
  return () => socket.destroy();
}

function parse(message: Buffer, id: number): Packet | null {
  try {
    const packet = Packet.parse(message) as Packet;
    return packet.header.id === id && packet.header.qr === 1 ? packet : null;
  } catch {
    return null;
  }
}

// `ip`, `ip:port` or `[ipv6]:port`.
function parseServer(text: string): Server {
  const parts = /^\[(.+)\](?::(\d+))?$|^([^:]+)(?::(\d+))?$/.exec(text);
  return { host: parts?.[1] ?? parts?.[3] ?? text, port: Number(parts?.[2] ?? parts?.[4] ?? 53) };
}
