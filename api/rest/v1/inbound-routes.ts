// The routes about inbound mail, in the order of the documentation.

import type { Route } from '../route.ts';
import { getPostmasterMail, getPostmasterMails } from './admin-postmaster-mail.ts';
import {
  listInboundDeadLetters,
  replayInboundDeadLetter,
  replayInboundDeadLetters,
} from './inbound-dead-letters.ts';
import { changeInboundWebhook, getInboundWebhook, testInboundWebhook } from './inbound-webhook.ts';
import { getAttachment, getRawMessage } from './mail-files.ts';
import { getMailbox, getMailboxes, patchMailbox, postMailbox, removeMailbox } from './mail-mailboxes.ts';
import {
  getInboundMessage,
  getInboundMessages,
  patchInboundMessage,
  removeInboundMessage,
} from './mail-messages.ts';

/** All of them. */
export const INBOUND_ROUTES: readonly Route[] = [
  getInboundWebhook,
  changeInboundWebhook,
  testInboundWebhook,
  postMailbox,
  getMailboxes,
  getMailbox,
  patchMailbox,
  removeMailbox,
  getInboundMessages,
  getInboundMessage,
  patchInboundMessage,
  removeInboundMessage,
  getRawMessage,
  getAttachment,
  listInboundDeadLetters,
  replayInboundDeadLetters,
  replayInboundDeadLetter,
  getPostmasterMails,
  getPostmasterMail,
];
