// Which processes of ours a run has: two of each role, so that one can fail while the other works.

import type { Role } from './stack.ts';

/** The roles, in the order in which they stop: those that accept new work first. */
export const ROLES: readonly Role[] = ['api', 'inbound', 'sender', 'scheduler'];

const COPIES = 2;

/** Name and role of every process. */
export const PROCESS_NAMES: readonly { name: string; role: Role }[] = ROLES.flatMap((role) =>
  Array.from({ length: COPIES }, (_, i) => ({ name: `${role}-${i + 1}`, role })),
);
