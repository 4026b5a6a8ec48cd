// The machine-readable part of a delivery status notification (RFC 3464, RFC 6533).

import { readFields, walkParts, type ReportPart } from './dsn-mime.ts';

/** What happened to a recipient by the report's own word. */
type DsnAction = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';

/** The fields of one recipient. Empty strings stand for absent fields. */
export interface DsnFields {
  address: string;
  action: DsnAction | null;
  /** Such as `5.1.1`. */
  status: string;
  diagnostic: string;
  remoteMta: string;
  /** Host that wrote the report. */
  reportingMta: string;
}

const MAX_RECIPIENTS = 100; // of one report; ours name one
const ACTIONS: readonly string[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'];

/** The recipients of all delivery-status parts, in order. Empty when there is no such part. */
export function readDeliveryStatus(root: ReportPart): DsnFields[] {
  const found: DsnFields[] = [];
  for (const part of walkParts(root)) {
    if (part.type === 'message/rfc822' || part.type === 'text/rfc822-headers') continue;
    const isStatus = /^message\/(?:global-)?delivery-status$/.test(part.type);
    if (isStatus || looksLikeStatus(part.text)) found.push(...readGroups(part.text));
    if (found.length >= MAX_RECIPIENTS) break;
  }
  return found.slice(0, MAX_RECIPIENTS);
}

// Some servers send the groups as plain text, or under a wrong type.
function looksLikeStatus(text: string): boolean {
  return (
    /^(?:final|original)-recipient:/im.test(text.slice(0, 4000)) &&
    /^(?:action|status):/im.test(text.slice(0, 4000))
  );
}

function readGroups(text: string): DsnFields[] {
  const groups = text.split(/\n[ \t]*\n+/).map((group) => readFields(group.replace(/^\n+/, '')));
  const reporter = groups.find((group) => group.has('reporting-mta'))?.get('reporting-mta')?.[0] ?? '';
  const reportingMta = stripType(reporter).toLowerCase();
  return groups.map((fields) => readGroup(fields, reportingMta)).filter((fields) => fields !== null);
}

function readGroup(fields: Map<string, string[]>, reportingMta: string): DsnFields | null {
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  const recipient = addressOf(first('final-recipient')) || addressOf(first('original-recipient'));
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(first('status'))?.[0] ?? '';
  const action = /^[a-z]+/.exec(first('action').toLowerCase())?.[0] ?? '';
  if (recipient === '' && status === '' && action === '') return null;
  if (!fields.has('final-recipient') && !fields.has('original-recipient')) return null;
  const diagnostics = [
    ...(fields.get('diagnostic-code') ?? []),
    ...(fields.get('x-supplementary-info') ?? []),
  ];
  return {
    address: recipient,
    action: ACTIONS.includes(action) ? (action as DsnAction) : null,
    status,
    diagnostic: diagnostics.map(stripType).filter(Boolean).join(' '),
    remoteMta: stripType(first('remote-mta')),
    reportingMta,
  };
}

// `rfc822; ann@example.com`, `smtp; 550 5.1.1 …`, `dns; mx.example.com`.
function stripType(value: string): string {
  return value.replace(/^\s*(?:x-[\w-]+|smtp|dns|rfc822|utf-8|unknown|tcp-ip)\s*;\s*/i, '').trim();
}

function addressOf(value: string): string {
  return /[^\s<>;,"']{1,100}@[^\s<>;,"']{1,253}/.exec(stripType(value))?.[0].toLowerCase() ?? '';
}
