// Who is signed in. The access token lives in memory only; the refresh token is a cookie that scripts cannot read.
// A session that ends by itself leaves its page open, with a sign-in over it (shell/sign-in-again.tsx).
// Refreshing is single flight: within this tab by sharing the promise, across tabs by a lock, because each refresh
// token is good for one use and using it twice ends the session.

import { followServerClock, monotonicMs, ownClockMs } from '../clock.ts';

const REFRESH_LOCK = 'postrider-refresh';
const CHANNEL = 'postrider-session';
const EARLY_MS = 60_000; // refresh this long before the token ends
const LEAST_MS = 5_000;
const ANSWER_MS = 15_000;
const BEGAN_KEY = 'postrider-refresh-began'; // ms since 1970 and the mark of then, there while one is under way
const MARK = /__Secure-postrider_refreshed=([^;]+)/; // a cookie that changes with the refresh cookie (api/graphql/refresh-cookie.ts)
const LOOK_MS = 50;

interface AccessToken {
  value: string;
  /** On the clock of monotonicMs. */
  endsAt: number;
}

/** `unknown` until the first refresh was answered; `ended` while a page stays open until its person signs in again. */
export type SessionState = 'unknown' | 'signed-in' | 'ended' | 'signed-out';

let token: AccessToken | null = null;
let owner: string | null = null; // of the token; stays while the session has ended
let keepers = 0; // pages that stay open when the session ends
let state: SessionState = 'unknown';
let people = 0; // how many persons and tenants this page has seen signed in, one after the other
let seen = 0; // `people` at the last change that listeners were notified of
let refreshing: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const channel = new BroadcastChannel(CHANNEL);

channel.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.data === 'signed-out') forget();
  const hasAnother = event.data === 'signed-in' || (event.data === 'opened' && state === 'ended');
  if (hasAnother) void refreshSession().catch(() => null); // perhaps as somebody else
});

/** The state now; `onSessionChange` subscribes to changes. */
export function sessionState(): SessionState {
  return state;
}

/** Differs from one signed-in person or tenant to the next: what was read for one is not for the other. */
export function sessionKey(): string {
  return `${state === 'ended' ? 'signed-in' : state} ${people}`;
}

/** Keeps the page, with unsaved work, when the session ends: the caller asks to sign in over it. Returns what ends that. */
export function keepPageAtEnd(): () => void {
  keepers += 1;
  return () => void (keepers -= 1);
}

/** Whether an access token is of the person and tenant of this page. */
export function isOfThisPage(value: string): boolean {
  return readClaims(value).owner === owner;
}

/** Calls back on every change of the state. Returns what ends that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The access token, or null when signed out. It may have just run out. */
export function accessToken(): string | null {
  return token?.value ?? null;
}

/** Whether a request now would need a new token first. */
export function tokenEndsSoon(): boolean {
  return token !== null && token.endsAt - monotonicMs() < LEAST_MS;
}

/** Takes the token that a sign-in, or going to another tenant, gave. Other tabs follow. */
export function startSession(value: string): void {
  keep(value);
  channel.postMessage('signed-in');
}

/** Gets a new access token by the refresh cookie. False: signed out now. Throws when the api cannot be reached. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= navigator.locks.request(REFRESH_LOCK, askForToken).finally(() => (refreshing = null));
  return refreshing;
}

/** As `refreshSession`, but if the session has ended, waits until the person has signed in again over the page. */
export async function renewSession(): Promise<boolean> {
  if (state !== 'ended' && (await refreshSession())) return true;
  while (state === 'ended') {
    await new Promise<void>((resolve) => {
      const end = onSessionChange(() => (end(), resolve()));
    });
  }
  return state === 'signed-in';
}

/** Signs out here and in all other tabs. Throws when the api cannot be reached: one is still signed in then. */
export async function endSession(): Promise<void> {
  await post('mutation { logout { ok } }');
  channel.postMessage('signed-out');
  forget();
}

/** Forgets the token, for example because the api no longer accepts it. */
export function forget(): void {
  clearTimeout(timer);
  token = null;
  owner = null;
  change('signed-out');
}

async function askForToken(): Promise<boolean> {
  await afterOneThatWasLeft();
  localStorage.setItem(BEGAN_KEY, `${ownClockMs()} ${mark()}`);
  const answer = await post('mutation { refresh { accessToken } }').finally(() =>
    localStorage.removeItem(BEGAN_KEY),
  );
  const value = answer.data?.refresh?.accessToken;
  if (value === undefined) {
    if (owner === null || keepers === 0) forget();
    else end();
    return false;
  }
  keep(value);
  return true;
}

// A page that is left while it refreshes gets its cookies all the same (`keepalive`). Until then the refresh cookie is a spent
// one, and using that would end the session.
async function afterOneThatWasLeft(): Promise<void> {
  const [began, before] = (localStorage.getItem(BEGAN_KEY) ?? '').split(' ');
  const until = Math.min(Number(began), ownClockMs()) + ANSWER_MS;
  while (before && mark() === before && ownClockMs() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function mark(): string {
  return MARK.exec(document.cookie)?.[1] ?? '';
}

interface RefreshAnswer {
  data?: { refresh?: { accessToken: string } | null } | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** The api answered, and the answer is no; its message says why. */
export class SessionRefused extends Error {}

// Only a clear `unauthorized` means signed out; an api that restarts is no reason to send people away.
async function post(query: string): Promise<RefreshAnswer> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
    keepalive: true,
    signal: AbortSignal.timeout(ANSWER_MS), // other tabs wait for the lock
  });
  const answer = (await response.json()) as RefreshAnswer;
  const refusal = answer.errors?.[0];
  if (refusal && refusal.extensions?.code !== 'unauthorized') throw new SessionRefused(refusal.message);
  return answer;
}

function end(): void {
  clearTimeout(timer);
  token = null;
  change('ended');
}

function keep(value: string): void {
  const { lifetime, owner: next } = readClaims(value);
  if (next !== owner) people += 1;
  if (state === 'unknown') channel.postMessage('opened'); // a tab whose session has ended may go on
  owner = next;
  token = { value, endsAt: monotonicMs() + lifetime };
  clearTimeout(timer);
  timer = setTimeout(() => void refreshSession().catch(() => null), Math.max(lifetime - EARLY_MS, LEAST_MS));
  change('signed-in');
}

// The lifetime in ms is the difference of two times inside the token: the clock of this computer may be wrong.
function readClaims(value: string): { lifetime: number; owner: string } {
  const text = atob((value.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  const claims = JSON.parse(text) as { exp?: number; iat?: number; sub?: string; tid?: string };
  const { exp, iat, sub, tid } = claims;
  if (iat !== undefined) followServerClock(iat);
  const lifetime = exp !== undefined && iat !== undefined ? (exp - iat) * 1000 : LEAST_MS;
  return { lifetime, owner: `${sub} ${tid}` };
}

function change(next: SessionState): void {
  if (state === next && seen === people) return;
  state = next;
  seen = people;
  for (const listener of listeners) listener();
}
