// /templates: Liquid with typed variables, in versions.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Template } from '../../../core/template/template.ts';
import { newTemplate, templateChange } from '../../../core/template/template-input.ts';
import {
  changeTemplate as change,
  createTemplate as create,
  deleteTemplate as remove,
  getTemplate as get,
  listTemplates as list,
} from '../../../core/template/templates.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Templates';
const params = z.object({ id: idInput('tpl') });

/** A template in the contract's words. */
export const templateView = z
  .object({
    id: idView('tpl'),
    name: z.string(),
    subject: z.string(),
    html: z.string().nullable(),
    text: z.string().nullable(),
    variables: z.array(
      z.object({
        name: z.string(),
        required: z.boolean(),
        default: z.union([z.string(), z.number(), z.boolean(), z.null()]),
      }),
    ),
    test_data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'values that previews in the dashboard use; mail never does' }),
    version: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Template', description: 'A template at its current version' });

/** POST /templates */
export const createTemplate = defineRoute(
  {
    operationId: 'createTemplate',
    method: 'POST',
    path: '/templates',
    access: 'templates:write',
    group: GROUP,
    summary: 'Create a template',
    description:
      'Templates are Liquid: `{{ name }}` is escaped in HTML, filters, `if` and `for` work, other files cannot be ' +
      'included. Numbers, filters and their arguments are those of Shopify’s Liquid; a filter with wrong arguments is ' +
      '422 with line and column. Rendering has hard limits of time and memory. Without a text part, one is made from ' +
      'the HTML. In campaign mail, and in mail sent with `unsubscribe: true`, `{{ unsubscribe_url }}` is the recipient’s unsubscribe link.',
    body: jsonBody(newTemplate),
    response: templateView,
    status: 201,
    example: {
      name: 'Welcome',
      subject: 'Welcome, {{ first_name }}',
      html: '<p>Hello {{ first_name }}</p>',
      variables: [{ name: 'first_name', required: true }],
    },
  },
  async ({ deps, caller, by, body }) => ({
    data: toTemplateView(await create(deps, by, caller.tenantId, body)),
  }),
);

/** GET /templates */
export const listTemplates = defineRoute(
  {
    operationId: 'listTemplates',
    method: 'GET',
    path: '/templates',
    access: 'templates:read',
    group: GROUP,
    summary: 'List templates',
    query: z.strictObject(pageQuery),
    response: pageOf(templateView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await list(deps, caller.tenantId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toTemplateView) };
  },
);

/** GET /templates/{id} */
export const getTemplate = defineRoute(
  {
    operationId: 'getTemplate',
    method: 'GET',
    path: '/templates/{id}',
    access: 'templates:read',
    group: GROUP,
    summary: 'Read a template',
    params,
    response: templateView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toTemplateView(await get(deps, caller.tenantId, id)),
  }),
);

/** PATCH /templates/{id} */
export const changeTemplate = defineRoute(
  {
    operationId: 'changeTemplate',
    method: 'PATCH',
    path: '/templates/{id}',
    access: 'templates:write',
    group: GROUP,
    summary: 'Change a template',
    description:
      'New content is a new version; mail accepted before is still rendered from the old one. With `expected_version` ' +
      'nobody else’s change is overwritten: 409 when the template is at another version.',
    params,
    body: jsonBody(templateChange),
    response: templateView,
    status: 200,
    example: { subject: 'Good to see you, {{ first_name }}' },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toTemplateView(await change(deps, by, caller.tenantId, id, body)),
  }),
);

/** DELETE /templates/{id} */
export const deleteTemplate = defineRoute(
  {
    operationId: 'deleteTemplate',
    method: 'DELETE',
    path: '/templates/{id}',
    access: 'templates:write',
    group: GROUP,
    summary: 'Delete a template',
    description:
      'Its name can be used again; mail accepted before is still rendered from it. A campaign that is being sent ' +
      'with it pauses with `template_not_found` and can only be cancelled; one with a subject of its own copied the ' +
      'template when it started, and continues.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await remove(deps, by, caller.tenantId, id);
    return { data: { id: toId('tpl', id), deleted: true as const } };
  },
);

/** A template as REST shows it. */
export function toTemplateView(template: Template): z.input<typeof templateView> {
  return {
    id: toId('tpl', template.id),
    name: template.name,
    subject: template.subject,
    html: template.html,
    text: template.text,
    variables: template.variables,
    test_data: template.testData,
    version: template.version,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  };
}
