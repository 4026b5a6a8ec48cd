// The settings of the `npm start` that runs in this checkout. Loaded only where no DATABASE_URL is given: the image has no
// local/.

import { join } from 'node:path';

import { ConfigError } from '../core/base/config.ts';
import { CLOCK_FOLDER } from '../local/clock/moved-clock.ts';
import { readConnection, type Connection } from '../local/start/connection.ts';
import { serviceEnvironment } from '../local/start/environment.ts';
import { loadSecrets } from '../local/start/secrets.ts';

/** The environment of its services, with `own` on top; `localFolder` is its `.local`. */
export async function localEnvironment(
  own: Record<string, string | undefined>,
  localFolder: string,
): Promise<Record<string, string | undefined>> {
  const { connection, folder } = await findConnection(localFolder);
  const { simulator } = connection;
  return serviceEnvironment({
    own,
    secrets: await loadSecrets(join(folder, 'secrets.json')),
    databaseUrl: connection.database_url,
    redisUrl: connection.redis_url,
    natsUrl: connection.nats_url,
    tls: { caFile: connection.ca_file, certFile: '', keyFile: '' },
    ports: {
      apiHttps: Number(new URL(connection.base_url).port),
      apiHttp: 0,
      grpc: Number(connection.grpc_address.split(':').at(-1)),
      inboundSmtp: connection.inbound_smtp.port,
      submission: 0,
      submissions: 0,
      metrics: 0,
      simulatorSmtp: simulator.smtp_port,
      simulatorDns: simulator.dns_port,
      simulatorHttp: simulator.http_port,
    },
  });
}

// The one whose clock can be moved keeps its files in a folder of its own.
async function findConnection(folder: string): Promise<{ connection: Connection; folder: string }> {
  for (const one of [folder, join(folder, CLOCK_FOLDER)]) {
    const connection = await readConnection(join(one, 'connection.json')).catch(() => null);
    if (connection !== null) return { connection, folder: one };
  }
  throw new ConfigError('set DATABASE_URL, or run this while `npm start` is up in the same checkout');
}
