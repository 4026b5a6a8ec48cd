// The simulator's DNS (RFC 1035) over UDP and TCP on one port: what the zone has, NXDOMAIN otherwise, an empty
// answer for a known name without such records.

import { createServer, Packet, type DnsServer } from 'dns2';

import { freePort } from '../servers/free-port.ts';
import type { DnsRecord, Zone } from './zone.ts';

/** A listening DNS server. */
export interface DnsListener {
  port: number;
  stop(): Promise<void>;
}

const TTL_SECONDS = 1; // a record that a test adds or removes should be seen at once
const TXT_STRING_OCTETS = 255; // RFC 1035 section 3.3: the longest character-string
const MAX_ALIASES = 8; // CNAMEs that are followed within the zone
const DEFAULT_MX_PRIORITY = 10;
const PORT_TRIES = 5;

type Resource = Record<string, unknown>;

/** Listens on 127.0.0.1, UDP and TCP. Port 0 picks one that is free for both. */
export async function startDnsServer(zone: Zone, port: number): Promise<DnsListener> {
  for (let attempt = 1; ; attempt++) {
    const wanted = port === 0 ? await freePort() : port;
    try {
      return await listen(zone, wanted);
    } catch (error) {
      if (port !== 0 || attempt === PORT_TRIES) throw error;
    }
  }
}

async function listen(zone: Zone, port: number): Promise<DnsListener> {
  const server: DnsServer = createServer({
    udp: { type: 'udp4' },
    tcp: true,
    handle: (request, send) => void send(answer(zone, request)),
  });
  const address = { port, address: '127.0.0.1' };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ udp: address, tcp: address }).then(() => resolve(), reject);
  });
  server.removeAllListeners('error');
  server.on('error', () => {}); // a client that went away
  return { port, stop: () => server.close() };
}

function answer(zone: Zone, request: Packet): Packet {
  const response = Packet.createResponseFromRequest(request);
  response.header.aa = 1;
  const question = request.questions[0];
  if (question === undefined) return response;
  let queried = question.name;
  for (let hop = 0; hop < MAX_ALIASES; hop++) {
    const records = zone.find(queried);
    if (records === undefined) {
      if (hop === 0) response.header.rcode = Packet.RCODE.NXDOMAIN;
      return response;
    }
    const alias = records.find((record) => record.type === 'CNAME');
    const wanted = records.filter((record) => isAsked(record, question.type));
    for (const record of wanted.length > 0 || !alias ? wanted : [alias]) {
      response.answers.push({
        name: queried,
        class: Packet.CLASS.IN,
        ttl: TTL_SECONDS,
        ...content(record),
      } as never);
    }
    if (wanted.length > 0 || !alias) return response;
    queried = alias.value;
  }
  return response;
}

function isAsked(record: DnsRecord, type: number | undefined): boolean {
  return type === Packet.TYPE.ANY || type === Packet.TYPE[record.type];
}

function content(record: DnsRecord): Resource {
  const type = Packet.TYPE[record.type];
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { type, address: record.value };
    case 'MX':
      return { type, exchange: record.value, priority: record.priority ?? DEFAULT_MX_PRIORITY };
    case 'TXT':
      return { type, data: characterStrings(record.value) };
    case 'CNAME':
    case 'PTR':
      return { type, domain: record.value };
    case 'NS':
      return { type, ns: record.value };
    default:
      return record satisfies never;
  }
}

function characterStrings(text: string): Buffer[] {
  const octets = Buffer.from(text, 'utf8');
  const strings: Buffer[] = [];
  for (let start = 0; start === 0 || start < octets.length; start += TXT_STRING_OCTETS)
    strings.push(octets.subarray(start, start + TXT_STRING_OCTETS));
  return strings;
}
