// What a key may do, as the API names it, grouped for the form.

/** Scopes under what they are about. */
export const SCOPE_GROUPS: readonly { label: string; scopes: readonly string[] }[] = [
  { label: 'Sending', scopes: ['transactional:send', 'transactional:read'] },
  { label: 'Templates', scopes: ['templates:read', 'templates:write'] },
  { label: 'Campaigns', scopes: ['campaigns:read', 'campaigns:write'] },
  { label: 'Contacts', scopes: ['contacts:read', 'contacts:write'] },
  { label: 'Suppressions', scopes: ['suppressions:read', 'suppressions:write'] },
  { label: 'Events', scopes: ['events:read'] },
  { label: 'Reputation', scopes: ['reputation:read'] },
  { label: 'Domains', scopes: ['domains:read', 'domains:write'] },
  { label: 'Inbound mail', scopes: ['mail:read', 'mail:write'] },
  { label: 'Webhooks', scopes: ['webhooks:read', 'webhooks:write'] },
  { label: 'Settings', scopes: ['settings:read', 'settings:write'] },
];
