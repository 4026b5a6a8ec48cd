// API keys and admin tokens as people ask for them.

import { z } from 'zod';

import { parseRange } from '../base/address-range.ts';
import { nowMs } from '../base/clock.ts';
import { instant } from '../base/time-input.ts';
import { nameInput } from '../tenant/tenant-input.ts';
import { SCOPES, type Scope } from './scope.ts';

/** The one scope that a key for one domain has. */
const ONLY_SCOPE: Scope = 'transactional:send';
const MOST_ADDRESSES = 50; // each is compared at every request of the key

const end = instant.refine((at) => at.getTime() > nowMs(), 'must be in the future');

const addressRange = z.string().transform((text, context): string => {
  const parsed = parseRange(text.trim());
  if (parsed.ok) return parsed.text;
  context.addIssue({ code: 'custom', message: parsed.reason });
  return z.NEVER;
});

/** An API key to create; a scope or an address that is named twice counts once. */
export const newKey = z
  .strictObject({
    name: nameInput,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .transform((scopes) => [...new Set(scopes)]),
    /** When it stops working; without it, only when it is revoked. */
    expires_at: end.nullish(),
    /** Addresses and CIDR blocks from which it works; none: from everywhere. */
    allowed_addresses: z
      .array(addressRange)
      .max(MOST_ADDRESSES)
      .default([])
      .transform((ranges) => [...new Set(ranges)]),
    /** The only domain that it may send from. */
    domain: z.string().nullish(),
  })
  .refine(({ domain, scopes }) => domain == null || scopes.join() === ONLY_SCOPE, {
    path: ['domain'],
    message: `needs the scope ${ONLY_SCOPE} alone: a key for one domain only sends`,
  });

/** A super-admin token to create. */
export const newAdminToken = z.strictObject({
  name: nameInput.default('operator'),
  /** When it stops working; without it, only when it is revoked. */
  expires_at: end.nullish(),
});
