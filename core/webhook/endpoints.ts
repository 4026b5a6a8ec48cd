// Endpoints of events: making, changing and deleting them, and their secrets.

import type { Actor } from '../audit/actor.ts';
import { isApplied } from '../audit/audit-store.ts';
import { change, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, invalidFields, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { deriveKeys, seal } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import type { EndpointChange, NewEndpoint } from './endpoint-input.ts';
import {
  deleteEndpoint as deleteRow,
  insertEndpoint,
  MAX_ENDPOINTS,
  rotateEndpoint as rotateRow,
  selectEndpoint,
  selectOwnDomains,
  selectSealedSecrets,
  updateEndpoint,
  type Endpoint,
} from './endpoint-store.ts';
import { openSecret, type WebhookDeps } from './settings.ts';
import { newEventSecret } from './standard-webhook.ts';

const OVERLAP_HOURS = 24; // that the old secret signs beside a new one

/** An endpoint with its secret: the one time that it can be seen. */
export interface RevealedEndpoint {
  endpoint: Endpoint;
  secret: string;
}

/** Makes an endpoint. A retry of the same request gives the same one. Throws conflict for the 21st. */
export async function createEndpoint(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  input: NewEndpoint,
): Promise<RevealedEndpoint> {
  await check(deps, tenantId, input);
  const id = by.changeId ?? newUuid();
  const secret = newEventSecret();
  try {
    const endpoint = await change(deps, by, async (client, record) => {
      const made = await insertEndpoint(client, tenantId, {
        id,
        url: input.url,
        eventTypes: input.event_types,
        description: input.description,
        domainIds: input.domain_ids,
        format: input.format,
        sealedSecret: sealSecret(deps, secret),
      });
      if (!made)
        throw new AppError(
          'conflict',
          `There are ${MAX_ENDPOINTS} webhooks, the most there may be. Delete one first.`,
        );
      await record(entry('webhook.created', tenantId, made));
      return made;
    });
    return { endpoint, secret };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return reveal(deps, tenantId, id);
  }
}

/** One endpoint. Throws not_found. */
export async function getEndpoint(
  db: Pick<Database, 'pool'>,
  tenantId: string,
  id: string,
): Promise<Endpoint> {
  const endpoint = await selectEndpoint(db.pool, tenantId, id);
  if (!endpoint) throw notFound('webhook');
  return endpoint;
}

/** Whether a change names another URL than the endpoint has. Throws not_found. */
export async function changesUrl(
  db: Pick<Database, 'pool'>,
  tenantId: string,
  id: string,
  { url }: Pick<EndpointChange, 'url'>,
): Promise<boolean> {
  return url !== undefined && (await getEndpoint(db, tenantId, id)).url !== url;
}

/** Changes what is named. Turning an endpoint on gives it five fresh days. Throws not_found. */
export async function changeEndpoint(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  id: string,
  input: EndpointChange,
): Promise<Endpoint> {
  const before = await getEndpoint(deps.db, tenantId, id);
  await check(deps, tenantId, input);
  return change(deps, by, async (client, record) => {
    const { url, event_types: eventTypes, description, domain_ids: domainIds, enabled } = input;
    const changed = await updateEndpoint(client, tenantId, id, {
      url,
      eventTypes,
      description,
      domainIds,
      enabled,
    });
    if (!changed) throw notFound('webhook');
    const isElsewhere = changed.url !== before.url;
    await record({
      ...entry('webhook.changed', tenantId, changed),
      ...(isElsewhere && { mailedAs: 'webhook.url_changed' }),
    });
    return changed;
  });
}

/** Gives an endpoint a new secret; the old one signs beside it for 24 hours. Throws not_found. */
export async function rotateEndpoint(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<RevealedEndpoint> {
  const action = 'webhook.rotated';
  if (await isApplied(deps.db.pool, tenantId, by, action)) return reveal(deps, tenantId, id);
  const secret = newEventSecret();
  const endpoint = await change(deps, by, async (client, record) => {
    const sealedSecret = sealSecret(deps, secret);
    const rotated = await rotateRow(client, tenantId, id, { sealedSecret, hours: OVERLAP_HOURS });
    if (!rotated) throw notFound('webhook');
    await record(entry(action, tenantId, rotated));
    return rotated;
  });
  return { endpoint, secret };
}

/** Deletes an endpoint; what waits for it is not delivered. Throws not_found. */
export async function deleteEndpoint(
  deps: WebhookDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const gone = await deleteRow(client, tenantId, id);
    if (!gone) throw notFound('webhook');
    await record(entry('webhook.deleted', tenantId, gone));
  });
}

/** The secrets that sign what an endpoint gets: two for a day after a rotation. Throws not_found. */
export async function secretsOf(
  deps: Pick<WebhookDeps, 'db' | 'config'>,
  tenantId: string,
  id: string,
): Promise<string[]> {
  const sealed = await selectSealedSecrets(deps.db.pool, tenantId, id);
  if (!sealed) throw notFound('webhook');
  return [sealed.current, sealed.previous]
    .filter((one) => one !== null)
    .map((one) => openSecret(deps.config, one));
}

// What the request that came first had made, with the secret that its caller never saw.
async function reveal(deps: WebhookDeps, tenantId: string, id: string): Promise<RevealedEndpoint> {
  const [endpoint, [secret]] = await Promise.all([
    getEndpoint(deps.db, tenantId, id),
    secretsOf(deps, tenantId, id),
  ]);
  return { endpoint, secret: secret! };
}

async function check(
  deps: WebhookDeps,
  tenantId: string,
  input: Pick<EndpointChange, 'url' | 'domain_ids'>,
): Promise<void> {
  const { url, domain_ids: domainIds } = input;
  if (domainIds && domainIds.length > 0) {
    const own = await selectOwnDomains(deps.db.pool, tenantId, domainIds);
    const problems = domainIds.flatMap((id, index) =>
      own.has(id) ? [] : [{ path: `domain_ids[${index}]`, message: 'is not the id of a domain of yours' }],
    );
    if (problems.length > 0) throw invalidFields(problems);
  }
  if (url !== undefined) {
    const refused = await deps.http.checkUrl(url);
    if (refused !== null) throw invalidField('url', refused);
  }
}

function sealSecret(deps: WebhookDeps, secret: string): Buffer {
  const [key] = deriveKeys(deps.config, 'secret-box');
  return seal(key, Buffer.from(secret, 'utf8'));
}

function entry(action: `webhook.${string}`, tenantId: string, endpoint: Endpoint): ChangeEntry {
  const { id, url, enabled, eventTypes } = endpoint;
  return { action, tenantId, subject: toId('whk', id), details: { url, enabled, event_types: eventTypes } };
}
