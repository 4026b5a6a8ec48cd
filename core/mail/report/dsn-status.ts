// The machine-readable part of a delivery status notification (RFC 3464, RFC 6533).

import { readFields, walkParts, type ReportPart } from './dsn-mime.ts';

/** What happened to a recipient by the report's own word. */
type DsnAction = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';

/** The fields of one recipient. Empty strings stand for absent fields. */
export interface DsnFields {
  address: string;
  /** Original-Recipient (RFC 3464 section 2.3.1): the address that the message was sent to; lower case. */
  originalAddress: string;
  action: DsnAction | null;
  /** Such as `5.1.1`. */
  status: string;
  diagnostic: string;
  remoteMta: string;
  /** Host that wrote the report. */
  reportingMta: string;
}

const MAX_RECIPIENTS = 100; // of one report; ours name one
// Some servers write "failure", "error", "expired" or "failed (bad mailbox)".
const ACTIONS: readonly { starts: RegExp; action: DsnAction }[] = [
  { starts: /^(?:fail|error|undeliver|reject|bounce|expire)/, action: 'failed' },
  { starts: /^delay/, action: 'delayed' },
  { starts: /^deliver/, action: 'delivered' },
  { starts: /^relay/, action: 'relayed' },
  { starts: /^expand/, action: 'expanded' },
];

/** The recipients of all delivery-status parts, in order. Empty when there is no such part. */
export function readDeliveryStatus(root: ReportPart): DsnFields[] {
  const parts = [...walkParts(root)].filter(({ type }) => !RETURNED.test(type));
  const declared = parts.filter(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
  const read = declared.length > 0 ? declared : parts.filter(({ text }) => looksLikeStatus(text));
  return read.flatMap(({ text }) => readGroups(text)).slice(0, MAX_RECIPIENTS);
}

const RETURNED = /^(?:message\/rfc822|text\/rfc822-headers)$/;

// Some servers send the groups as plain text, or under a wrong type.
function looksLikeStatus(text: string): boolean {
  return (
    /^(?:final|original)-recipient:/im.test(text.slice(0, 4000)) &&
    /^(?:action|status):/im.test(text.slice(0, 4000))
  );
}

function readGroups(text: string): DsnFields[] {
  const groups = splitGroups(text).map(readFields);
  const reporter = groups.find((group) => group.has('reporting-mta'))?.get('reporting-mta')?.[0] ?? '';
  const reportingMta = stripType(reporter).toLowerCase();
  return groups.map((fields) => readGroup(fields, reportingMta)).filter((fields) => fields !== null);
}

const ONCE = /^(original-recipient|final-recipient|action|status)[ \t]*:/i; // in a group (RFC 3464 section 2.3)

// An empty line ends a group, unless a server puts one inside; where it is missing, a field that a group has only once
// begins the next.
function splitGroups(text: string): string[] {
  const groups: string[][] = [[]];
  let seen = new Set<string>();
  for (const line of text.split('\n')) {
    const name = ONCE.exec(line)?.[1]?.toLowerCase();
    const isEmpty = line.trim() === '';
    if (isEmpty ? isWhole(seen) : name !== undefined && seen.has(name)) {
      groups.push([]);
      seen = new Set();
    }
    if (name !== undefined) seen.add(name);
    if (!isEmpty) groups.at(-1)?.push(line);
  }
  return groups.filter((group) => group.length > 0).map((group) => group.join('\n'));
}

function isWhole(seen: ReadonlySet<string>): boolean {
  return (seen.has('final-recipient') || seen.has('original-recipient')) && seen.has('action');
}

function readGroup(fields: Map<string, string[]>, reportingMta: string): DsnFields | null {
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  const originalAddress = addressOf(first('original-recipient'));
  const recipient = addressOf(first('final-recipient')) || originalAddress;
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(first('status'))?.[0] ?? '';
  const action = first('action').trim().toLowerCase();
  if (recipient === '' && status === '' && action === '') return null;
  if (!fields.has('final-recipient') && !fields.has('original-recipient')) return null;
  const diagnostics = [
    ...(fields.get('diagnostic-code') ?? []),
    ...(fields.get('x-supplementary-info') ?? []),
  ];
  return {
    address: recipient,
    originalAddress,
    action: ACTIONS.find(({ starts }) => starts.test(action))?.action ?? null,
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
