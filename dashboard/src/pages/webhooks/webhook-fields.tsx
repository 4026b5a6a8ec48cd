// What can be set about a webhook: URL, events, domains, description. For creating one and for its settings.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { WebhookChoicesDocument, type WebhookChoicesQuery } from '../../gen/pages/webhooks/webhooks.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FieldSet } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ALL_EVENTS, groupTypes } from './webhook-words.ts';

/** The fields of the API that show their own errors. */
export const WEBHOOK_FIELDS = ['url', 'eventTypes', 'domainIds', 'description'] as const;

/** What is in the form. */
export interface WebhookDraft {
  url: string;
  eventTypes: readonly string[];
  /** Null: all domains. */
  domainIds: readonly string[] | null;
  description: string;
}

/** The draft as the API takes it. */
export function inputOf({ url, eventTypes, domainIds, description }: WebhookDraft) {
  return {
    url: url.trim(),
    eventTypes: [...eventTypes],
    domainIds: domainIds === null ? null : [...domainIds],
    description: description.trim() || null,
  };
}

/** The controls. `errorOf` gives the problem of a field. */
export function WebhookFields({
  draft,
  onChange,
  errorOf,
}: {
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
  errorOf: (name: (typeof WEBHOOK_FIELDS)[number]) => string | undefined;
}): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: WebhookChoicesDocument, variables: {} });
  return (
    <>
      <Field
        label="Endpoint URL"
        hint="Must start with https://, be reachable from the internet, and contain no user name or password."
        error={errorOf('url')}
      >
        <TextInput
          type="url"
          value={draft.url}
          onChange={(event) => onChange({ ...draft, url: event.target.value })}
          placeholder="https://app.example.com/webhooks"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Description" optional error={errorOf('description')}>
        <TextInput
          value={draft.description}
          onChange={(event) => onChange({ ...draft, description: event.target.value })}
          placeholder="Order system, production"
          maxLength={500}
        />
      </Field>
      {data ? (
        <>
          <EventTypes
            types={data.webhookEventTypes}
            chosen={draft.eventTypes}
            onChange={(eventTypes) => onChange({ ...draft, eventTypes })}
            error={errorOf('eventTypes')}
          />
          <Domains
            domains={data.domains.edges.map(({ node }) => node)}
            chosen={draft.domainIds}
            onChange={(domainIds) => onChange({ ...draft, domainIds })}
            error={errorOf('domainIds')}
          />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : (
        <div role="status" aria-label="Loading event types">
          <Skeleton className="w-2/3" />
        </div>
      )}
    </>
  );
}

function EventTypes({
  types,
  chosen,
  onChange,
  error,
}: {
  types: WebhookChoicesQuery['webhookEventTypes'];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  error: string | undefined;
}): ReactNode {
  const all = chosen.includes(ALL_EVENTS);
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <FieldSet label="Events" error={error}>
      <CheckBox
        label="All events"
        hint="Includes types that are added later."
        checked={all}
        onChange={(event) => onChange(event.target.checked ? [ALL_EVENTS] : [])}
      />
      {all ? null : (
        <ul className="divide-y rounded-md border">
          {groupTypes(types).map((group) => (
            <li key={group.label} className="space-y-2 px-3 py-2.5">
              <p className="text-muted">{group.label}</p>
              <div className="grid gap-x-5 gap-y-2 sm:grid-cols-2">
                {group.types.map(({ name, description }) => (
                  <span key={name} title={description}>
                    <CheckBox
                      label={<span className="font-mono text-[13px] break-words">{name}</span>}
                      checked={chosen.includes(name)}
                      onChange={(event) => toggle(name, event.target.checked)}
                    />
                  </span>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </FieldSet>
  );
}

function Domains({
  domains,
  chosen,
  onChange,
  error,
}: {
  domains: readonly { id: string; name: string }[];
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
  error: string | undefined;
}): ReactNode {
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...(chosen ?? []), id] : (chosen ?? []).filter((one) => one !== id));
  return (
    <FieldSet label="Domains" error={error}>
      <CheckBox
        label="Events of all domains"
        checked={chosen === null}
        onChange={(event) => onChange(event.target.checked ? null : [])}
      />
      {chosen === null ? null : domains.length === 0 ? (
        <p className="text-muted">You have no domains yet.</p>
      ) : (
        <div className="grid gap-2 rounded-md border px-3 py-2.5 sm:grid-cols-2">
          {domains.map(({ id, name }) => (
            <CheckBox
              key={id}
              label={<span className="break-words">{name}</span>}
              checked={chosen.includes(id)}
              onChange={(event) => toggle(id, event.target.checked)}
            />
          ))}
        </div>
      )}
    </FieldSet>
  );
}
