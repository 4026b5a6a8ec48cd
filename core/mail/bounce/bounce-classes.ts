// Bounce classes: what a refusal means for the recipient, for us, and for the suppression list.

/** A class of refusals or failures. */
export type BounceClass =
  | 'invalid_recipient'
  | 'inactive_mailbox'
  | 'mailbox_full'
  | 'invalid_domain'
  | 'null_mx'
  | 'greylisted'
  | 'rate_limited'
  | 'reputation_block'
  | 'auth_failed'
  | 'sender_rejected'
  | 'relay_denied'
  | 'spam_block'
  | 'policy'
  | 'content_rejected'
  | 'virus'
  | 'message_too_large'
  | 'protocol'
  | 'remote_system'
  | 'dns_failure'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'uncategorized';

/**
 * What holds for every member of a class when the refusal is permanent. `hard`: trying this recipient again
 * is useless. `infrastructure`: our address, domain or setup was refused, whoever the recipient.
 * `suppresses`: the recipient goes onto the suppression list.
 */
export type BounceClassFacts = {
  meaning: string;
  kind: 'hard' | 'soft';
  infrastructure: boolean;
  suppresses: boolean;
};

const RECIPIENT_GONE = { kind: 'hard', infrastructure: false, suppresses: true } as const;
const RECIPIENT_UNREACHABLE = { kind: 'hard', infrastructure: false, suppresses: false } as const;
const MAY_PASS_LATER = { kind: 'soft', infrastructure: false, suppresses: false } as const;
const OUR_SIDE = { kind: 'soft', infrastructure: true, suppresses: false } as const;

/** The table of classes. */
export const BOUNCE_CLASSES: Readonly<Record<BounceClass, BounceClassFacts>> = {
  invalid_recipient: { meaning: 'the mailbox does not exist at that host', ...RECIPIENT_GONE },
  null_mx: { meaning: 'the domain states that it accepts no mail (RFC 7505, 521, 556)', ...RECIPIENT_GONE },
  // Not suppressing: one resolver of ours that answers NXDOMAIN wrongly would otherwise empty whole lists.
  invalid_domain: { meaning: 'the domain of the recipient does not exist', ...RECIPIENT_UNREACHABLE },
  // Closed for unpaid bills or long absence, and opened again often enough (RFC 3463 section 3.3, X.2.1).
  inactive_mailbox: {
    meaning: 'the mailbox exists but is disabled, suspended or abandoned',
    ...MAY_PASS_LATER,
  },
  mailbox_full: { meaning: 'the mailbox is over its quota', ...MAY_PASS_LATER },
  greylisted: { meaning: 'first contact is deferred; a later attempt passes', ...MAY_PASS_LATER },
  rate_limited: {
    meaning: 'too many messages, connections or recipients in too short a time',
    ...MAY_PASS_LATER,
  },
  spam_block: { meaning: 'this message was judged to be spam', ...MAY_PASS_LATER },
  policy: {
    meaning: 'a rule of the receiver refuses this message or this sender to this recipient',
    ...MAY_PASS_LATER,
  },
  content_rejected: { meaning: 'the form or an attachment of the message was refused', ...MAY_PASS_LATER },
  virus: { meaning: 'a scanner found malware or phishing in the message', ...MAY_PASS_LATER },
  message_too_large: { meaning: 'the message is larger than the receiver accepts', ...MAY_PASS_LATER },
  remote_system: { meaning: 'the receiving system is broken, overloaded or out of disk', ...MAY_PASS_LATER },
  dns_failure: {
    meaning: 'the domain could not be looked up, or its records are unusable',
    ...MAY_PASS_LATER,
  },
  connection: { meaning: 'no connection could be made, or it broke', ...MAY_PASS_LATER },
  tls: { meaning: 'TLS was required and could not be agreed', ...MAY_PASS_LATER },
  timeout: { meaning: 'an answer, or delivery as a whole, took too long', ...MAY_PASS_LATER },
  reputation_block: {
    meaning: 'our sending IP or domain is on a block list or has a bad reputation',
    ...OUR_SIDE,
  },
  auth_failed: { meaning: 'SPF, DKIM or DMARC of the sending domain did not pass', ...OUR_SIDE },
  sender_rejected: { meaning: 'the envelope sender or its domain was refused', ...OUR_SIDE },
  relay_denied: {
    meaning: 'the host does not take mail for that domain from us, or wants a login',
    ...OUR_SIDE,
  },
  protocol: { meaning: 'the two sides disagree about SMTP itself', ...OUR_SIDE },
  uncategorized: { meaning: 'no rule knows these words; never a guess', ...MAY_PASS_LATER },
};
