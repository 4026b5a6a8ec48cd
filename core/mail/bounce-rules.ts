// The bounce table in the order it is read. Order is meaning: what a reply says beats what its codes say, and
// what it says about us (block lists, authentication, our rate) beats what it says about the recipient, so
// that a refusal of ours never looks like a dead mailbox.

import type { BounceRule } from './bounce-rule.ts';
import { CODE_RULES } from './bounce-rules-code.ts';
import { CONTENT_RULES } from './bounce-rules-content.ts';
import { NETWORK_RULES } from './bounce-rules-network.ts';
import { RATE_RULES } from './bounce-rules-rate.ts';
import { RECIPIENT_RULES } from './bounce-rules-recipient.ts';
import { REPUTATION_RULES } from './bounce-rules-reputation.ts';
import { SENDER_RULES } from './bounce-rules-sender.ts';
import { SYSTEM_RULES } from './bounce-rules-system.ts';

/** Every row; the first that matches decides. */
export const BOUNCE_RULES: readonly BounceRule[] = [
  ...NETWORK_RULES,
  ...RATE_RULES,
  ...REPUTATION_RULES,
  ...SENDER_RULES,
  ...RECIPIENT_RULES,
  ...CONTENT_RULES,
  ...SYSTEM_RULES,
  ...CODE_RULES,
];
