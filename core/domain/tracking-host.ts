// The tracking host of a domain: `track.<domain>`, under which links, pixel and unsubscribe page of its mail live. When it
// works, and what its owner is told.

import type { Config } from '../base/config.ts';
import { trackingDomain, type Domain, type TrackingHostStatus, type TrackingHostView } from './domain.ts';

/** The settings that decide whether there are tracking hosts, and where their records point. */
export type TrackingSettings = Pick<
  Config,
  'PUBLIC_URL' | 'TRACKING_HOSTNAME' | 'ACME_DIRECTORY_URL' | 'TRACKING_CERT_FOLDER'
>;

// Minutes that a look-up of its record is believed: the scheduler looks every 20 seconds, and while none runs nobody would
// notice that the record is gone. New mail then uses PUBLIC_URL, which always works.
const BELIEVED_MINUTES = 5;

/** Joins `tracking_hosts th` to `domains d`. */
export const WITH_TRACKING_HOST =
  'left join tracking_hosts th on th.domain_id = d.id and th.tenant_id = d.tenant_id';

/** SQL: whether a tracking host is live, of `domains d` and `tracking_hosts th`. */
export const TRACKING_HOST_LIVE = `coalesce(d.status = 'verified' and d.record_status -> 'tracking' ->> 'status' = 'found'
  and th.certificate_expires_at > now() and th.checked_at > now() - interval '${BELIEVED_MINUTES} minutes', false)`;

/** What the record of a domain's tracking host points to; null where tracking hosts cannot work. */
export function trackingTarget(domain: string, settings: TrackingSettings): string | null {
  const { PUBLIC_URL, TRACKING_HOSTNAME, ACME_DIRECTORY_URL, TRACKING_CERT_FOLDER } = settings;
  const own = new URL(PUBLIC_URL).hostname;
  const works = ACME_DIRECTORY_URL !== undefined || TRACKING_CERT_FOLDER !== undefined;
  return works && own !== trackingDomain(domain) ? (TRACKING_HOSTNAME ?? own) : null;
}

/** Where a tracking host stands, in words. */
export function viewTrackingHost(domain: Domain, settings: TrackingSettings): TrackingHostView {
  const name = trackingDomain(domain.name);
  const expiresAt = domain.certificateExpiresAt;
  const record = domain.recordStatus['tracking'];
  const target = trackingTarget(domain.name, settings);
  const view = (status: TrackingHostStatus, problem: string | null): TrackingHostView => ({
    name,
    status,
    problem,
    certificateExpiresAt: expiresAt,
  });
  if (target === null) return view('off', null);
  if (domain.trackingHostLive) return view('live', domain.certificateProblem);
  if (record?.status !== 'found') {
    const publish = `Publish the record CNAME ${name} ${target}, then check DNS.`;
    const problem = record?.status === 'wrong' ? record.problem : publish;
    return view(expiresAt === null ? 'not_found' : 'lost', problem);
  }
  if (domain.status !== 'verified')
    return view(
      expiresAt === null ? 'waiting_for_certificate' : 'lost',
      `The record was found. Verify ${domain.name}: only a verified domain gets a certificate.`,
    );
  if (expiresAt === null)
    return view('waiting_for_certificate', domain.certificateProblem ?? coming(settings, name));
  if (expiresAt <= domain.readAt)
    return view(
      'lost',
      domain.certificateProblem ?? `The certificate has expired. ${coming(settings, name)}`,
    );
  return view(
    'lost',
    'Its record was not checked for some minutes. It is live again once it was; ask your administrator if it stays so.',
  );
}

function coming({ ACME_DIRECTORY_URL }: TrackingSettings, name: string): string {
  return ACME_DIRECTORY_URL === undefined
    ? `Ask your administrator for a certificate of ${name}.`
    : 'A certificate is being ordered, which takes about a minute.';
}
