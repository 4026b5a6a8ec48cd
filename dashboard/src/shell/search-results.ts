// What a search found as rows: groups in the order in which people look for them, each row with the page that it leads to.

import type { SearchQuery } from '../gen/shell/search-dialog.ts';

/** One row. */
export interface SearchRow {
  href: string;
  title: string;
  detail: string;
  /** A status of the API. */
  status: string | null;
  /** When it was made, RFC 3339. */
  at: string | null;
}

/** Rows under one heading. */
export interface SearchGroup {
  label: string;
  rows: SearchRow[];
}

// Ids of things that the search does not read: their pages say it when there is none.
const PAGES: Record<string, { path: string; what: string }> = {
  dom: { path: '/domains', what: 'domain' },
  tpl: { path: '/templates', what: 'template' },
  inm: { path: '/inbound', what: 'inbound message' },
  imp: { path: '/contacts/imports', what: 'import' },
  whk: { path: '/webhooks', what: 'webhook' },
};
const ID = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/;

/** The groups that have rows. */
export function groupsOf(text: string, found: SearchQuery['search'] | undefined): SearchGroup[] {
  const groups: SearchGroup[] = [{ label: 'Go to', rows: pageOf(text) }];
  if (found) {
    groups.push(
      {
        label: 'Messages',
        rows: found.messages.map(({ id, to, subject, status, createdAt }) => ({
          href: `/messages/${id}`,
          title: subject === '' ? '(no subject)' : subject,
          detail: `to ${to}`,
          status,
          at: createdAt,
        })),
      },
      {
        label: 'Contacts',
        rows: found.contacts.map(({ id, email, firstName, lastName, status }) => ({
          href: `/contacts/${id}`,
          title: email,
          detail: [firstName, lastName].filter(Boolean).join(' '),
          status,
          at: null,
        })),
      },
      {
        label: 'Suppressions',
        rows: found.suppressions.map(({ email, reason, createdAt }) => ({
          href: `/suppressions?email=${encodeURIComponent(email)}`,
          title: email,
          detail: 'gets no mail',
          status: reason,
          at: createdAt,
        })),
      },
      {
        label: 'Campaigns',
        rows: found.campaigns.map(({ id, name, status }) => ({
          href: `/campaigns/${id}`,
          title: name,
          detail: '',
          status,
          at: null,
        })),
      },
    );
  }
  return groups.filter(({ rows }) => rows.length > 0);
}

function pageOf(text: string): SearchRow[] {
  const kind = ID.exec(text)?.[1];
  const page = kind === undefined ? undefined : PAGES[kind];
  if (page === undefined) return [];
  return [{ href: `${page.path}/${text}`, title: `Open ${page.what}`, detail: text, status: null, at: null }];
}
