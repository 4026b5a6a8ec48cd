// A DNS server that a test fills. A name with records of another type is NODATA, an unknown one NXDOMAIN; names can be
// made to fail (SERVFAIL) or to get no answer at all.

import dns2 from 'dns2';

const { Packet } = dns2;

/** Records by name. */
export interface Zone {
  [name: string]: {
    mx?: [priority: number, exchange: string][];
    a?: string[];
    /** Names, below in-addr.arpa. */
    ptr?: string[];
    cname?: string;
    txt?: string[];
    tlsa?: Buffer[];
    /** Targets without a common end: dns2 would compress it, which RFC 2782 forbids and c-ares refuses. */
    srv?: [port: number, target: string][];
    /** The answer has the AD bit, as of a resolver that validated it. */
    secure?: boolean;
    fail?: boolean;
    silent?: boolean;
  };
}

/** A listening server. Its zone can be changed at any time. */
export interface DnsPeer {
  /** `ip:port`, as DNS_SERVERS wants it. */
  address: string;
  zone: Zone;
  /** Questions so far, as `TYPE name`. */
  questions: string[];
  close(): Promise<void>;
}

const TTL_S = 60;
const TYPES: Record<number, string> = {
  [Packet.TYPE.A]: 'A',
  [Packet.TYPE.PTR]: 'PTR',
  [Packet.TYPE.AAAA]: 'AAAA',
  [Packet.TYPE.CNAME]: 'CNAME',
  [Packet.TYPE.MX]: 'MX',
  [Packet.TYPE.TXT]: 'TXT',
  [Packet.TYPE.SRV]: 'SRV',
  52: 'TLSA',
};

/** Starts a server on a free UDP port of 127.0.0.1. */
export async function startDnsPeer(zone: Zone): Promise<DnsPeer> {
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const question = request.questions[0]!;
      const name = question.name.toLowerCase();
      const type = TYPES[question.type ?? 0] ?? String(question.type);
      peer.questions.push(`${type} ${name}`);
      const entry = peer.zone[name];
      if (entry?.silent) return;
      Object.assign(response.header, { ad: entry?.secure ? 1 : 0 }); // its types lack the bit
      if (!entry) response.header.rcode = Packet.RCODE.NXDOMAIN;
      else if (entry.fail) response.header.rcode = Packet.RCODE.SERVFAIL;
      // Its type wants a class instance; what it writes out is a plain object.
      const add = (record: object) => response.answers.push(record as (typeof response.answers)[number]);
      const common = { name, class: Packet.CLASS.IN, ttl: TTL_S };
      if (type === 'MX') {
        for (const [priority, exchange] of entry?.mx ?? []) {
          add({ ...common, type: Packet.TYPE.MX, priority, exchange });
        }
      }
      if (type === 'A') {
        for (const address of entry?.a ?? []) add({ ...common, type: Packet.TYPE.A, address });
      }
      if (type === 'PTR') {
        for (const domain of entry?.ptr ?? []) add({ ...common, type: Packet.TYPE.PTR, domain });
      }
      if (type === 'CNAME' && entry?.cname !== undefined) {
        add({ ...common, type: Packet.TYPE.CNAME, domain: entry.cname });
      }
      if (type === 'TXT') {
        for (const data of entry?.txt ?? []) add({ ...common, type: Packet.TYPE.TXT, data });
      }
      if (type === 'SRV') {
        for (const [port, target] of entry?.srv ?? []) {
          add({ ...common, type: Packet.TYPE.SRV, priority: 0, weight: 0, port, target });
        }
      }
      if (type === 'TLSA') {
        for (const data of entry?.tlsa ?? []) add({ ...common, type: 52, data });
      }
      void send(response);
    },
  });
  const peer: DnsPeer = {
    address: '',
    zone,
    questions: [],
    close: async () => {
      await server.close();
    },
  };
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const bound = server.addresses().udp as { port: number };
  peer.address = `127.0.0.1:${bound.port}`;
  return peer;
}
