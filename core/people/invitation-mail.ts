// The mail of an invitation: the link goes to the invited address and to nobody else.

import { AppError } from '../base/errors.ts';
import { pageUrl, writeSystemMail, type ReadyMail, type SystemWriterDeps } from './system-sender.ts';

/** What it says. */
export interface InvitationMail {
  to: string;
  token: string;
  tenantName: string;
  role: string;
  invitedBy: string;
  days: number;
}

/** Writes the mail. Throws `conflict` when the operator has not set up an address that it can come from. */
export async function writeInvitation(deps: SystemWriterDeps, mail: InvitationMail): Promise<ReadyMail> {
  const { to, tenantName, role, invitedBy, days } = mail;
  const link = pageUrl(deps.config, `/invite/${mail.token}`);
  const who = `${invitedBy} invited you to ${tenantName} as ${role === 'owner' ? 'an' : 'a'} ${role.replace('_', '-')}.`;
  const end = `The link works once, for ${days} days. If you do not expect this invitation, ignore this message.`;
  const html = `<p>${escape(who)}</p><p><a href="${escape(link)}">Accept the invitation</a></p><p>${end}</p>`;
  const text = `${who}\n\nAccept the invitation:\n${link}\n\n${end}\n`;
  const written = await writeSystemMail(deps, { to, subject: `Invitation to ${tenantName}`, text, html });
  if (!written.ok) throw notSetUp(written.why);
  return written;
}

function notSetUp(why: string): AppError {
  const text = `Invitations cannot be mailed: ${why}. Ask your administrator; people can also be added with "user create" on the command line.`;
  return new AppError('conflict', text);
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
