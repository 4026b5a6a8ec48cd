// People of tenants on two apis: what their stories share.

import { fromId, toId } from '../../core/base/ids.ts';
import type { Role } from '../../core/people/membership-store.ts';
import { createApiWorld, type ApiWorld, type RunningApi } from './api-world.ts';
import { mailedToken, makeSystemSender } from './invitations.ts';
import { code, login, makePerson, stranger, type Credentials, type MadePerson } from './sign-in.ts';
import { waitUntil, WITHIN_A_SECOND } from './wait.ts';

/** Two apis on the same stores; closing the first closes both. */
export interface PeopleWorld {
  world: ApiWorld;
  other: RunningApi;
}

/** Somebody who is signed in. */
export interface Person extends MadePerson {
  id: string;
  token: string;
  cookie: string;
}

/** What everybody signs in with at first. */
export const PASSWORD = 'correct horse battery';

/** Starts the apis, able to mail invitations. */
export async function openPeopleWorld(): Promise<PeopleWorld> {
  const world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  const other = await world.startAnother();
  await makeSystemSender(world);
  return { world, other };
}

const INVITE = `mutation($input: InvitePersonInput!) { invitePerson(input: $input) {
  invitation { id email role invitedBy createdAt expiresAt mail } } }`;
const ACCEPT = `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) {
  accessToken expiresAt user { id email role } } }`;
const OFFER = 'query($token: String!) { invitation(token: $token) { tenantName email role expiresAt } }';

/** What people do; `of` gives the world once it is there. */
export function peopleSteps(of: () => PeopleWorld) {
  const ask = (who: Pick<Person, 'token'>, query: string, variables: unknown = {}) =>
    of().world.graphql(query, variables, { key: who.token });
  const isOut = async (token: string, api: RunningApi = of().world) =>
    code(await api.graphql('{ viewer { user { id } } }', {}, { key: token })) === 'unauthorized';
  const invite = (by: Person, email: string, role = 'member') => ask(by, INVITE, { input: { email, role } });
  return {
    ask,
    isOut,
    invite,
    login: (who: Credentials, headers: Record<string, string> = {}) => login(of().world, who, headers),
    async person(role: Role = 'owner', tenantId?: string): Promise<Person> {
      const made = await makePerson(of().world, role, { tenantId, password: PASSWORD });
      const { token, cookie } = await login(of().world, made);
      return { ...made, id: toId('usr', made.userId), token, cookie };
    },
    outWithinASecond: (token: string) =>
      Promise.all([of().world, of().other].map((api) => waitUntil(() => isOut(token, api), WITHIN_A_SECOND))),
    /** Tenants of whoever a token is, each with the role there. */
    async tenantsOf(token: string) {
      const answer = await ask({ token }, '{ viewer { memberships { role tenant { id name } } } }');
      const memberships = answer.json.data.viewer.memberships as { role: string; tenant: { id: string } }[];
      return memberships.map(({ role, tenant }) => [fromId('tnt', tenant.id), role]);
    },
    /** Invites, and reads the token as the owner of the mailbox does. */
    async invited(by: Person, email: string, role = 'member') {
      const { invitation } = (await invite(by, email, role)).json.data.invitePerson;
      return { invitation, token: mailedToken(of().world, email) };
    },
    accept: (token: string, password = PASSWORD, headers: Record<string, string> = {}) =>
      of().world.graphql(ACCEPT, { input: { token, password } }, { headers: { ...stranger(), ...headers } }),
    /** What the page behind an invitation's link shows. */
    async offer(token: string) {
      const answer = await of().world.graphql(OFFER, { token }, { headers: stranger() });
      return answer.json.data.invitation as object | null;
    },
  };
}
