// What the words of DMARC and TLS reports mean, and what to do.

import type { ReportSumFragment } from '../../gen/pages/domains/reports.ts';

/** Mail or sessions of one source. */
export type Source = ReportSumFragment['sources'][number];

/** Why the mail of a source passed or failed DMARC. */
export function dmarcWords({ result, dkim, spf, auth }: Source): string {
  if (result === null) return 'All other sources together';
  if (dkim === 'pass' && spf === 'pass') return 'DKIM and SPF pass for your domain';
  if (dkim === 'pass') return 'DKIM passes for your domain; SPF does not, as with forwarded mail';
  if (spf === 'pass') return 'SPF passes for your domain; DKIM does not: check the signature';
  if (/=pass\b/.test(auth ?? ''))
    return 'Authenticated, but for another domain than yours: let this service sign as your domain';
  return 'Neither DKIM nor SPF passes: somebody else sends as you, or a service of yours is not set up';
}

// RFC 8460 section 4.3.
const TLS: { [result: string]: string } = {
  'starttls-not-supported': 'Your mail server did not offer TLS (STARTTLS). Switch it on.',
  'certificate-host-mismatch': 'The certificate is for another name. Get one for the name in your MX record.',
  'certificate-expired': 'The certificate has expired. Renew it.',
  'certificate-not-trusted':
    'The certificate is not signed by a trusted authority, or its chain is incomplete.',
  'validation-failure': 'TLS failed in another way. Look at the reason and at the log of your mail server.',
  'tlsa-invalid': 'The TLSA record matches no certificate of your mail server. Publish the new one.',
  'dnssec-invalid': 'DNSSEC of your domain does not validate. Ask your DNS provider.',
  'dane-required': 'The sender requires DANE, and there are no usable TLSA records.',
  'sts-policy-fetch-error': 'Your MTA-STS policy could not be fetched from https://mta-sts.<domain>.',
  'sts-policy-invalid': 'Your MTA-STS policy is not valid. Check its lines.',
  'sts-webpki-invalid': 'The certificate of the host mta-sts.<domain>, which has your policy, is not valid.',
};

/** What a result type of TLS-RPT means, and what to do. */
export function tlsWords({ result }: Source): string {
  if (result === null) return 'All other failures together';
  return TLS[result] ?? 'A result that RFC 8460 does not name. Ask the reporter.';
}
