// MTA-STS (RFC 8461): what a domain's TXT record and policy file say, and which MX hosts a policy allows. Pure.

import { readTags } from '../mail/tag-list.ts';

/** A policy as its domain publishes it. */
export interface StsPolicy {
  /** `enforce`: nothing may go to a host that fails it. `testing`: mail goes all the same. `none`: there is none. */
  mode: 'enforce' | 'testing' | 'none';
  /** Patterns of the MX hosts, lower case; one may begin with `*.`, which stands for one label. */
  mx: string[];
  /** How long it may be kept. */
  maxAgeSeconds: number;
}

/** A policy file that was read, or what is wrong with it. */
export type ReadPolicy = { ok: true; policy: StsPolicy } | { ok: false; detail: string };

const LONGEST_AGE_S = 31_557_600; // a year, the most that section 3.2 allows
const POLICY_ID = /^[A-Za-z0-9]{1,32}$/;
const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
const MAX_PATTERNS = 100; // no domain has that many mail hosts

/**
 * The id of a domain's policy from the TXT records at `_mta-sts.<domain>`; null when it announces none. Several such
 * records count as none (section 3.1).
 */
export function readPolicyId(records: readonly string[]): string | null {
  const announced = records.filter((record) => record.startsWith('v=STSv1'));
  if (announced.length !== 1) return null;
  const tags = readTags(announced[0]!, 'STSv1') ?? [];
  return tags.findLast(({ name, value }) => name === 'id' && POLICY_ID.test(value))?.value ?? null;
}

/** Reads a policy file (section 3.2). Of a field that comes twice the first counts, but for `mx`; unknown ones are ignored. */
export function readPolicy(text: string): ReadPolicy {
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimStart();
    return FIELD_NAME.test(name) ? [{ name, value: line.slice(colon + 1).trim() }] : [];
  });
  const first = (name: string) => fields.find((field) => field.name === name)?.value;
  if (first('version') !== 'STSv1') return { ok: false, detail: 'its version is not STSv1' };
  const mode = first('mode');
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none')
    return { ok: false, detail: 'its mode is not enforce, testing or none' };
  const age = first('max_age') ?? '';
  if (!/^\d{1,10}$/.test(age)) return { ok: false, detail: 'it has no max_age' };
  const mx = fields.filter((field) => field.name === 'mx').map((field) => field.value.toLowerCase());
  if (mx.length > MAX_PATTERNS) return { ok: false, detail: `it names more than ${MAX_PATTERNS} MX hosts` };
  if (!mx.every((pattern) => MX_PATTERN.test(pattern)))
    return { ok: false, detail: 'an mx is not a host name' };
  if (mx.length === 0 && mode !== 'none') return { ok: false, detail: 'it names no MX host' };
  return { ok: true, policy: { mode, mx, maxAgeSeconds: Math.min(Number(age), LONGEST_AGE_S) } };
}

const MX_PATTERN = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Whether a policy allows a host (section 4.1): the same name, or one label in the place of the `*`. */
export function allowsHost({ mx }: Pick<StsPolicy, 'mx'>, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  const parent = name.slice(name.indexOf('.') + 1);
  return mx.some((pattern) =>
    pattern.startsWith('*.') ? pattern.slice(2) === parent && parent !== name : pattern === name,
  );
}
