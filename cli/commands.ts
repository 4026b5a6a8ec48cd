// Every command.

import { toId } from '../core/base/ids.ts';
import { migrate } from '../core/db/migrate.ts';
import { createKey, revokeKey } from '../core/key/keys.ts';
import { closeDayAfterRestore } from '../core/warmup/restored.ts';
import { ROLES } from '../core/people/membership-store.ts';
import { resetSecondFactorOf } from '../core/people/second-factor.ts';
import { addUser } from '../core/people/users.ts';
import { adminTokenCommands } from './admin-tokens.ts';
import { bucketCommands } from './buckets.ts';
import { clusterCommands } from './cluster.ts';
import { listOf, UsageError, uuidOf, type Command } from './command.ts';
import { domainResume } from './domain-resume.ts';
import { jobRun } from './job-run.ts';
import { messageExplain } from './message-explain.ts';
import { setPassword } from './set-password.ts';
import { sources } from './sources.ts';
import { tenantCommands } from './tenants.ts';
import { userList } from './user-list.ts';
import { service } from '../core/audit/actor.ts';

const tenant = { value: 'tnt_…', help: 'the tenant', required: true };

/** All commands, in the order of the help. */
export const COMMANDS: Command[] = [
  {
    name: 'database migrate',
    help: 'brings the database to the schema of this version; run it before the services of a new version start',
    args: [],
    options: {},
    async run({ databaseUrl }) {
      await migrate(databaseUrl, { log: (line) => process.stderr.write(`${line}\n`) });
      return { json: { migrated: true }, text: 'The database has the schema of this version.' };
    },
  },
  {
    name: 'database restored',
    help: 'after a restore of PostgreSQL, before the services start: all domains wait for the next 00:00 UTC',
    args: [],
    options: {},
    async run({ buckets }) {
      const { until, domains, messages } = await closeDayAfterRestore(buckets);
      const json = { until: until.toISOString(), domains, messages };
      return { json, text: `${domains} domains wait until ${json.until}, with ${messages} messages.` };
    },
  },
  ...tenantCommands,
  domainResume,
  {
    name: 'key create',
    help: 'creates an API key; its value is shown only now',
    args: [],
    options: {
      tenant,
      name: { value: 'NAME', help: 'what it is for', required: true },
      scopes: { value: 'A,B', help: 'scopes, separated by commas', required: true },
      expires: { value: 'TIME', help: 'when it stops working (RFC 3339); default: when it is revoked' },
      allow: { value: 'C,D', help: 'addresses and CIDR blocks from which it works; default: everywhere' },
      domain: { value: 'DOMAIN', help: 'the only domain that it may send from; default: any of the tenant' },
    },
    async run({ buckets }, _, options) {
      const tenantId = uuidOf('tnt', options['tenant'], 'tenant');
      const input = {
        tenantId,
        name: options['name'] ?? '',
        scopes: listOf(options['scopes']),
        expires_at: options['expires'],
        allowed_addresses: listOf(options['allow']),
        domain: options['domain'],
      };
      const db = buckets.database(await buckets.ofTenant(tenantId));
      const { keyId, value } = await createKey({ db }, service('cli'), input);
      const json = { key_id: toId('key', keyId), api_key: value };
      return { json, text: `Created key ${json.key_id}. Its value, shown only now:\n${value}` };
    },
  },
  {
    name: 'key revoke',
    help: 'revokes an API key; it stops working within a second',
    args: ['KEY'],
    options: {},
    async run({ db }, [key]) {
      await revokeKey({ db }, service('cli'), { keyId: uuidOf('key', key, 'API key') });
      return { json: { key_id: key, revoked: true }, text: `Revoked key ${key}.` };
    },
  },
  {
    name: 'user create',
    help: 'adds a person to a tenant; for a new one a password is made and shown only now',
    args: [],
    options: {
      tenant,
      email: { value: 'EMAIL', help: 'the address to sign in with', required: true },
      role: { value: 'ROLE', help: ROLES.join(', '), required: true },
      'password-stdin': {
        help: 'reads the password of a new person from standard input; default: a random one',
      },
    },
    async run({ db, readSecret }, _, options) {
      const role = ROLES.find((one) => one === options['role']);
      if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
      const typed = options['password-stdin'] === undefined ? null : await readSecret('Password: ');
      const { user, password: chosen } = await addUser({ db }, service('cli'), {
        tenantId: uuidOf('tnt', options['tenant'], 'tenant'),
        email: options['email'] ?? '',
        role,
        ...(typed !== null && { password: typed }),
      });
      const password = typed === null ? chosen : null; // who typed it knows it
      const json = { user_id: toId('usr', user.id), password };
      const who = `${user.email} (${json.user_id})`;
      const text =
        chosen === null
          ? `${who} now belongs to this tenant too, as ${role}, and signs in as before.`
          : password === null
            ? `Created ${role} ${who} with the password that you entered.`
            : `Created ${role} ${who}. Password, shown only now:\n${password}`;
      return { json, text };
    },
  },
  {
    name: 'user reset-second-factor',
    help: 'for a person who lost their second factor: takes it away and ends their sessions',
    args: [],
    options: { email: { value: 'EMAIL', help: 'the address that they sign in with', required: true } },
    async run({ db }, _, options) {
      const email = options['email'] ?? '';
      const userId = toId('usr', await resetSecondFactorOf({ db }, service('cli'), email));
      return {
        json: { user_id: userId },
        text: `${email} (${userId}) now signs in with the password alone.`,
      };
    },
  },
  setPassword,
  userList,
  ...adminTokenCommands,
  ...bucketCommands,
  ...clusterCommands,
  sources,
  jobRun,
  messageExplain,
];
