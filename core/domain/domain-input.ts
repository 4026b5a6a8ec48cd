// Sending domains as callers write them.

import { z } from 'zod';

import { poolName } from '../base/egress-pools.ts';
import { domains } from '../db/schema/domain.ts';
import { DOMAIN_FORM } from '../mail/address-form.ts';

const MAX_NAME_CHARS = 320; // bounds the input; what a name may be is said by sending-name.ts

/** Percent of the day's cap that can be kept for transactional mail. */
export const MAX_TRANSACTIONAL_RESERVE = 90;

/** What a domain may do with spam and viruses. */
export const SPAM_POLICIES = domains.spamPolicy.enumValues;

/** The body of a create. */
export const newDomain = z.strictObject({ name: z.string().min(1).max(MAX_NAME_CHARS).meta(DOMAIN_FORM) });

/** The body of a change: only what is named changes. */
export const domainChange = z
  .strictObject({
    inbound_enabled: z.boolean(),
    spam_policy: z.enum(SPAM_POLICIES),
    cfbl_enabled: z.boolean(),
    transactional_reserve: z.int().min(0).max(MAX_TRANSACTIONAL_RESERVE),
    brake_enabled: z.boolean(),
    sender_rules_enabled: z.boolean(),
    pool: poolName.nullable(),
  })
  .partial();

/** A checked change. */
export type DomainChange = z.output<typeof domainChange>;
