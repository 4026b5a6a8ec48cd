// mailparser ships no types: these are the parts of it that are used.

declare module 'mailparser' {
  import type { Readable, Transform } from 'node:stream';

  /** A mailbox, or a group of them (then `address` is missing or empty). */
  export interface ParsedMailbox {
    name: string;
    address?: string;
    group?: ParsedMailbox[];
  }

  /** An address field; a list of them when the message has the field more than once. */
  export interface ParsedAddresses {
    value: ParsedMailbox[];
  }

  export interface ParsedAttachment {
    filename?: string;
    contentType: string;
    contentDisposition?: string;
    cid?: string;
    content: Buffer;
  }

  export interface ParsedMail {
    subject?: string;
    from?: ParsedAddresses;
    to?: ParsedAddresses | ParsedAddresses[];
    cc?: ParsedAddresses | ParsedAddresses[];
    replyTo?: ParsedAddresses;
    text?: string;
    html?: string | false;
    date?: Date;
    messageId?: string;
    headers?: Map<string, unknown>;
    /** In the order of the message, folded as there; each character is one byte. */
    headerLines?: { key: string; line: string }[];
    attachments: ParsedAttachment[];
  }

  export interface ParseOptions {
    keepCidLinks?: boolean;
    keepDeliveryStatus?: boolean;
    skipHtmlToText?: boolean;
    skipTextToHtml?: boolean;
    ignoreEmbedded?: boolean;
    maxChildNodes?: number;
    /** In place of iconv-lite: a stream of octets in a charset that comes out as UTF-8. */
    Iconv?: new (charset: string) => Transform;
  }

  /** What a MailParser emits in place of a ParsedMail's parts. */
  export type ParsedPart =
    | { type: 'text'; text?: string; html?: string | false }
    | (Omit<ParsedAttachment, 'content'> & { type: 'attachment'; content: Readable; release(): void });

  /** A part as it is written. `contentType` is false when its field is empty or cannot be read. */
  export interface MimeNode {
    root: boolean;
    contentType: string | false;
  }

  /** A part while it is read. `charset` is absent when the message names none. */
  export interface ParserNode {
    charset?: string;
  }

  export class MailParser extends Transform {
    constructor(options: ParseOptions);
    headers: Map<string, unknown> | false;
    headerLines: { key: string; line: string }[] | false;
    createNode(node: MimeNode): ParserNode;
  }

  export function simpleParser(message: Buffer, options?: ParseOptions): Promise<ParsedMail>;
}
