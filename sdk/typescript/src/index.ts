// The public names of the package.

import type { components } from './gen/api.ts';

/** The types of what is sent and answered: `Schemas['SendRequest']`, `Schemas['Message']`. */
export type Schemas = components['schemas'];

export { createPostrider, type Postrider, type PostriderOptions } from './client.ts';
export { PostriderError, type ErrorCode, type FieldProblem } from './errors.ts';
export type { FollowedEvent, FollowOptions } from './follow.ts';
export type { Input, RequestOptions, Result } from './operations.ts';
export { paginate } from './pages.ts';
export { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './webhook.ts';
