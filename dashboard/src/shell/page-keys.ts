// The second key after `g`, for the pages that everyone has. A test holds the paths and labels against the navigation.

/** In the order of the navigation. */
export const PAGE_KEYS: readonly { key: string; path: string; label: string }[] = [
  { key: 'o', path: '/', label: 'Overview' },
  { key: 'm', path: '/messages', label: 'Messages' },
  { key: 'e', path: '/events', label: 'Events' },
  { key: 'y', path: '/analytics', label: 'Analytics' },
  { key: 'c', path: '/campaigns', label: 'Campaigns' },
  { key: 't', path: '/templates', label: 'Templates' },
  { key: 'p', path: '/contacts', label: 'Contacts' },
  { key: 's', path: '/suppressions', label: 'Suppressions' },
  { key: 'd', path: '/domains', label: 'Domains' },
  { key: 'r', path: '/reputation', label: 'Reputation' },
  { key: 'v', path: '/providers', label: 'Mailbox providers' },
  { key: 'i', path: '/inbound', label: 'Inbox' },
  { key: 'w', path: '/webhooks', label: 'Event webhooks' },
  { key: 'a', path: '/api-keys', label: 'API keys' },
  { key: 'u', path: '/people', label: 'People' },
];
