// Whose an envelope recipient is, and what it is for: mail, a report about mail of ours, or none of our business.

import { monotonicMs } from '../core/base/clock.ts';
import type { Buckets } from '../core/db/buckets.ts';
import { HOME } from '../core/db/service-tables.ts';
import { REPORT_MAILBOXES, RETURN_PATH_LABEL } from '../core/domain/domain.ts';
import { parseDomain } from '../core/mail/domain-name.ts';
import { readReturnPath } from '../core/mail/return-path.ts';
import {
  findDomain,
  findMessageDomain,
  findReportDomain,
  type InboundDomain,
} from '../core/inbound/address-store.ts';
import type { RecipientKind } from '../core/inbound/raw-store.ts';
import type { SpamPolicy } from '../core/inbound/scan.ts';

/** An accepted recipient. Ids are UUIDs. */
export interface Recipient {
  tenantId: string;
  domainId: string;
  /** Where its tenant is. */
  bucket: string;
  kind: RecipientKind;
  aboutMessageId: string | null;
  /** What its domain does with spam and viruses; `keep` for reports to us. */
  spamPolicy: SpamPolicy;
}

/** Who receives: a tenant, or the operators. */
export type Receiver = Recipient | 'operators';

/** The receiver, or why the recipient is refused: not a domain of ours, nobody at one, or its tenant is suspended. */
export type Found = Receiver | 'not_ours' | 'nobody' | 'suspended';

/** First label of the domain that return paths and the addresses for reports are at. */
const REPORT_LABEL = `${RETURN_PATH_LABEL}.`;

const AGGREGATE: readonly string[] = [REPORT_MAILBOXES.dmarc, REPORT_MAILBOXES.tls];
const OPERATORS: readonly string[] = ['postmaster', 'abuse']; // RFC 5321 section 4.5.1, RFC 2142 section 4
const TOKEN_SHAPE = /^[a-z]\+[a-z2-7]+$/i; // of a return path of ours, or of one that somebody made up
const CACHE_MS = 1_000; // how late a change of a domain may be seen
const MAX_CACHED = 10_000;

/** Looks up recipients. `keys` are those of return paths, the newest first; `hostname` is our own. */
export function createFindRecipient(
  buckets: Buckets,
  keys: readonly Buffer[],
  hostname: string,
): (address: string) => Promise<Found> {
  const names = createCache(() => buckets.list());
  const inItsBucket = (find: typeof findDomain) =>
    createCache(async (name): Promise<FoundDomain | null> => {
      const isOnlyOne = (await names('')).length === 1;
      const bucket = isOnlyOne ? HOME : await buckets.ofDomainName(name);
      const found = bucket === null ? null : await find(buckets.database(bucket).pool, name);
      return found && { ...found, bucket: bucket! };
    });
  const domainOf = inItsBucket(findDomain);
  const reportDomainOf = inItsBucket(findReportDomain);
  // A domain may belong to another tenant by now than when the message was sent.
  const messageDomainOf = async (messageId: string, first: string): Promise<MessageDomain | null> => {
    for (const bucket of new Set([first, ...(await names(''))])) {
      const found = await findMessageDomain(buckets.database(bucket).pool, messageId);
      if (found) return { ...found, bucket };
    }
    return null;
  };
  return async (address) => {
    if (address.toLowerCase() === 'postmaster') return 'operators';
    const at = address.lastIndexOf('@');
    const parsed = parseDomain(address.slice(at + 1).replace(/\.$/, ''));
    if (at < 1 || !parsed.ok) return 'not_ours';
    const domain = await domainOf(parsed.domain);
    if (domain) return toMailbox(domain);
    const isForOperators = OPERATORS.includes(address.slice(0, at).toLowerCase());
    if (isForOperators && parsed.domain === hostname.toLowerCase()) return 'operators';
    if (!parsed.domain.startsWith(REPORT_LABEL)) return 'not_ours';
    const about = await reportDomainOf(parsed.domain.slice(REPORT_LABEL.length));
    if (about && isForOperators) return 'operators';
    return about ? findReport(messageDomainOf, keys, address.slice(0, at), about) : 'not_ours';
  };
}

interface FoundDomain extends InboundDomain {
  bucket: string;
}

type MessageDomain = Pick<FoundDomain, 'id' | 'tenantId' | 'name' | 'bucket'>;

// A token that is not ours is accepted and ignored: a refusal would show a guesser which ones are valid.
async function findReport(
  messageDomainOf: (messageId: string, first: string) => Promise<MessageDomain | null>,
  keys: readonly Buffer[],
  local: string,
  domain: FoundDomain,
): Promise<Found> {
  const lower = local.toLowerCase();
  if (lower === REPORT_MAILBOXES.complaint) return toRecipient(domain, 'complaint');
  if (AGGREGATE.includes(lower)) return toRecipient(domain, 'aggregate');
  if (!TOKEN_SHAPE.test(local)) return 'nobody';
  const token = readReturnPath(`${lower}@${REPORT_LABEL}${domain.name}`, keys);
  if (!token) return toRecipient(domain, 'ignored');
  const owner = await messageDomainOf(token.messageId, domain.bucket);
  if (!owner || owner.name !== domain.name) return toRecipient(domain, 'ignored');
  return {
    tenantId: owner.tenantId,
    domainId: owner.id,
    bucket: owner.bucket,
    kind: 'bounce',
    aboutMessageId: token.messageId,
    spamPolicy: 'keep',
  };
}

// Reports about mail that was sent before a suspension are still taken.
function toMailbox(domain: FoundDomain): Found {
  if (!domain.inboundEnabled) return 'not_ours';
  return domain.suspended ? 'suspended' : toRecipient(domain, 'mail');
}

function toRecipient(domain: FoundDomain, kind: RecipientKind): Recipient {
  const { tenantId, id: domainId, bucket } = domain;
  const spamPolicy = kind === 'mail' ? domain.spamPolicy : 'keep';
  return { tenantId, domainId, bucket, kind, aboutMessageId: null, spamPolicy };
}

function createCache<T>(look: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const entries = new Map<string, { found: Promise<T>; until: number }>();
  return (name) => {
    const known = entries.get(name);
    if (known && known.until > monotonicMs()) return known.found;
    const found = look(name);
    found.catch(() => entries.delete(name));
    entries.delete(name);
    entries.set(name, { found, until: monotonicMs() + CACHE_MS });
    if (entries.size > MAX_CACHED) entries.delete(entries.keys().next().value ?? name);
    return found;
  };
}
