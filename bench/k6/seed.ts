// What the bench seeded, as k6 scripts read it, and the requests that they make of it.

import { SharedArray } from 'k6/data';
import http, { type RefinedResponse } from 'k6/http';

/** A tenant of the seed. */
export interface Tenant {
  id: string;
  domains: string[];
  keys: string[];
  template: string;
}

/** One API key with what its tenant sends with. */
export interface KeyOf {
  key: string;
  domains: string[];
  template: string;
}

/** The settings of a run, from the environment. */
export const API_URL = __ENV['API_URL'] ?? '';

/** Every key of the seed, those of one tenant far apart. */
export const keys = new SharedArray<KeyOf>('keys', () => {
  const { tenants } = JSON.parse(open(__ENV['SEED_FILE'] ?? '')) as { tenants: Tenant[] };
  const most = Math.max(...tenants.map((tenant) => tenant.keys.length));
  const rounds = Array.from({ length: most }, (_, n) => n);
  return rounds.flatMap((n) =>
    tenants.flatMap(({ keys, domains, template }) => {
      const key = keys[n];
      return key === undefined ? [] : [{ key, domains, template }];
    }),
  );
});

const content = new SharedArray<{ html: string; text: string }>('content', () => [
  JSON.parse(open(__ENV['CONTENT_FILE'] ?? '')) as { html: string; text: string },
]);

const RECIPIENT_DOMAINS = 4; // bench/sample-mail.ts

/** The body of one send in HTML and text. */
export function rawMessage(of: KeyOf, n: number): Record<string, unknown> {
  return { ...envelope(of, n), subject: `Your order A-${n}`, ...content[0] };
}

/** The body of one send by template. */
export function templateMessage(of: KeyOf, n: number): Record<string, unknown> {
  const items = ['Beans', 'Filters', 'Grinder'].map((name, i) => ({ name, price: 7 * (i + 1) }));
  return {
    ...envelope(of, n),
    template_id: of.template,
    variables: { name: `Ann ${n}`, order: `A-${n}`, items },
  };
}

/** POSTs a body with a key. */
export function post(of: KeyOf, path: string, body: unknown): RefinedResponse<'none'> {
  return http.post(`${API_URL}/api/v1${path}`, JSON.stringify(body), {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${of.key}` },
    responseType: 'none',
  });
}

function envelope({ domains }: KeyOf, n: number): Record<string, unknown> {
  const domain = domains[n % domains.length] ?? '';
  return {
    from: `Example Shop <orders@${domain}>`,
    to: `customer${n}@mail${(n % RECIPIENT_DOMAINS) + 1}.test`,
  };
}
