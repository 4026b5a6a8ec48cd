// A message in the hands of one sender process.

import type { Stream } from '../base/stream.ts';
import type { Origin } from './origin.ts';

/** One admitted message that this worker alone may deliver, as long as `claimVersion` is still the row's. */
export interface Claim {
  /** UUID of the message. */
  id: string;
  /** The first message of a submission to several recipients; null with one. */
  groupId: string | null;
  tenantId: string;
  domainId: string;
  stream: Stream;
  origin: Origin | null;
  claimVersion: number;
  /** UTC date of its admission, YYYY-MM-DD: it may be sent until that day ends. */
  admittedDay: string;
  /** Attempts made before this claim. */
  attempts: number;
  rcptTo: string;
  /** `address` or `Name <address>` as submitted. */
  headerFrom: string;
  /** Route chosen at admission; null lets delivery choose. */
  esp: string | null;
  campaignId: string | null;
  /** Version of the template that the content names, if it names one. */
  templateVersion: number | null;
  createdAt: Date;
  /** Age limit: failing then means expired. */
  expiresAt: Date;
  /** sender.v1.OutgoingMessage, encoded, as it is or as stored (stored-content.ts); empty when there is none. */
  content: Buffer;
  /** Octets of it once it is unpacked: what it takes in memory. */
  octets: number;
}
