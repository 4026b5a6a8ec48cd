// The shape of one row of the bounce table.

import type { BounceClass } from './bounce-classes.ts';
import type { SmtpCommand } from '../smtp-reply.ts';

/**
 * Where a failure happened: before SMTP (`dns`, `connect`, `tls`), in a session (`smtp`), or elsewhere, as a report
 * says (`dsn`).
 */
export type BounceStage = 'dns' | 'connect' | 'tls' | 'smtp' | 'dsn';

/**
 * One row. Every condition given must hold; a condition that a row leaves out always holds. `text` is matched
 * against the reply in lower case with single spaces and without its codes; patterns have no unbounded repeat
 * inside or next to another, so matching is linear. Each example is a reply as it arrives, and hits this row
 * and no earlier one.
 */
export type BounceRule = {
  id: string;
  class: BounceClass;
  stage?: BounceStage;
  command?: readonly SmtpCommand[];
  code?: RegExp;
  enhanced?: RegExp;
  text?: RegExp;
  /** Matched like `text`, with every address and URL left out: `abuse@x.example` speaks of no abuse. */
  bareText?: RegExp;
  /** Name of the host that refused. */
  host?: RegExp;
  /** Hosts with these words look the user up only after the message: with a code they mean the address all the same. */
  looksUpLate?: true;
  /** Only the host of the mailbox speaks like this, so that the words are enough without a code. */
  sentence?: true;
  examples: readonly string[];
};

/** One pattern of several: what any of them matches. Lets a long row be read line by line. */
export function either(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join('|'));
}
