// What is kept of messages.

import {
  changeMessageSettings,
  messageSettingsChange,
  readMessageSettings,
  type MessageSettings,
} from '../../../core/tenant/message-settings.ts';
import type { Builder } from '../builder.ts';
import { checkInput } from '../check-input.ts';
import { asCaller, signedIn } from '../context.ts';

/** Adds MessageSettings, its query and its mutation. */
export function addMessageSettingsTypes(builder: Builder): void {
  const settings = builder.objectRef<MessageSettings>('MessageSettings').implement({
    description: 'What is kept of messages',
    fields: (t) => ({
      keepContent: t.exposeBoolean('keepContent', {
        description: 'Whether what a message says is kept after it has ended',
      }),
    }),
  });
  builder.queryField('messageSettings', (t) =>
    t.field({
      type: settings,
      resolve: (_root, _args, context) =>
        readMessageSettings(context.deps.db.pool, signedIn(context).tenantId),
    }),
  );
  const input = builder.inputType('UpdateMessageSettingsInput', {
    fields: (t) => ({ keepContent: t.boolean() }),
  });
  const payload = builder
    .objectRef<{ messageSettings: MessageSettings }>('MessageSettingsPayload')
    .implement({ fields: (t) => ({ messageSettings: t.expose('messageSettings', { type: settings }) }) });
  builder.mutationField('updateMessageSettings', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        const { keep_content: keepContent } = checkInput(messageSettingsChange, args.input);
        return {
          messageSettings: await changeMessageSettings(context.deps, ...asCaller(context), { keepContent }),
        };
      },
    }),
  );
}
