// The bounce table in the order it is read. Order is meaning: what a reply says beats what its codes say, and
// what it says about us (block lists, authentication, our rate) beats what it says about the recipient, so
// that a refusal of ours never looks like a dead mailbox.

import type { BounceRule } from './rule.ts';
import { CODE_RULES } from './rules-code.ts';
import { CONTENT_RULES } from './rules-content.ts';
import { DOMAIN_RULES } from './rules-domain.ts';
import { LANGUAGE_RULES } from './rules-languages.ts';
import { MAILBOX_RULES } from './rules-mailbox.ts';
import { NETWORK_RULES } from './rules-network.ts';
import { RATE_RULES } from './rules-rate.ts';
import { RECIPIENT_RULES } from './rules-recipient.ts';
import { REPUTATION_RULES } from './rules-reputation.ts';
import { SENDER_RULES } from './rules-sender.ts';
import { SYSTEM_RULES } from './rules-system.ts';

/** Every row; the first that matches decides. */
export const BOUNCE_RULES: readonly BounceRule[] = [
  ...NETWORK_RULES,
  ...RATE_RULES,
  ...REPUTATION_RULES,
  ...SENDER_RULES,
  ...MAILBOX_RULES,
  ...RECIPIENT_RULES,
  ...LANGUAGE_RULES,
  ...DOMAIN_RULES,
  ...CONTENT_RULES,
  ...SYSTEM_RULES,
  ...CODE_RULES,
];
