// People who sign in to an ApiWorld with a password, and what is read off a GraphQL answer.

import { newUuid } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from './actor.ts';
import type { Answer, ApiWorld } from './api-world.ts';

/** What somebody signs in with. */
export interface Credentials {
  email: string;
  password: string;
}

/** Somebody who can sign in to a tenant. */
export interface MadePerson extends Credentials {
  tenantId: string;
  userId: string;
}

/** A sign-in. When it was refused there is no token, and the cookie is empty. */
interface SignedIn {
  answer: Answer;
  token: string;
  cookie: string;
}

/** The code of the first error of a GraphQL answer. */
export const code = (answer: Answer) => answer.json?.errors?.[0]?.extensions?.code as unknown;

/** The words of that error. */
export const words = (answer: Answer) => answer.json?.errors?.[0]?.message as string;

/** The first cookie of an answer, as a browser sends it back. */
export const cookieOf = (answer: Answer) => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';

const ADDRESSES = 250;
let addresses = 0;

/** Headers of a client that was not seen before (where TRUSTED_PROXIES has 127.0.0.1). */
export const stranger = () => ({ 'x-forwarded-for': `203.0.113.${++addresses % ADDRESSES}` });

const LOGIN = `mutation($input: LoginInput!) { login(input: $input) { accessToken expiresAt user { id email role } } }`;

/** Signs in as a stranger, with further headers. */
export async function login(
  world: ApiWorld,
  { email, password }: Credentials,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const input = { email, password };
  const answer = await world.graphql(LOGIN, { input }, { headers: { ...stranger(), ...headers } });
  return { answer, token: answer.json?.data?.login?.accessToken as string, cookie: cookieOf(answer) };
}

/** Makes somebody, by default in a tenant of their own. */
export async function makePerson(
  world: ApiWorld,
  role: Role,
  more: { tenantId?: string | undefined; email?: string | undefined; password?: string } = {},
): Promise<MadePerson> {
  const tenantId = more.tenantId ?? (await world.makeTenant()).id;
  const email = more.email ?? `p${newUuid()}@example.com`;
  const input = { tenantId, email, role, ...(more.password !== undefined && { password: more.password }) };
  const { password, userId } = await createUser(world.context, TESTER, input);
  return { tenantId, email, password, userId };
}
