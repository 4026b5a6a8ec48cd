// The body of SendGrid's POST /v3/mail/send, as far as it means something here:
// https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send

import { z } from 'zod';

import { boundedList, boundedRecord } from '../bounded-json.ts';

/** Personalizations of one request; SendGrid's number. */
export const MAX_PERSONALIZATIONS = 1_000;

/** Addresses, headers, arguments, substitutions of one list or object: no more can ever be sent. */
const MAX_ITEMS = 1_000;

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const address = z.object({ email: z.string(), name: z.string().nullish() });
const addresses = boundedList(address, MAX_ITEMS);
const texts = boundedRecord(z.string(), MAX_ITEMS).nullish();
const seconds = z.int().min(0).max(LAST_SECOND).nullish();

const personalization = z.object({
  from: address.nullish(),
  to: addresses,
  cc: addresses.nullish(),
  bcc: addresses.nullish(),
  subject: z.string().nullish(),
  headers: texts,
  substitutions: texts,
  dynamic_template_data: boundedRecord(z.unknown(), MAX_ITEMS).nullish(),
  custom_args: texts,
  send_at: seconds,
});

const attachment = z.object({
  content: z.string(),
  filename: z.string(),
  type: z.string().nullish(),
  disposition: z.enum(['attachment', 'inline']).nullish(),
  content_id: z.string().nullish(),
});

const setting = z
  .object({
    enable: z.boolean().nullish(),
    text: z.string().nullish(),
    html: z.string().nullish(),
    substitution_tag: z.string().nullish(),
  })
  .nullish();

/** The body. */
export const mailBody = z.object({
  personalizations: boundedList(personalization, MAX_PERSONALIZATIONS).refine(
    (given) => given.length > 0,
    'must have at least one personalization',
  ),
  from: address,
  reply_to: address.nullish(),
  reply_to_list: addresses.nullish(),
  subject: z.string().nullish(),
  content: boundedList(z.object({ type: z.string(), value: z.string().min(1) }), MAX_ITEMS).nullish(),
  attachments: boundedList(attachment, MAX_ITEMS).nullish(),
  template_id: z.string().nullish(),
  headers: texts,
  categories: boundedList(z.string(), MAX_ITEMS).nullish(),
  custom_args: texts,
  sections: texts,
  send_at: seconds,
  batch_id: z.string().nullish(),
  ip_pool_name: z.string().nullish(),
  mail_settings: z
    .object({
      sandbox_mode: setting,
      footer: setting,
      bcc: setting,
      bypass_list_management: setting,
      bypass_spam_management: setting,
      bypass_bounce_management: setting,
      bypass_unsubscribe_management: setting,
    })
    .nullish(),
  tracking_settings: z
    .object({
      click_tracking: setting,
      open_tracking: setting,
      subscription_tracking: setting,
      ganalytics: setting,
    })
    .nullish(),
});

/** The body, read. */
export type MailBody = z.output<typeof mailBody>;

/** One personalization, read. */
export type Personalization = MailBody['personalizations'][number];
