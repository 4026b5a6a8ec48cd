// The simulator as a process of its own. Settings are arguments (`--smtp-port 2526 --inbound 127.0.0.1:2525 …`);
// once it listens it prints its ports as one line of JSON and, with --ready-file, writes them there.

import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { startSimulator, type SimulatorOptions } from './start-simulator.ts';

const { values } = parseArgs({
  options: {
    'smtp-port': { type: 'string', default: '0' },
    'dns-port': { type: 'string', default: '0' },
    'http-port': { type: 'string', default: '0' },
    inbound: { type: 'string' },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
    'zone-file': { type: 'string' },
    'ready-file': { type: 'string' },
  },
});

const simulator = await startSimulator({
  smtpPort: Number(values['smtp-port']),
  dnsPort: Number(values['dns-port']),
  httpPort: Number(values['http-port']),
  ...inboundOf(values.inbound),
  ...(await tlsOf(values['tls-key'], values['tls-cert'])),
  ...(values['zone-file'] !== undefined && { zoneFile: values['zone-file'] }),
  log: (line) => process.stdout.write(`${line}\n`),
});
const ports = JSON.stringify({
  smtp_port: simulator.smtpPort,
  dns_port: simulator.dnsPort,
  http_port: simulator.httpPort,
});
process.stdout.write(`${ports}\n`);
if (values['ready-file'] !== undefined) {
  await writeFile(`${values['ready-file']}.new`, ports);
  await rename(`${values['ready-file']}.new`, values['ready-file']);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void simulator.stop().then(() => process.exit(0)));

function inboundOf(text: string | undefined): Pick<SimulatorOptions, 'inbound'> {
  if (text === undefined) return {};
  const colon = text.lastIndexOf(':');
  return { inbound: { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) } };
}

async function tlsOf(key?: string, cert?: string): Promise<Pick<SimulatorOptions, 'tls'>> {
  if (key === undefined || cert === undefined) return {};
  return { tls: { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') } };
}
