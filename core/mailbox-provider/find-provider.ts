// Which mailbox provider a mail host belongs to: domains of their own (Google Workspace, Microsoft 365) count as the provider
// that their MX leads to. Pure.

import type { Config } from '../base/config.ts';
import { PROVIDERS, type MailboxProvider } from './provider-table.ts';

/** The rows of the table and of `MAILBOX_PROVIDERS`; one there replaces the row of the same name. */
export function allProviders({ MAILBOX_PROVIDERS }: Pick<Config, 'MAILBOX_PROVIDERS'>): MailboxProvider[] {
  const own = MAILBOX_PROVIDERS.map(({ per_minute, ...rest }) => ({ ...rest, perMinute: per_minute }));
  const replaced = new Set(own.map(({ name }) => name));
  const known = PROVIDERS.filter(({ name }) => !replaced.has(name)).map(
    ({ name, mx, connections, perMinute }) => ({ name, mx, connections, perMinute }),
  );
  return [...own, ...known];
}

/** The provider of a mail host, by the longest name that fits, the earlier row among equals; null of a host of nobody known. */
export type FindProvider = (host: string) => MailboxProvider | null;

/** Makes the look-up: it costs one step per label of the host's name. */
export function createFindProvider(providers: readonly MailboxProvider[]): FindProvider {
  const bySuffix = new Map<string, MailboxProvider>();
  for (const provider of providers)
    for (const suffix of provider.mx) if (!bySuffix.has(suffix)) bySuffix.set(suffix, provider);
  return (host) => {
    const labels = host.toLowerCase().replace(/\.$/, '').split('.');
    for (let from = 0; from < labels.length; from++) {
      const provider = bySuffix.get(labels.slice(from).join('.'));
      if (provider) return provider;
    }
    return null;
  };
}
