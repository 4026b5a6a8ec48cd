// All that happened with a contact: every message to its address, and whether mail to it is suppressed.

import type { Suppression } from '../../../core/suppression/suppression-store.ts';
import { listMessages } from '../../../core/message/list-messages.ts';
import { listSuppressions } from '../../../core/suppression/suppressions.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { connectionCost, resolveById } from '../page.ts';
import type { ContactTypes } from './contact.ts';
import type { MessageTypes } from './message.ts';
import type { SuppressionTypes } from './suppression.ts';

const COST = 20; // read one contact at a time

/** Adds `messages` and `suppression` to Contact. */
export function addContactStory(
  builder: Builder,
  { contact, message, suppression }: ContactTypes & SuppressionTypes & Pick<MessageTypes, 'message'>,
): void {
  builder.objectField(contact, 'messages', (t) =>
    t.connection({
      type: message,
      description: 'All messages to the address of the contact, whoever they were sent as; newest first',
      complexity: (args) => {
        const { field, multiplier } = connectionCost(args);
        return { field: field * COST, multiplier };
      },
      resolve: ({ email }, args, context) =>
        resolveById(args, (page) =>
          listMessages(
            context.deps.db.pool,
            signedIn(context).tenantId,
            { to: email, isWholeAddress: true },
            page,
          ),
        ),
    }),
  );
  builder.objectField(contact, 'suppression', (t) =>
    t.field({
      type: suppression,
      nullable: true,
      description: 'The entry of the address on the suppression list; null without one',
      complexity: COST,
      resolve: async ({ email }, _args, context): Promise<Suppression | null> => {
        const { tenantId } = signedIn(context);
        const [found] = await listSuppressions(context.deps.db, tenantId, { email, limit: 1 });
        return found ?? null;
      },
    }),
  );
}
