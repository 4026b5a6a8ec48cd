// mailparser, which we did not write, as the reader of what we compose. It ships no types: these are what
// tests look at.

import { createRequire } from 'node:module';

/** A mailbox as the parser saw it. */
export type ParsedMailbox = { name: string; address: string };

/** What a mail client would show. */
export type ParsedMail = {
  subject?: string;
  from?: { value: ParsedMailbox[] };
  to?: { value: ParsedMailbox[] };
  replyTo?: { value: ParsedMailbox[] };
  text?: string;
  html: string | false;
  date?: Date;
  messageId?: string;
  headers: Map<string, unknown>;
  headerLines: { key: string; line: string }[];
  attachments: {
    filename?: string;
    contentType: string;
    cid?: string;
    contentDisposition: string;
    content: Buffer;
  }[];
};

type Parse = (message: Buffer, options?: { keepCidLinks?: boolean }) => Promise<ParsedMail>;

/** Parses a whole message. */
export const simpleParser: Parse = createRequire(import.meta.url)('mailparser').simpleParser;
