// What is known of a cluster's nodes and buckets.

/** Where a node listens, as the other nodes know it. */
export interface NodeAddress {
  host: string;
  port: number;
}

/** A node as the metadata of the cluster have it. */
export interface ClusterNode extends NodeAddress {
  id: number;
  groupId: number;
  isCoordinator: boolean;
  /** A standby that is known to the cluster; it answers nothing that writes. */
  isSecondary: boolean;
  isActive: boolean;
  /** Whether it knows where everything is, so that it answers for the whole cluster. */
  isSynced: boolean;
  /** Whether buckets may be placed on it. */
  keepsBuckets: boolean;
}

/** A standby that a node streams to. */
interface Standby {
  name: string;
  state: string;
  /** What it has not replayed yet. */
  lagBytes: number;
}

/** What a node says of itself. */
export interface NodeAnswer {
  version: string;
  /** The settings that are to be the same on all nodes (docs/citus.md). */
  settings: Record<string, string>;
  standbys: Standby[];
  /** Transactions over several nodes that wait for 10 s or longer to be settled. */
  prepared: number;
  /** Of the tables of each bucket that lie here, indexes included; of one that was moved away until they are dropped. */
  bytes: Record<string, number>;
}

/** A bucket, and the node that holds it. */
export interface PlacedBucket {
  name: string;
  groupId: number;
  tables: number;
}

/** A move under way. */
export interface Move {
  bucket: string;
  from: NodeAddress;
  to: NodeAddress;
  /** In the words of Citus: setting up, copying data, catching up, creating constraints, final catchup, completing. */
  phase: string;
  bytes: number;
  copiedBytes: number;
}

/** A node and what it said; a text is why it said nothing. */
export interface NodeStatus extends ClusterNode {
  answer: NodeAnswer | string;
}

/** A bucket, its node, and its size: null while the node does not answer. */
export interface BucketStatus extends PlacedBucket {
  node: NodeAddress;
  bytes: number | null;
}

/** What is to be dropped on one node: tables, and whatever else a move makes (publications, subscriptions, slots of replication). */
export interface LeftOver {
  groupId: number;
  /** `10.0.0.2:5432`. */
  at: string;
  /** Of moves that are done: what the bucket was before. */
  replaced: number;
  /** Of moves that broke off: what they had made. */
  brokenOff: number;
}

/** What only the coordinator knows. */
export interface Work {
  /** Also while a move begins or ends, when `moves` is empty. */
  isMoving: boolean;
  moves: Move[];
  leftOvers: LeftOver[];
}

/** `10.0.0.2:5432`. */
export function addressOf({ host, port }: NodeAddress): string {
  return `${host}:${port}`;
}

/** The address in a text; null when it is none. */
export function parseAddress(text: string): NodeAddress | null {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return host && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : null;
}

/** Whether both are one place. */
export function isAt(node: NodeAddress, { host, port }: NodeAddress): boolean {
  return node.host === host && node.port === port;
}
