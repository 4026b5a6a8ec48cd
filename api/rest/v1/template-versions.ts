// /templates/{id}/versions: what a template said before, who saved it, and going back to it.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { templateRestore } from '../../../core/template/template-input.ts';
import type { VersionEntry } from '../../../core/template/template.ts';
import { getVersion, listVersions, restoreVersion } from '../../../core/template/templates.ts';
import { decodeCursor, VERSION_KEY } from '../../cursor.ts';
import { jsonBody } from '../../endpoint.ts';
import { pageOf, pageQueryBy, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';
import { templateView, toTemplateView } from './templates.ts';

const GROUP = 'Templates';
const MAX_VERSION = 2_147_483_647; // integer of PostgreSQL
const params = z.object({ id: idInput('tpl') });
const paramsOfOne = params.extend({ version: z.coerce.number().int().min(1).max(MAX_VERSION) });

const entryFields = {
  version: z.int(),
  subject: z.string(),
  created_at: z.iso.datetime(),
  created_by: z.string().nullable().meta({
    description: 'an email address, or the id of an API key; null for versions from before this was kept',
  }),
  restored_from: z.int().nullable().meta({ description: 'the version whose content this is again' }),
};
const entryView = z
  .object(entryFields)
  .meta({ id: 'TemplateVersion', description: 'One version in the history of a template' });
const { subject, html, text, variables } = templateView.shape;
const versionView = z
  .object({ ...entryFields, subject, html, text, variables })
  .meta({ id: 'TemplateVersionContent', description: 'What a template says at one version' });

/** GET /templates/{id}/versions */
export const listTemplateVersions = defineRoute(
  {
    operationId: 'listTemplateVersions',
    method: 'GET',
    path: '/templates/{id}/versions',
    access: 'templates:read',
    group: GROUP,
    summary: 'List the versions of a template',
    description:
      'Newest first. The newest 100 are always kept, older ones as long as a message may need them.',
    params,
    query: z.strictObject(pageQueryBy([VERSION_KEY])),
    response: pageOf(entryView),
    status: 200,
  },
  async ({ deps, caller, params: { id }, query }) => {
    const [before] = query.after === undefined ? [] : decodeCursor(query.after, [VERSION_KEY]);
    const page = { before: before === undefined ? null : Number(before), limit: query.limit + 1 };
    const rows = await listVersions(deps, caller.tenantId, id, page);
    return { data: toPage(rows, query.limit, (row) => [String(row.version)], toEntryView) };
  },
);

/** GET /templates/{id}/versions/{version} */
export const getTemplateVersion = defineRoute(
  {
    operationId: 'getTemplateVersion',
    method: 'GET',
    path: '/templates/{id}/versions/{version}',
    access: 'templates:read',
    group: GROUP,
    summary: 'Read a version of a template',
    params: paramsOfOne,
    response: versionView,
    status: 200,
  },
  async ({ deps, caller, params: { id, version } }) => {
    const found = await getVersion(deps, caller.tenantId, id, version);
    return {
      data: { ...toEntryView(found), html: found.html, text: found.text, variables: found.variables },
    };
  },
);

/** POST /templates/{id}/versions/{version}/restore */
export const restoreTemplateVersion = defineRoute(
  {
    operationId: 'restoreTemplateVersion',
    method: 'POST',
    path: '/templates/{id}/versions/{version}/restore',
    access: 'templates:write',
    group: GROUP,
    summary: 'Restore a version of a template',
    description:
      'Makes a new version that says what this one said, or none when the template says that already.',
    params: paramsOfOne,
    body: jsonBody(templateRestore),
    response: templateView,
    status: 200,
    example: {},
  },
  async ({ deps, caller, by, params: { id, version }, body }) => ({
    data: toTemplateView(await restoreVersion(deps, by, caller.tenantId, id, version, body.expected_version)),
  }),
);

function toEntryView(entry: VersionEntry): z.input<typeof entryView> {
  return {
    version: entry.version,
    subject: entry.subject,
    created_at: entry.createdAt.toISOString(),
    created_by: entry.createdBy,
    restored_from: entry.restoredFrom,
  };
}
