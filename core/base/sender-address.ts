// Where senders are, as SENDER_ADDRESSES says it: one by one, or by a name of which DNS knows how many there are. The forms are
// those of gRPC (https://github.com/grpc/grpc/blob/master/doc/naming.md), and srv: beside them.

/** A name that stands for any number of senders. */
export interface SenderName {
  /** As it was given. */
  text: string;
  /** `dns`: every A and AAAA record is a sender. `srv`: every SRV record (RFC 2782) is one. */
  kind: 'dns' | 'srv';
  /** The DNS server to ask (ip or ip:port); null: as the system finds names, with its search domains and hosts file. */
  server: string | null;
  /** What is looked up. */
  name: string;
  /** Where senders listen; 0 for `srv`, whose records say it. */
  port: number;
  /** The name that senders' certificates must have. */
  host: string;
}

/** One sender (`host:port`), or a name of many. */
export type SenderAddress = string | SenderName;

const ONE = /^(?:\[[\da-f:.]+\]|[^\s:/,[\]]+):\d{1,5}$/i;
const DNS = /^dns:(?:\/\/([\da-f:.[\]]*)\/)?([\w.-]+):(\d{1,5})$/i;
const SRV = /^srv:(?:\/\/([\da-f:.[\]]*)\/)?(_[\w-]+\._tcp\.([\w.-]+))$/i;

/** Reads one entry; null for what is none. */
export function parseSenderAddress(text: string): SenderAddress | null {
  const [dns, srv] = [DNS.exec(text), SRV.exec(text)];
  if (dns) {
    const [, server, name = '', port] = dns;
    return { text, kind: 'dns', server: server || null, name, port: Number(port), host: name };
  }
  if (srv) {
    const [, server, name = '', host = ''] = srv;
    return { text, kind: 'srv', server: server || null, name, port: 0, host };
  }
  return ONE.test(text) ? text : null;
}
