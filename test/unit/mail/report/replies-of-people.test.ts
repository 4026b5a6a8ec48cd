// A person or an autoresponder who answers to the return path reports nothing, whatever words of ours the answer has.

import { describe, expect, test } from 'vitest';

import { readReport } from '../../../../core/mail/report/dsn.ts';

const kindOf = async (mail: string) => (await readReport(Buffer.from(mail.replace(/\n/g, '\r\n')))).kind;

describe('no bounce', () => {
  test.each([
    `From: Ann <ann@a.test>
Subject: Re: Delivery failed: your parcel 123

Hello, the parcel could not be delivered, I was at work. Please try again on Monday.
`,
    `From: ann@a.test
Subject: AW: Mail delivery failed
In-Reply-To: <x@our.test>

Das Paket konnte nicht zugestellt werden? Ich war zu Hause. 550 Euro waren das!
`,
    `From: Ann <ann@a.test>
Subject: Fwd: Delivery failed: your parcel 123

What is this? It says "the parcel could not be delivered".
`,
    `From: Shop <no-reply@shop.test>
Subject: Re: Delivery failed: your parcel 123
Auto-Submitted: auto-replied

Thank you. Your message about a parcel that could not be delivered has been received.
`,
    `From: Ann <ann@a.test>
Subject: Out of office: Delivery failed: your parcel 123

I am away until Monday; mail that could not be delivered is lost. Mailbox full, sorry.
`,
    `From: support@a.test
Subject: [Ticket 550] Undeliverable parcel

We were unable to deliver your parcel, because the address does not exist.
`,
    `From: Bob <bob@b.test>
Subject: RE: Your message could not be delivered

User unknown? Who says that? Call me at 552 2000.
`,
    `From: Ann <ann@a.test>
Return-Path: <>
Subject: Automatic reply: Delivery failed: your parcel 123
Auto-Submitted: auto-replied

The parcel could not be delivered.
`,
    `From: Ann Lee <ann@a.test>
Subject: Re: Delivery failed: your parcel 123

The parcel could not be delivered, I was not at home.
--
Ann Lee
ann@a.test
`,
    `From: Ann Lee <ann@a.test>
Subject: Delivery failed?
In-Reply-To: <x@our.test>

The parcel could not be delivered. Ask my neighbour:
bob@b.test
`,
  ])('%s', async (mail) => {
    expect(['other', 'auto_reply']).toContain(await kindOf(mail));
  });
});

describe('still a bounce', () => {
  test.each([
    `From: MAILER-DAEMON@mx.test
Subject: Re: Delivery failed: your parcel 123

<ann@a.test>: could not be delivered: user unknown
`,
    `From: Gateway <relay@mx.test>
Subject: Undeliverable: your parcel 123

<ann@a.test>: host mx.a.test said: 550 5.1.1 User unknown
`,
    `From: Mail Delivery Subsystem <x@mx.test>
Subject: Your parcel

Delivery to <ann@a.test> failed permanently.
`,
    `From: postmaster@mx.test
Subject: Your parcel

The message to ann@a.test could not be delivered.
`,
    `From: gateway@mx.test
Subject: Delivery failure

Your mail to ann@a.test could not be delivered.
SMTP error from remote server: 552 mailbox full
`,
  ])('%s', async (mail) => {
    expect(await kindOf(mail)).toBe('dsn');
  });
});
