// The senders that calls may go to: those of SENDER_ADDRESSES, each with its connection, its stream and its signs of life.
// Those of a name come and go with what DNS says: who is gone gets no more calls, and is let go when it has answered its last.

import { monotonicMs } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { hashOf } from '../base/rendezvous.ts';
import { parseSenderAddress } from '../base/sender-address.ts';
import { ALL_SILENT_MS } from '../base/time-limits.ts';
import { SenderServiceClient } from '../gen/sender/v1/sender.ts';
import type { Target, Targets } from './failover.ts';
import { followName, type FollowedName } from './follow-name.ts';
import { channelCredentials, tokenMetadata, type GrpcSettings } from './grpc-credentials.ts';
import { createSendStream, type SendStream } from './send-streams.ts';
import { createSenderHealth } from './sender-health.ts';

/** Largest gRPC message either way: ready-made mail of 25 MiB, and what is around it. */
export const MAX_GRPC_BYTES = 28 * 1_048_576;

/** One sender process. */
export interface Peer extends Target {
  address: string;
  /** What it was found by. */
  group: Group;
  client: SenderServiceClient;
  stream: SendStream;
}

/** All of them. */
export interface SenderPeers extends Targets<Peer> {
  close(): void;
}

/** An entry of SENDER_ADDRESSES: the senders that it stands for now. */
interface Group {
  /** What their certificates say; null: their own address. */
  host: string | null;
  peers: Peer[];
  name: FollowedName | null;
}

const CHANNEL_OPTIONS = {
  'grpc.max_send_message_length': MAX_GRPC_BYTES,
  'grpc.max_receive_message_length': MAX_GRPC_BYTES,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** Connects lazily. `back` is called when there is a sender more that serves. Throws for an entry of no known form. */
export function openPeers(
  config: GrpcSettings & Pick<Config, 'SENDER_ADDRESSES'>,
  log: Logger,
  back: () => void,
): SenderPeers {
  const credentials = channelCredentials(config, log);
  const metadata = tokenMetadata(config);
  const startedAt = monotonicMs();
  const retired = new Set<Peer>();
  const connect = (address: string, group: Group): Peer => {
    const { host } = group;
    const named = host !== null && { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host };
    const client = new SenderServiceClient(address, credentials, { ...CHANNEL_OPTIONS, ...named });
    const stream = createSendStream(client, metadata, log.child({ sender: address }));
    const health = createSenderHealth(client, { back, gone: () => group.name?.lookAgain() });
    return { address, group, client, stream, health, calls: new Set(), seed: hashOf(address) };
  };
  const update = (group: Group, addresses: string[], text: string) => {
    const known = [...group.peers, ...[...retired].filter((one) => one.group === group)];
    const find = (address: string) => known.find((one) => one.address === address);
    const peers = addresses.map((address) => find(address) ?? connect(address, group));
    const added = peers.filter((one) => !group.peers.includes(one));
    const gone = group.peers.filter((one) => !peers.includes(one));
    if (added.length + gone.length === 0) return;
    log.info({ name: text, added: added.map(addressOf), gone: gone.map(addressOf) }, 'senders of a name');
    group.peers = peers;
    live = groups.flatMap((one) => one.peers);
    for (const one of added) retired.delete(one);
    for (const one of gone) {
      retired.add(one);
      left(one);
    }
    back();
  };
  const left = (peer: Peer) => {
    if (peer.calls.size === 0 && retired.delete(peer)) close(peer);
  };
  const groups = config.SENDER_ADDRESSES.map((text): Group => {
    const entry = parseSenderAddress(text);
    if (entry === null) throw new Error(`SENDER_ADDRESSES: ${text} is no address of senders`);
    const group: Group = { host: null, peers: [], name: null };
    if (typeof entry === 'string') group.peers = [connect(entry, group)];
    else {
      group.host = entry.host;
      group.name = followName(entry, (addresses) => update(group, addresses, text), log);
    }
    return group;
  });
  let live = groups.flatMap((one) => one.peers);
  return {
    live: () => live,
    all: () => (retired.size === 0 ? live : [...live, ...retired]),
    left,
    expected: () =>
      monotonicMs() - startedAt < ALL_SILENT_MS && groups.some(({ peers }) => peers.length === 0),
    close() {
      for (const { name } of groups) name?.stop();
      for (const peer of [...live, ...retired]) close(peer);
    },
  };
}

function addressOf({ address }: Peer): string {
  return address;
}

function close({ stream, client }: Peer): void {
  stream.close();
  client.close();
}
