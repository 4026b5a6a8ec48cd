// POST /templates/{id}/preview: what a message from the template would say.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { invalidField, invalidFields } from '../../../core/base/errors.ts';
import { checkVariables } from '../../../core/message/variables-input.ts';
import { getTemplate } from '../../../core/template/templates.ts';
import { variableProblems } from '../../../core/template/variables.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

/** POST /templates/{id}/preview */
export const previewTemplate = defineRoute(
  {
    operationId: 'previewTemplate',
    method: 'POST',
    path: '/templates/{id}/preview',
    access: 'templates:read',
    group: 'Templates',
    summary: 'Render a template',
    description:
      'Renders the current version. 422 if a required variable is missing, or rendering takes too long or too much ' +
      'memory. A template without a text part gets its text from the HTML (empty for HTML over 128 KiB).',
    params: z.object({ id: idInput('tpl') }),
    body: jsonBody(z.strictObject({ variables: z.record(z.string(), z.unknown()).default({}) })),
    response: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    status: 200,
    example: { variables: { first_name: 'Ann' } },
  },
  async ({ deps, caller, params: { id }, body: { variables } }) => {
    const bad = checkVariables(variables);
    if (bad !== null) throw invalidField('variables', bad);
    const template = await getTemplate(deps, caller.tenantId, id);
    const details = variableProblems(template.variables, variables);
    if (details.length > 0) throw invalidFields(details);
    const rendered = await deps.renderer.render(caller.tenantId, id, template.version, variables);
    if (!rendered.ok) throw invalidField('template', rendered.reason);
    const { subject, html, text } = rendered;
    return { data: { subject, html, text: text || (await deps.renderer.textOf(caller.tenantId, html)) } };
  },
);
