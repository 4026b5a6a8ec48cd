// A forgotten password: asking for the mail, and the page behind its link. None of it needs a sign-in.

import { findReset, requestPasswordReset, resetPassword } from '../../../core/people/password-reset.ts';
import type { Person } from '../../../core/people/user-store.ts';
import { atHome } from '../../deps.ts';
import type { Builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { signInOrigin } from '../known-browser.ts';
import { requireOwnOrigin } from '../refresh-cookie.ts';
import { originOf } from '../session-answer.ts';

/** Adds `passwordReset`, `requestPasswordReset` and `resetPassword`. */
export function addPasswordReset(builder: Builder): void {
  const requestInput = builder.inputType('RequestPasswordResetInput', {
    fields: (t) => ({ email: t.string({ required: true }) }),
  });
  const requestPayload = builder
    .objectRef<{ ok: boolean }>('RequestPasswordResetPayload')
    .implement({ fields: (t) => ({ ok: t.exposeBoolean('ok') }) });
  builder.mutationField('requestPasswordReset', (t) =>
    t.field({
      type: requestPayload,
      description:
        'Needs no sign-in. Mails a link to the address if it has an account; the answer is the same if it has none',
      skipTypeScopes: true,
      args: { input: t.arg({ type: requestInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        guard(context);
        await requestPasswordReset(atHome(context.deps), input.email, signInOrigin(context));
        return { ok: true };
      },
    }),
  );

  const offer = builder.objectRef<Person>('PasswordResetOffer').implement({
    description: 'The account whose password a link resets',
    fields: (t) => ({ email: t.exposeString('email') }),
  });
  builder.queryField('passwordReset', (t) =>
    t.field({
      type: offer,
      nullable: true,
      description:
        'Needs no sign-in. Null when the link was used, was replaced by a newer one, or has expired',
      skipTypeScopes: true,
      args: { token: t.arg.string({ required: true }) },
      resolve: (_root, { token }, context) => findReset(context.deps.home, token),
    }),
  );

  const resetInput = builder.inputType('ResetPasswordInput', {
    fields: (t) => ({
      token: t.string({ required: true, description: 'of the link in the mail' }),
      password: t.string({ required: true, description: '12 to 256 characters' }),
    }),
  });
  const resetPayload = builder
    .objectRef<Person>('ResetPasswordPayload')
    .implement({ fields: (t) => ({ email: t.exposeString('email') }) });
  builder.mutationField('resetPassword', (t) =>
    t.field({
      type: resetPayload,
      description: 'Needs no sign-in, and gives none. Uses up the link and ends all sessions of the person',
      skipTypeScopes: true,
      args: { input: t.arg({ type: resetInput, required: true }) },
      resolve: (_root, { input }, context) => {
        guard(context);
        return resetPassword(context.deps.home, input, originOf(context).ip);
      },
    }),
  );
}

function guard({ exchange, deps }: GraphqlContext): void {
  requireOwnOrigin(exchange.context.env.incoming, deps.config.PUBLIC_URL);
}
