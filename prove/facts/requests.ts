// What clients ask, and what they are answered.

/** How a request came in. Recipients of mail are addresses that the run uses once, unless they are to be suppressed. */
export type Via =
  | 'rest' // POST /transactional/send
  | 'batch' // POST /transactional/batch
  | 'grpc' // Send
  | 'stream' // SendStream
  | 'graphql' // the mutation that sends
  | 'submission' // SMTP submission
  | 'campaign' // launch; the recipients are the contacts of its list
  | 'suppression' // POST /suppressions; the recipient is the address that is suppressed from its answer on
  | 'reset' // requestPasswordReset; the recipient is the person
  | 'change' // an operator changes the tier of the domain, resumes it, or releases its brake
  | 'inbound'; // SMTP to the inbound service

/** What a request asked for, written before its first byte goes out. */
export interface RequestMade {
  kind: 'request';
  /** Unique in the run. A repetition is a request of its own. */
  request: string;
  via: Via;
  /** `tnt_…` */
  tenant: string;
  /** The sending domain; of inbound mail the receiving one. */
  domain: string;
  /** Name of the API key in the run, for what is counted by key; null where none is used. */
  apiKey: string | null;
  /** Idempotency key; for gRPC also the message id chosen by the caller. Requests with equal ones are the same work. */
  once: string | null;
  recipients: string[];
  /** What each of them reads (`hashContent`), in their order; none of inbound mail, suppressions and resets. */
  contents: string[];
  /** The tier that a `change` sets, if it sets one. */
  tier?: number;
  /** SHA-256 (hex) of the body; for inbound and submission of what goes over the wire after DATA, dots unstuffed. */
  sha256: string;
  /** Address (host:port) that was asked. */
  to: string;
}

/** What became of one recipient of a request that was taken. */
export interface Taken {
  /** `msg_…` */
  id: string;
  recipient: string;
  /** `queued`, `deferred` or `dropped`; of a replayed answer what it was then. */
  status: string;
  reason: string | null;
  deferredUntil: string | null;
}

/** The answer, as the client understood it. A request without one was under way when the prover ended. */
export interface AnswerGot {
  kind: 'answer';
  request: string;
  via: Via;
  /**
   * `taken`: 2xx, OK, 250. `refused`: an answer after which nothing was stored. `unknown`: no answer, a time limit, a
   * broken connection, or 503 that may have been stored.
   */
  outcome: 'taken' | 'refused' | 'unknown';
  /** HTTP status, SMTP code or gRPC code; 0 without an answer. */
  status: number;
  /** Error code of the API, text of the SMTP reply, or why there was no answer. */
  error: string | null;
  /** Of `taken` mail. A batch has those items that were taken; the others are in `failed`. */
  taken: Taken[];
  /** Items of a batch, and recipients of it, that were refused by themselves. */
  failed: { recipient: string; error: string }[];
  /** It was told to be the first answer of an earlier request with the same `once`. */
  replayed: boolean;
  retryAfterSeconds: number | null;
  /** `cmp_…` of a launch. */
  campaign: string | null;
  quota: { used: number; cap: number } | null;
  rate: { limit: number; remaining: number; resetSeconds: number } | null;
}
