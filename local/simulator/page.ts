// The simulator for people: the mail it caught, and its DNS, where a domain's records are published as they would be
// at a DNS provider. Everything shown is untrusted input: it is escaped, and the page runs no script.

import { html } from 'hono/html';

import type { CaughtMessage } from './message-store.ts';
import type { DnsRecord } from './zone.ts';

/** Headers of every page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Mail and DNS on one page. `said` is what came of the last form. */
export function overviewPage(
  messages: CaughtMessage[],
  total: number,
  records: DnsRecord[],
  said: { error: boolean; text: string } | null,
  draft = '',
): Promise<string> {
  return page(
    'Mailbox simulator',
    html`
      <h2>Mail</h2>
      <p>
        ${total} caught since the start; the newest ${messages.length} are here. <a href="/">Look again</a>
      </p>
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>To</th>
            <th>From</th>
            <th>Subject</th>
          </tr>
        </thead>
        <tbody>
          ${messages.map(mailRow)}
        </tbody>
      </table>
      <h2>DNS</h2>
      <p>
        Paste the records that the dashboard shows for a new domain, one a line, and verify the domain there.
        Only this machine asks this server.
      </p>
      ${said ? html`<p role="status" class="${said.error ? 'bad' : 'good'}">${said.text}</p>` : ''}
      <form method="post" action="/zone">
        <label for="zone">Records</label>
        <textarea
          id="zone"
          name="zone"
          rows="8"
          spellcheck="false"
          placeholder='_dmarc.shop.example.com.  TXT  "v=DMARC1; p=none"'
        >
${draft}</textarea>
        <button>Publish</button>
      </form>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th>Value</th>
          </tr>
        </thead>
        <tbody>
          ${records.map(recordRow)}
        </tbody>
      </table>
    `,
  );
}

/** One message as it came. */
export function mailPage(message: CaughtMessage): Promise<string> {
  return page(
    subjectOf(message),
    html`
      <p><a href="/">All mail</a></p>
      <p>${message.received_at}, from ${message.mail_from || 'nobody (a report)'} to ${message.rcpt_to}</p>
      <pre>${message.raw}</pre>
    `,
  );
}

function mailRow(message: CaughtMessage) {
  return html`<tr>
    <td>${message.received_at.slice(0, 19).replace('T', ' ')}</td>
    <td>${message.rcpt_to}</td>
    <td>${message.mail_from || 'nobody (a report)'}</td>
    <td><a href="/mail/${message.id}">${subjectOf(message)}</a></td>
  </tr>`;
}

function recordRow(record: DnsRecord) {
  const priority = record.type === 'MX' ? `${record.priority ?? 10} ` : '';
  return html`<tr>
    <td>${record.name}</td>
    <td>${record.type}</td>
    <td class="value">${priority}${record.value}</td>
  </tr>`;
}

function subjectOf({ raw }: CaughtMessage): string {
  return /^Subject: (.*)$/im.exec(raw.slice(0, 64 * 1024))?.[1]?.trim() || '(no subject)';
}

async function page(title: string, inside: unknown): Promise<string> {
  const whole = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              15px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 70rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          table {
            width: 100%;
            border-collapse: collapse;
            margin: 1rem 0;
          }
          th,
          td {
            text-align: left;
            padding: 0.3rem 0.6rem 0.3rem 0;
            border-bottom: 1px solid #8884;
            overflow-wrap: anywhere;
          }
          .value,
          pre,
          textarea {
            font:
              13px/1.45 ui-monospace,
              monospace;
          }
          pre {
            white-space: pre-wrap;
            overflow-wrap: anywhere;
            background: #8881;
            padding: 1rem;
          }
          label {
            display: block;
            font-weight: 600;
          }
          textarea {
            width: 100%;
            box-sizing: border-box;
            margin: 0.3rem 0 0.6rem;
            padding: 0.6rem;
          }
          .bad {
            color: #c01818;
          }
          .good {
            color: #0a7d3c;
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${inside}
      </body>
    </html>`;
  return whole.toString();
}
