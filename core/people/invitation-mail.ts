// The mail of an invitation: the link goes to the invited address and to nobody else, over the same way as all mail.

import type { Config } from '../base/config.ts';
import { nowDate } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Database } from '../db/pool.ts';
import { parseSendInput, type SendInput } from '../message/send-input.ts';
import { submitBatch, type BatchAnswer } from '../message/submit-message.ts';
import { findSystemSender } from './system-sender.ts';

/** What sending it needs. */
export interface InvitationMailDeps {
  db: Database;
  sender: SenderClient;
  config: Pick<Config, 'PUBLIC_URL' | 'SYSTEM_MAIL_FROM'>;
}

/** What it says. */
export interface InvitationMail {
  to: string;
  token: string;
  tenantName: string;
  role: string;
  invitedBy: string;
  days: number;
}

/** A mail that is ready to send, and the tenant that sends it. */
export interface ReadyMail {
  tenantId: string;
  input: SendInput;
}

/** Writes the mail. Throws `conflict` when the operator has not set up an address that it can come from. */
export async function writeInvitation(deps: InvitationMailDeps, mail: InvitationMail): Promise<ReadyMail> {
  const system = await findSystemSender(deps.db, deps.config);
  if (!system.ok) throw notSetUp(system.why);
  const { from, tenantId } = system;
  const { to, tenantName, role, invitedBy, days } = mail;
  const link = `${deps.config.PUBLIC_URL.replace(/\/+$/, '')}/invite/${mail.token}`;
  const who = `${invitedBy} invited you to ${tenantName} as ${role === 'owner' ? 'an' : 'a'} ${role.replace('_', '-')}.`;
  const end = `The link works once, for ${days} days. If you do not expect this invitation, ignore this message.`;
  const html = `<p>${escape(who)}</p><p><a href="${escape(link)}">Accept the invitation</a></p><p>${end}</p>`;
  const parsed = parseSendInput(
    {
      ...{ from, to, subject: `Invitation to ${tenantName}` },
      ...{ text: `${who}\n\nAccept the invitation:\n${link}\n\n${end}\n`, html },
      ...{ track_opens: false, track_clicks: false },
    },
    nowDate(),
  );
  if (!parsed.ok) throw new AppError('validation_failed', 'The invitation cannot be mailed.', parsed);
  return { tenantId, input: parsed.input };
}

/** Sends it under an id: a second try of the same id sends nothing twice. */
export function sendInvitation(deps: InvitationMailDeps, id: string, mail: ReadyMail): Promise<BatchAnswer> {
  return submitBatch(deps.sender, { tenantId: mail.tenantId, messages: [{ id, input: mail.input }] });
}

function notSetUp(why: string): AppError {
  const text = `Invitations cannot be mailed: ${why}. Ask your administrator; people can also be added with "user create" on the command line.`;
  return new AppError('conflict', text);
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
