// The first steps of a tenant, as the overview shows them until they are done or hidden.

import { hideFirstSteps } from '../../../core/people/membership-store.ts';
import { readFirstSteps, type FirstSteps } from '../../../core/tenant/first-steps.ts';
import { EVERY_ROLE, type Builder } from '../builder.ts';
import { signedIn } from '../context.ts';

/** Adds `firstSteps` and `hideFirstSteps`. */
export function addFirstSteps(builder: Builder): void {
  const steps = builder
    .objectRef<FirstSteps & { hidden: boolean; caFile: string | null }>('FirstSteps')
    .implement({
      description: 'What a new tenant has done of the things that everybody needs once',
      fields: (t) => ({
        hidden: t.exposeBoolean('hidden', { description: 'Whether the signed-in person has hidden them' }),
        domain: t.boolean({
          description: 'There is a verified domain',
          resolve: ({ sendingDomain }) => sendingDomain !== null,
        }),
        sendingDomain: t.exposeString('sendingDomain', {
          nullable: true,
          description: 'The first verified domain, for examples',
        }),
        caFile: t.exposeString('caFile', {
          nullable: true,
          description:
            'Path of the certificate authority that examples trust; null unless `npm start` made it',
        }),
        apiKey: t.exposeBoolean('apiKey', { description: 'There is a key that works' }),
        apiCalled: t.exposeBoolean('apiCalled', { description: 'A key was used' }),
        webhook: t.exposeBoolean('webhook', { description: 'Events are posted somewhere' }),
        dmarc: t.exposeBoolean('dmarc', { description: 'A verified domain has a DMARC record' }),
        team: t.exposeBoolean('team', { description: 'Somebody else belongs to the tenant or is invited' }),
      }),
    });
  builder.queryField('firstSteps', (t) =>
    t.field({
      type: steps,
      ...EVERY_ROLE,
      resolve: async (_root, _args, context) => {
        const { tenantId, user } = signedIn(context);
        const done = await readFirstSteps(context.deps.db.pool, tenantId);
        const caFile = context.deps.config.TLS_CA_FILE ?? null;
        return { ...done, hidden: user.firstStepsHiddenAt !== null, caFile };
      },
    }),
  );
  const payload = builder.objectRef<{ ok: boolean }>('HideFirstStepsPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('hideFirstSteps', (t) =>
    t.field({
      type: payload,
      description: 'The signed-in person wants to see the first steps of this tenant no more',
      ...EVERY_ROLE,
      resolve: async (_root, _args, context) => {
        const { tenantId, user } = signedIn(context);
        await hideFirstSteps(context.deps.db.pool, tenantId, user.id);
        return { ok: true };
      },
    }),
  );
}
