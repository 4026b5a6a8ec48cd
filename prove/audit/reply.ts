// What a reply of the receiving side says.

/** Whether the receiver took the whole message. */
export function saidYes(verdict: { reply: string } | null): boolean {
  return verdict !== null && verdict.reply.startsWith('2');
}

/** Whether the receiver refused it for now, and the sender may have heard so. */
export function saidLater(verdict: { reply: string; written: boolean } | null): boolean {
  return verdict !== null && verdict.written && verdict.reply.startsWith('4');
}
