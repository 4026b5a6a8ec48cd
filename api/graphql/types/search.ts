// `search`: one text, looked for in everything.

import { find, MOST_FOUND, type Found } from '../../../core/find/find.ts';
import { searchText } from '../../../core/find/find-input.ts';
import { invalidField } from '../../../core/base/errors.ts';
import { checkValue } from '../../../core/base/field-problems.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import type { CampaignTypes } from './campaign.ts';
import type { ContactTypes } from './contact.ts';
import type { MessageTypes } from './message.ts';
import type { SuppressionTypes } from './suppression.ts';

const COST = 20; // several statements, each over an index or a bounded number of rows

/** Adds SearchResults and `search`. */
export function addSearch(
  builder: Builder,
  types: Pick<MessageTypes, 'message'> & ContactTypes & SuppressionTypes & CampaignTypes,
): void {
  const of = (kind: keyof Found) => ({ field: 1, multiplier: MOST_FOUND[kind] });
  const results = builder.objectRef<Found>('SearchResults').implement({
    description: 'What was found of each kind, newest first',
    fields: (t) => ({
      messages: t.expose('messages', {
        type: [types.message],
        description: 'To such an address, with such words in the subject, or with such a tag; 8 at most',
        complexity: of('messages'),
      }),
      contacts: t.expose('contacts', {
        type: [types.contact],
        description:
          'With this address, those whom the messages found went to, or of the newest 20,000 those whose address or name has this part; 4 at most',
        complexity: of('contacts'),
      }),
      suppressions: t.expose('suppressions', {
        type: [types.suppression],
        description: 'As contacts, by their address; 4 at most',
        complexity: of('suppressions'),
      }),
      campaigns: t.expose('campaigns', {
        type: [types.campaign],
        description: 'Of the newest 2,000 those with this in their name or subject; 4 at most',
        complexity: of('campaigns'),
      }),
    }),
  });
  builder.queryField('search', (t) =>
    t.field({
      type: results,
      description: 'Everything that a text may mean: an id, a part of an address, words of a subject, a tag',
      args: {
        text: t.arg.string({ required: true, description: '3 to 400 characters; name=value is a tag' }),
      },
      complexity: COST,
      resolve: (_root, { text }, context) => {
        const checked = checkValue(searchText, text);
        if (!checked.ok) throw invalidField('text', checked.details[0]!.message);
        return find(context.deps.db.pool, signedIn(context).tenantId, checked.value);
      },
    }),
  );
}
