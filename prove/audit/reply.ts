// What a reply of the receiving side says.

import type { Transaction } from './transactions.ts';

/** Whether the receiver took the whole message. */
export function saidYes(verdict: { reply: string } | null): boolean {
  return verdict !== null && verdict.reply.startsWith('2');
}

/** Whether the receiver refused it for now, and the sender may have heard so. */
export function saidLater(verdict: { reply: string; written: boolean } | null): boolean {
  return verdict !== null && verdict.written && verdict.reply.startsWith('4');
}

/** Whether the recipient or the message was answered with a code of this kind. */
export function saidFirstDigit({ rcpt, verdict }: Transaction, digit: '4' | '5'): boolean {
  return (rcpt?.reply ?? '').startsWith(digit) || (verdict?.reply ?? '').startsWith(digit);
}
