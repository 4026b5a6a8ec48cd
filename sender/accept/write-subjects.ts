// Before a submission waits for its batch: the subjects of its templates, as they will be sent, so that lists, events and search
// show them. Only submissions with templates come here, and each waits for its own templates alone.

import { setImmediate } from 'node:timers/promises';

import type { Queryable } from '../../core/db/pool.ts';
import { readTemplates } from '../../core/message/accept-facts-store.ts';
import type { NewMessage, Submission, TemplateFacts } from '../../core/message/submission.ts';

/** Renders the subject of a template's version; null when the template does not allow it. */
export type RenderSubject = (
  tenantId: string,
  template: TemplateFacts,
  variables: Record<string, unknown>,
) => Promise<string | null>;

/** Sets `template` of messages, with the subject of each. Never rejects: a message that stays without has its template read later. */
export type WriteSubjects = (submission: Submission) => Promise<void>;

/** Makes it. Submissions that come at once share one query. */
export function createWriteSubjects(db: Queryable, render: RenderSubject): WriteSubjects {
  const read = createTemplateReader(db);
  const write = async (tenantId: string, message: NewMessage, template: TemplateFacts) => {
    const isPlain = message.subject !== '' || !/\{[{%]/.test(template.subject);
    const subject = isPlain ? null : await render(tenantId, template, message.variables).catch(() => null);
    message.template = subject === null ? template : { ...template, subject };
  };
  return async ({ tenantId, messages }) => {
    const wanted = messages.flatMap(({ templateId }) =>
      templateId === null ? [] : [{ tenantId, templateId }],
    );
    const templates = await read(wanted).catch(() => null); // the store is unavailable: the batch says so
    await Promise.all(
      messages.flatMap((message) => {
        const template = templates?.get(`${tenantId} ${message.templateId}`);
        return template ? [write(tenantId, message, template)] : [];
      }),
    );
  };
}

type Wanted = Parameters<typeof readTemplates>[1];

// Everything that is wanted in one turn of the event loop is one query.
function createTemplateReader(db: Queryable): (wanted: Wanted) => ReturnType<typeof readTemplates> {
  let waiting = new Map<string, Wanted[number]>();
  let reading: ReturnType<typeof readTemplates> | null = null;
  const readAll = async () => {
    await setImmediate();
    const all = [...waiting.values()];
    waiting = new Map();
    reading = null;
    return readTemplates(db, all);
  };
  return (wanted) => {
    for (const one of wanted) waiting.set(`${one.tenantId} ${one.templateId}`, one);
    return (reading ??= readAll());
  };
}
