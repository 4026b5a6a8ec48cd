// What an API key may do. A `:write` does not imply its `:read`.

/** Every scope. */
export const SCOPES = [
  'transactional:send',
  'transactional:read',
  'templates:read',
  'templates:write',
  'campaigns:read',
  'campaigns:write',
  'contacts:read',
  'contacts:write',
  'suppressions:read',
  'suppressions:write',
  'events:read',
  'reputation:read',
  'domains:read',
  'domains:write',
  'mail:read',
  'mail:write',
  'settings:read',
  'settings:write',
  'webhooks:read',
  'webhooks:write',
] as const;

/** The name of a scope. */
export type Scope = (typeof SCOPES)[number];

/** All scopes: what a signed-in person of the tenant has. */
export const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES);

/** What a signed-in viewer has. */
export const READ_SCOPES: ReadonlySet<Scope> = new Set(SCOPES.filter((scope) => scope.endsWith(':read')));
