// POST /templates/{id}/preview: what a message from the template would say.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { invalidField, invalidFields } from '../../../core/base/errors.ts';
import { textFromHtml } from '../../../core/mail/compose/text-from-html.ts';
import { checkVariables } from '../../../core/message/variables-input.ts';
import { getTemplate } from '../../../core/template/templates.ts';
import { variableProblems } from '../../../core/template/variables.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

// Characters. The text is made on the event loop: the worst nesting of this size takes about 50 ms
// (core/mail/compose/text-from-html.ts).
const MAX_HTML_FOR_TEXT = 32 * 1024;

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
      'memory. A template without a text part gets its text from the HTML (empty for HTML over 32 KiB).',
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
    return { data: { subject, html, text: text || textOf(html) } };
  },
);

function textOf(html: string): string {
  return html === '' || html.length > MAX_HTML_FOR_TEXT ? '' : (textFromHtml(html) ?? '');
}
