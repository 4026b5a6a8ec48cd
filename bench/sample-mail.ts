// The mail that the bench sends: a receipt of about 2 kB in HTML and text, with two links, as shops send them.

import type { OutgoingMessage } from '../core/gen/sender/v1/sender.ts';
import { OutgoingMessage as OutgoingMessageCodec } from '../core/gen/sender/v1/sender.ts';

/** Domains of recipients: so many next hops. */
export const RECIPIENT_DOMAINS = ['mail1.test', 'mail2.test', 'mail3.test', 'mail4.test'] as const;

const ROWS = ['Espresso beans, 1 kg', 'Paper filters, 100', 'Hand grinder', 'Descaler, 250 ml']
  .map((name, n) => `<tr><td>${n + 1}</td><td>${name}</td><td align="right">${(n + 2) * 7}.90 EUR</td></tr>`)
  .join('\n');

/** The HTML part. */
export const HTML = `<!doctype html>
<html><head><meta charset="utf-8"><title>Your order</title></head>
<body style="font-family: Arial, sans-serif; color: #222222">
<h1>Thank you for your order</h1>
<p>Hello, your order <b>A-20418</b> left our house this morning. It should be with you within two working days. You
can <a href="https://shop.example/orders/A-20418">follow the parcel</a> at any time.</p>
<table width="600" cellpadding="4">
${ROWS}
</table>
<p>Questions? Answer this mail or read our <a href="https://shop.example/help">help pages</a>: most things are said
there, in short words. We keep your receipt for ten years, so there is no need to print it.</p>
<p style="font-size: 12px; color: #777777">Example Shop, Example Street 1, 10115 Berlin. You get this message because
you bought something from us; it is part of the order and carries no advertising.</p>
</body></html>`;

/** The text part. */
export const TEXT = `Thank you for your order

Hello, your order A-20418 left our house this morning. It should be with you within two working days.
Follow the parcel: https://shop.example/orders/A-20418

Questions? Answer this mail or read our help pages: https://shop.example/help

Example Shop, Example Street 1, 10115 Berlin.`;

/** The n-th message from a sending domain. */
export function makeMail(domain: string, n: number): OutgoingMessage {
  const to = `customer${n}@${RECIPIENT_DOMAINS[n % RECIPIENT_DOMAINS.length]}`;
  const from = `Example Shop <orders@${domain}>`;
  return OutgoingMessageCodec.fromPartial({
    from,
    to: [to],
    subject: `Your order A-${n}`,
    html: HTML,
    text: TEXT,
  });
}
