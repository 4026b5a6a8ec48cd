// Super-admin tokens: made, listed, revoked.

import { fromId, toId } from '../core/base/ids.ts';
import { notFound } from '../core/base/errors.ts';
import { service } from '../core/audit/actor.ts';
import {
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
  type AdminToken,
} from '../core/key/admin-tokens.ts';
import type { Command } from './command.ts';

/** `admin token`, `admin list` and `admin revoke`. */
export const adminTokenCommands: Command[] = [
  {
    name: 'admin token',
    help: 'creates a super-admin token; its value is shown only now',
    args: [],
    options: {
      name: { value: 'NAME', help: 'who will use it' },
      expires: { value: 'TIME', help: 'when it stops working (RFC 3339); default: when it is revoked' },
    },
    async run({ db }, _, { name, expires }) {
      const { tokenId, value } = await createAdminToken({ db }, service('cli'), {
        name,
        expires_at: expires,
      });
      const json = { token: value, token_id: toId('adm', tokenId) };
      return { json, text: `Super-admin token ${json.token_id}, shown only now:\n${value}` };
    },
  },
  {
    name: 'admin list',
    help: 'lists all super-admin tokens, newest first, without their values',
    args: [],
    options: {},
    async run({ db }) {
      const tokens = await listAdminTokens(db);
      const text = tokens.map(line).join('\n') || 'There is no super-admin token.';
      return { json: { items: tokens.map(toItem) }, text };
    },
  },
  {
    name: 'admin revoke',
    help: 'revokes a super-admin token; it stops working within a second',
    args: ['TOKEN_ID'],
    options: {},
    async run({ db }, [id]) {
      const uuid = fromId('adm', id);
      if (uuid === null) throw notFound('admin token');
      await revokeAdminToken({ db }, service('cli'), uuid);
      return { json: { token_id: id, revoked: true }, text: `Revoked super-admin token ${id}.` };
    },
  },
];

function toItem({ id, name, createdAt, expiresAt, revokedAt }: AdminToken) {
  return {
    token_id: toId('adm', id),
    name,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

function line(token: AdminToken): string {
  const { token_id: id, name, created_at: created, expires_at: expires, revoked_at: revoked } = toItem(token);
  const verb = token.isExpired ? 'expired' : 'expires';
  const end = revoked === null ? (expires === null ? '' : `  ${verb} ${expires}`) : `  revoked ${revoked}`;
  return `${id}  ${name}${end}  created ${created}`;
}
