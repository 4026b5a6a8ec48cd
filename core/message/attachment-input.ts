// Attachments as callers give them: base64 in JSON, or bytes already when they come over gRPC.

import { z } from 'zod';

import { CONTROLS } from '../base/text-input.ts';
import { CONTROL, REORDERING, SAFE_LINE_PATTERN } from '../mail/unsafe-text.ts';

/** The contract's number: more belongs behind a link. */
export const MAX_ATTACHMENTS = 10;

/** Bytes of all attachments of a message, decoded: with base64 and headers it stays under the 25 MB of receivers. */
const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

/** Characters; common file systems take 255 octets. */
const MAX_FILENAME_CHARS = 200;

/** A file to be sent along, decoded. */
export interface AttachmentInput {
  filename: string;
  content: Buffer;
  /** With its parameters. */
  contentType?: string;
  contentId?: string;
  /** Another form of the text and the html, in place of a file. */
  alternative?: boolean;
}

const MIME_TYPE = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}(?:;[^${CONTROLS}\\u2028\\u2029]{0,256})?$`,
);
// With or without the brackets that the field has (RFC 2392): as written in `cid:`, or as in Content-ID.
const CONTENT_ID = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]{1,200}|<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]{1,200}>)$/;

const DIGIT = '[A-Za-z0-9+/]\\s*';

/** What the OpenAPI document says of octets: base64 (RFC 4648), which may be in lines and without its `=`. */
export const BASE64_FORM = {
  type: 'string' as const,
  contentEncoding: 'base64',
  pattern: `^\\s*(?:(?:${DIGIT}){4})*(?:(?:${DIGIT}){2}(?:=\\s*=\\s*)?|(?:${DIGIT}){3}(?:=\\s*)?)?$`,
  anyOf: undefined,
};

/** Octets in base64, or as they are when they come over gRPC; `what` they are ends "must be". */
export const octets = (what: string) =>
  z
    .union([z.string(), z.custom<Buffer>((value) => Buffer.isBuffer(value))], {
      error: `must be ${what} in base64`,
    })
    .transform((given, context): Buffer => {
      const bytes = typeof given === 'string' ? decodeBase64(given) : given;
      if (bytes !== null) return bytes;
      context.addIssue({ code: 'custom', message: 'is not valid base64' });
      return z.NEVER;
    })
    .meta(BASE64_FORM);

const attachment = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(MAX_FILENAME_CHARS)
      .refine(
        (name) => !CONTROL.test(name) && !REORDERING.test(name) && name.isWellFormed(),
        'has a character that is not allowed',
      )
      .meta({ pattern: SAFE_LINE_PATTERN }),
    content: octets('the file'),
    content_type: z
      .string()
      .regex(MIME_TYPE, 'is not a MIME type')
      .optional()
      .meta({
        description: 'with its parameters, which are kept; without it the type follows from `filename`',
        examples: ['text/calendar; method=REQUEST'],
      }),
    content_id: z.string().regex(CONTENT_ID, 'is not a content id').optional(),
    alternative: z
      .boolean()
      .optional()
      .meta({
        description:
          'true, for one attachment of `text/calendar`: an invitation that calendars open, beside text and html in ' +
          'multipart/alternative (RFC 6047), in place of a file',
      }),
  })
  .superRefine(({ alternative, content_type: type = '', content_id: id }, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (alternative !== true) return;
    if (!/^text\/calendar(?:;|$)/i.test(type)) add('alternative', 'needs the content_type text/calendar');
    if (id !== undefined) add('content_id', 'cannot be combined with alternative');
  })
  .transform((given): AttachmentInput => ({
    filename: given.filename,
    content: given.content,
    ...(given.content_type !== undefined && { contentType: given.content_type }),
    ...(given.content_id !== undefined && { contentId: given.content_id.replace(/[<>]/g, '') }),
    ...(given.alternative === true && { alternative: true }),
  }));

/** The attachments of one message, with their limits. */
export const checkAttachments = z
  .array(attachment)
  .max(MAX_ATTACHMENTS)
  .refine((list) => list.filter(({ alternative }) => alternative).length <= 1, 'can have one alternative')
  .refine(
    (list) => list.reduce((sum, { content: bytes }) => sum + bytes.length, 0) <= MAX_ATTACHMENT_BYTES,
    `must be at most ${MAX_ATTACHMENT_BYTES / 1_048_576} MiB together, decoded`,
  );

// Node decodes whatever it can and drops the rest, so the length shows whether all of it was base64.
function decodeBase64(text: string): Buffer | null {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text; // MIME tools break lines at 76 characters
  const unpadded = compact.length - (compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0);
  if (unpadded % 4 === 1) return null;
  const bytes = Buffer.from(compact, 'base64');
  return bytes.length === Math.floor((unpadded * 3) / 4) ? bytes : null;
}
