// What customers see: what is posted to their endpoints, and what the public API tells them.

/** The customer's endpoint got an inbound webhook request. */
export interface WebhookGot {
  kind: 'webhook';
  /** `dlv_…`, `inm_…`, `tnt_…` */
  delivery: string;
  message: string;
  tenant: string;
  recipient: string;
  attempt: number;
  sha256: string;
  octets: number;
  /** Whether the signature over the raw body is good. */
  signed: boolean;
  /** What the endpoint answered. */
  status: number;
  /** Of its header Retry-After; null without one. */
  retryAfterSeconds: number | null;
}

/** A message of a mailbox, read over the API after the load. */
export interface MailboxRead {
  kind: 'mailbox';
  message: string;
  tenant: string;
  recipient: string;
  sha256: string;
  octets: number;
}

/** One event, `followed` with `GET /events?order=asc` during the run, or `listed` newest first at its end. */
export interface EventSeen {
  kind: 'event';
  how: 'followed' | 'listed';
  tenant: string;
  /** `evt_…` */
  id: string;
  type: string;
  message: string;
  recipient: string;
  occurredAt: string;
}

/** Why a message waits and until when, as the API lists it while the load runs; noted at least when it is new, or its time has passed. */
export interface WaitingRead {
  kind: 'waiting';
  tenant: string;
  /** `msg_…` */
  id: string;
  recipient: string;
  domain: string;
  reason: string | null;
  /** ISO 8601; null without a time. */
  until: string | null;
  /** When the question went out; the answer was true at some time between this and `t`. */
  asked: number;
}

/** What the API says of a domain's warm-up. */
export interface CapRead {
  kind: 'cap';
  tenant: string;
  domain: string;
  /** The UTC day of `used`, by the store. */
  day: string;
  tier: number;
  cap: number;
  used: number;
  state: string;
  /** When the question went out; the answer was true at some time between this and `t`. */
  asked: number;
}

/** What the API says of a tenant's month. */
export interface QuotaRead {
  kind: 'quota';
  tenant: string;
  used: number;
  cap: number;
  resetsAt: string;
  asked: number;
}

/** A message as the API lists it at the end: all of the tenant, those too whose answer nobody got. */
export interface MessageRead {
  kind: 'message';
  tenant: string;
  id: string;
  recipient: string;
  domain: string;
  campaign: string | null;
  status: string;
  reason: string | null;
  deferReason: string | null;
  deferredUntil: string | null;
  createdAt: string;
}
