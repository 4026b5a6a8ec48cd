// Who has an account.

import { toId } from '../core/base/ids.ts';
import { listEverybody } from '../core/people/people.ts';
import { uuidOf, type Command } from './command.ts';
import { readPages } from './read-pages.ts';

/** `user list`. */
export const userList: Command = {
  name: 'user list',
  help: 'lists people with their tenants and roles, the newest first',
  args: [],
  options: { tenant: { value: 'tnt_…', help: 'only those who belong to this tenant' } },
  async run({ db }, _, { tenant }) {
    const tenantId = tenant === undefined ? null : uuidOf('tnt', tenant, 'tenant');
    const people = await readPages((page) => listEverybody(db, { ...page, tenantId }));
    const items = people.map(({ id, email, createdAt, memberships }) => ({
      user_id: toId('usr', id),
      email,
      created_at: createdAt.toISOString(),
      memberships: memberships.map(({ tenantId: of, role }) => ({ tenant_id: toId('tnt', of), role })),
    }));
    const lines = items.map(({ user_id: id, email, memberships }) => {
      const roles = memberships.map(({ tenant_id: of, role }) => `${role} of ${of}`);
      return `${id}  ${email}  ${roles.join(', ') || 'no tenant'}`;
    });
    return { json: { items }, text: lines.join('\n') || 'There are no such people.' };
  },
};
