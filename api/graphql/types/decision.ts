// Decisions about a message.

import type { Decision } from '../../../core/message/explain.ts';
import type { Builder } from '../builder.ts';

/** Adds Decision. */
export function addDecision(builder: Builder) {
  return builder.objectRef<Decision>('Decision').implement({
    description: 'One decision about a message',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      rule: t.exposeString('rule', { description: 'What was decided by: accepted, warmup_cap, retry, …' }),
      inputs: t.expose('inputs', { type: 'JSON', description: 'The numbers of that moment' }),
      times: t.int({
        description: 'How often it was made in a row; the rest is of the last time',
        resolve: ({ inputs }) => (typeof inputs['times'] === 'number' ? inputs['times'] : 1),
      }),
      state: t.string({
        description: 'The status of the message after it',
        resolve: ({ outcome }) => outcome.state,
      }),
      until: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When something is done about it next; null when it has ended, or waits for somebody',
        resolve: ({ outcome }) => outcome.until,
      }),
      text: t.string({ description: 'The decision as a sentence', resolve: ({ outcome }) => outcome.text }),
      nextStep: t.exposeString('nextStep', { description: 'What happens next, as a sentence' }),
      docs: t.exposeString('docs', { description: 'The page of the documentation that describes the rule' }),
    }),
  });
}
