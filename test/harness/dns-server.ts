// A small authoritative DNS server: it answers what it was given, and NXDOMAIN else.

import dns2 from 'dns2';

/** One record. TXT values may be of any length. */
export interface TestRecord {
  type: 'A' | 'AAAA' | 'MX' | 'TXT' | 'CNAME';
  name: string;
  value: string;
  priority?: number;
}

/** A running server on 127.0.0.1, over UDP. */
export interface TestDns {
  port: number;
  add(record: TestRecord): void;
  /** Removes every record of a name. */
  remove(name: string): void;
  /** From now on every query is answered with SERVFAIL, or normally again. */
  fail(failing: boolean): void;
  close(): Promise<void>;
}

const RCODE = { SERVFAIL: 2, NXDOMAIN: 3 };

/** Starts the server on a free port. */
export async function startDnsServer(): Promise<TestDns> {
  const records: TestRecord[] = [];
  let failing = false;
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = dns2.Packet.createResponseFromRequest(request);
      const [question] = request.questions as unknown as { name: string; type: number }[];
      const named = records.filter((record) => record.name === question!.name.toLowerCase());
      if (failing) response.header.rcode = RCODE.SERVFAIL;
      else if (named.length === 0) response.header.rcode = RCODE.NXDOMAIN;
      const wanted = named.filter((record) => dns2.Packet.TYPE[record.type] === question!.type);
      if (!failing) response.answers.push(...(wanted.map(toAnswer) as never[]));
      send(response);
    },
  });
  const addresses = (await server.listen({ udp: { port: 0, address: '127.0.0.1' } } as never)) as unknown as {
    udp: { port: number };
  };
  return {
    port: addresses.udp.port,
    add: (record) => void records.push({ ...record, name: record.name.toLowerCase() }),
    remove: (name) => {
      for (let i = records.length - 1; i >= 0; i--)
        if (records[i]!.name === name.toLowerCase()) records.splice(i, 1);
    },
    fail: (value) => {
      failing = value;
    },
    close: async () => {
      await server.close();
    },
  };
}

function toAnswer(record: TestRecord) {
  const base = {
    name: record.name,
    type: dns2.Packet.TYPE[record.type],
    class: dns2.Packet.CLASS.IN,
    ttl: 1,
  };
  switch (record.type) {
    case 'MX':
      return { ...base, exchange: record.value, priority: record.priority ?? 10 };
    case 'TXT':
      return { ...base, data: record.value.match(/.{1,255}/gs) ?? [''] };
    case 'CNAME':
      return { ...base, domain: record.value };
    default:
      return { ...base, address: record.value };
  }
}
