// The whole schema. A new noun is a new file under types/ and a line here.

import type { GraphQLSchema } from 'graphql';

import { createBuilder } from './builder.ts';
import { addApiKeyTypes } from './types/api-key.ts';
import { addJobTypes } from './types/job.ts';
import { addMessageTypes } from './types/message.ts';
import { addSendMessage } from './types/send-message.ts';
import { addSessionTypes } from './types/session.ts';
import { addTenantTypes } from './types/tenant.ts';
import { addWarmupTypes } from './types/warmup.ts';

/** Builds the schema. */
export function buildSchema(): GraphQLSchema {
  const builder = createBuilder();
  const tenantTypes = addTenantTypes(builder);
  addSessionTypes(builder, tenantTypes);
  addApiKeyTypes(builder);
  addJobTypes(builder);
  addMessageTypes(builder);
  addSendMessage(builder);
  addWarmupTypes(builder);
  return builder.toSchema();
}
