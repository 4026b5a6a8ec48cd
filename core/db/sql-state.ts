// What PostgreSQL refused, identified by its SQLSTATE (PostgreSQL manual, appendix A).

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const INTERNAL_ERROR = 'XX000';
const READ_ONLY_TRANSACTION = '25006';
const DISK_FULL = '53100';
const TOO_MANY_CONNECTIONS = '53300';
const ADMIN_SHUTDOWN = '57P01';
const CANNOT_CONNECT_NOW = '57P03';

/** Whether a row was refused because another has its key or name already. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** Whether a row was refused because one that it points to is not there. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === FOREIGN_KEY_VIOLATION;
}

/** Whether a write was refused because the server only reads: a standby, or one that was the primary. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_TRANSACTION;
}

/** Whether a statement took longer than it may. */
export function isTooSlow(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** Whether the server ended a transaction that waited in a circle with another: nothing of it is stored. */
export function isDeadlock(error: unknown): boolean {
  return sqlState(error) === DEADLOCK_DETECTED;
}

/** Whether the server refused a connection because it has as many as it may have. */
export function admitsNoMore(error: unknown): boolean {
  return sqlState(error) === TOO_MANY_CONNECTIONS;
}

/** The SQLSTATE of a database error, whether thrown by pg or wrapped by drizzle; null for anything else. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = (error as { code?: string }).code ?? (error.cause as { code?: string } | undefined)?.code;
  if (code === INTERNAL_ERROR) return ofAnotherNode(error) ?? code;
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

// What Citus met while it copied rows to another node has lost its SQLSTATE; the text is that node's (PostgreSQL 15, in English).
const OF_ANOTHER_NODE: [text: string, state: string][] = [
  ['violates foreign key constraint', FOREIGN_KEY_VIOLATION],
  ['violates unique constraint', UNIQUE_VIOLATION],
  ['terminating connection', ADMIN_SHUTDOWN],
  ['the database system is', CANNOT_CONNECT_NOW],
  ['canceling statement due to lock timeout', LOCK_NOT_AVAILABLE],
  ['canceling statement due to statement timeout', QUERY_CANCELED],
  ['deadlock detected', DEADLOCK_DETECTED],
  ['in a read-only transaction', READ_ONLY_TRANSACTION],
  ['No space left on device', DISK_FULL],
];

function ofAnotherNode({ message }: Error): string | undefined {
  return OF_ANOTHER_NODE.find(([text]) => message.includes(text))?.[1];
}
