// The roles that an owner can give.

/** For a Select. */
export const ROLES = [
  { value: 'viewer', label: 'Viewer: see everything about mail, change nothing' },
  { value: 'member', label: 'Member: send and manage mail' },
  { value: 'owner', label: 'Owner: also people, API keys, single sign-on, audit log' },
] as const;

/** A role that an owner can give. */
export type GivenRole = (typeof ROLES)[number]['value'];

/** The role of a Select's value. */
export function toRole(value: string): GivenRole {
  return ROLES.find((role) => role.value === value)?.value ?? 'member';
}
