// The states of a message, and every statement that moves a message from one to another: a store in this folder has
// each of them under the name given here. test/unit/message/moves.test.ts compares the stores with this table, and
// test/flow/message-moves.test.ts runs every statement on messages in every state.
//
//   queued → sending → delivered | bounced | expired;   deferred: waits, for a reason;   dropped;   cancelled

/** Every state. */
export const MESSAGE_STATES = [
  'queued',
  'sending',
  'delivered',
  'deferred',
  'bounced',
  'expired',
  'dropped',
  'cancelled',
] as const;

/** Where a message stands. */
export type MessageState = (typeof MESSAGE_STATES)[number];

/** States of messages that may still be sent. */
export const OPEN_STATES = ['queued', 'sending', 'deferred'] as const satisfies readonly MessageState[];

/** Why a deferred message waits. */
export const DEFER_REASONS = [
  'warmup_cap',
  'scheduled',
  'remote_4xx',
  'network',
  'esp_cap',
  'domain_paused',
  'tls_policy',
  'brake',
  'sender_rules',
  'provider_limit',
  'source_cap',
  'tenant_suspended',
] as const;

/** Why a deferred message waits. */
export type DeferReason = (typeof DEFER_REASONS)[number];

/** Why mail waits until somebody resumes it. */
export type HeldReason = DeferReason & ('domain_paused' | 'tenant_suspended');

/** Reasons of mail that waits for nothing but its next attempt. */
export const RETRIED_REASONS = [
  'remote_4xx',
  'network',
  'tls_policy',
] as const satisfies readonly DeferReason[];

/** What one statement does to messages. */
export interface Move {
  /** The function that runs it. */
  name: string;
  /** The states that it finds messages in; none when it inserts them. A message in any other state stays as it is. */
  from: readonly MessageState[];
  /** The states that it leaves them in; none when the state stays, and only the time or the reason of waiting changes. */
  to: readonly MessageState[];
  /** Its name as a prepared statement. */
  statement: string;
}

/** Every statement that writes to messages. */
export const MOVES = [
  {
    name: 'acceptMessages',
    from: [],
    to: ['queued', 'sending', 'deferred', 'dropped'],
    statement: 'message-accept',
  },
  { name: 'claimDue', from: ['queued', 'deferred'], to: ['sending'], statement: 'message-claim-due' },
  {
    name: 'claimByDomain',
    from: ['queued', 'deferred'],
    to: ['sending'],
    statement: 'message-claim-by-domain',
  },
  { name: 'claimByIds', from: ['queued', 'deferred'], to: ['sending'], statement: 'message-claim-by-ids' },
  {
    name: 'recordOutcomes',
    from: ['sending'],
    to: ['delivered', 'deferred', 'bounced', 'expired', 'dropped', 'queued'],
    statement: 'message-record-outcomes',
  },
  { name: 'bounceDelivered', from: ['delivered'], to: ['bounced'], statement: 'message-bounce-delivered' },
  {
    name: 'noteReturned',
    from: ['queued', 'sending', 'deferred'],
    to: [],
    statement: 'message-note-returned',
  },
  { name: 'reclaimFromLost', from: ['sending'], to: ['queued'], statement: 'message-reclaim-from-lost' },
  { name: 'reclaimForgotten', from: ['sending'], to: ['queued'], statement: 'message-reclaim-forgotten' },
  {
    name: 'refundEarlierDays',
    from: ['queued', 'deferred'],
    to: ['deferred'],
    statement: 'message-refund-earlier-days',
  },
  {
    name: 'deferRestored',
    from: ['queued', 'sending', 'deferred'],
    to: ['deferred'],
    statement: 'message-defer-restored',
  },
  { name: 'releaseDeferred', from: ['deferred'], to: ['queued', 'deferred'], statement: 'message-release' },
  { name: 'dropDeferred', from: ['deferred'], to: ['dropped'], statement: 'message-drop-deferred' },
  { name: 'cancelWaiting', from: ['deferred'], to: ['cancelled'], statement: 'message-cancel' },
  {
    name: 'cancelCampaignMail',
    from: ['queued', 'deferred'],
    to: ['cancelled'],
    statement: 'message-cancel-campaign',
  },
  { name: 'rescheduleWaiting', from: ['deferred'], to: [], statement: 'message-reschedule' },
  { name: 'makeDue', from: ['deferred'], to: [], statement: 'message-make-due' },
  { name: 'deferAgain', from: ['deferred'], to: [], statement: 'message-defer-again' },
  { name: 'deferForRoute', from: ['deferred'], to: [], statement: 'message-defer-for-route' },
  { name: 'holdCampaignMail', from: ['queued', 'deferred'], to: [], statement: 'message-hold-campaign' },
  { name: 'resumeCampaignMail', from: ['queued', 'deferred'], to: [], statement: 'message-resume-campaign' },
  { name: 'resumeUnadmitted', from: ['deferred'], to: [], statement: 'message-resume-unadmitted' },
  { name: 'resumeAdmitted', from: ['deferred'], to: [], statement: 'message-resume-admitted' },
  {
    name: 'resumeBrakedUnadmitted',
    from: ['deferred'],
    to: [],
    statement: 'message-resume-braked-unadmitted',
  },
  { name: 'resumeBrakedAdmitted', from: ['deferred'], to: [], statement: 'message-resume-braked-admitted' },
  { name: 'resumeRuled', from: ['deferred'], to: [], statement: 'message-resume-ruled' },
  { name: 'resumeCapped', from: ['deferred'], to: [], statement: 'message-resume-capped' },
] as const satisfies readonly Move[];
