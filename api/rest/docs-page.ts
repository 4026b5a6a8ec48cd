// The readable page of the API, made from the OpenAPI document. One HTML file, nothing from elsewhere, no script.

type Json = Record<string, unknown>;

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: Json }[];
  requestBody?: { description: string; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, { description: string; content?: { 'application/json'?: { schema: Json } } }>;
}

interface Document {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/** What the page may load: itself, with its own style. */
export const DOCS_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** The page as HTML. */
export function renderDocs(openapi: Json): string {
  const document = openapi as unknown as Document;
  const { info, servers } = document;
  const base = servers[0]?.url ?? '';
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const index = operations.map(
    ({ path, method, operation }) =>
      `<li><a href="#${anchor(method, path)}"><code>${method} ${escape(path)}</code></a> ${escape(operation.summary)}</li>`,
  );
  const sections = operations.map(({ path, method, operation }) =>
    section(document, base, method, path, operation),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} API ${escape(info.version)}</title><style>${STYLE}</style></head>
<body><header><h1>${escape(info.title)} API</h1><p>${escape(info.description)}</p>
<p>Base: <code>${escape(base)}</code>. Send <code>Authorization: Bearer sk_live_…</code>. Every answer is
<code>{ "ok": true, "data": … }</code> or <code>{ "ok": false, "error": code, "message": text }</code>.
The same in machine-readable form: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1) and
<a href="openapi-3.0.json">openapi-3.0.json</a>, for generators that do not read 3.1.</p></header>
<nav><ul>${index.join('\n')}</ul></nav>
<main>${sections.join('\n')}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(schemaBlock).join('\n')}</main>
</body></html>
`;
}

function section(
  document: Document,
  base: string,
  method: string,
  path: string,
  operation: Operation,
): string {
  const rows = operation.parameters.map(
    (field) =>
      `<tr><td><code>${escape(field.name)}</code></td><td>${field.in}${field.required === true ? ', required' : ''}</td>` +
      `<td>${escape(typeText(field.schema))}. ${inline(field.description ?? '')}</td></tr>`,
  );
  const body = operation.requestBody;
  const content = body?.content['application/json'] ?? Object.values(body?.content ?? {})[0];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) =>
      `<tr><td><code>${status}</code></td><td>${inline(response.description)}</td></tr>`,
  );
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const data = (
    success?.content?.['application/json']?.schema as { properties?: { data?: Json } } | undefined
  )?.properties?.data;
  return `<section id="${anchor(method, path)}"><h2><code>${method} ${escape(path)}</code> ${escape(operation.summary)}</h2>
${operation.description
  .split('\n\n')
  .map((text) => `<p>${inline(text)}</p>`)
  .join('')}
<pre>${escape(curl(base, method, path, content?.example))}</pre>
${rows.length > 0 ? `<table>${rows.join('')}</table>` : ''}
${body ? `<h3>Body</h3><p>${escape(body.description)}</p>${fieldTable(document, content?.schema ?? {})}` : ''}
<h3>Answer</h3>${data ? fieldTable(document, data) : ''}<table>${responses.join('')}</table></section>`;
}

function schemaBlock([name, schema]: [string, Json]): string {
  return `<section id="schema-${escape(name)}"><h3>${escape(name)}</h3>${fieldTable(null, schema)}</section>`;
}

function fieldTable(document: Document | null, schema: Json): string {
  const reference = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  const target = reference === undefined ? schema : (document?.components.schemas[reference] ?? {});
  const { properties, required = [] } = target as { properties?: Record<string, Json>; required?: string[] };
  if (!properties) return `<p><code>${escape(typeText(target))}</code></p>`;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escape(name)}</code></td><td>${required.includes(name) ? 'required' : ''}</td>` +
      `<td>${typeHtml(field)} ${inline(textOf(field['description']))}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function typeHtml(schema: Json): string {
  const reference = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  if (reference === undefined) return escape(typeText(schema));
  return `<a href="#schema-${escape(reference)}">${escape(reference)}</a>`;
}

function typeText(schema: Json): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? '';
  if (Array.isArray(schema['anyOf']) && schema['type'] === undefined)
    return (schema['anyOf'] as Json[]).map(typeText).join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(' | ');
  if ('const' in schema) return String(schema['const']);
  if (schema['type'] === 'array') return `list of ${typeText((schema['items'] ?? {}) as Json)}`;
  const limits = ['format', 'minLength', 'maxLength', 'minimum', 'maximum']
    .filter((name) => schema[name] !== undefined)
    .map((name) => (name === 'format' ? String(schema[name]) : `${name} ${String(schema[name])}`));
  return [textOf(schema['type']) || 'any', ...limits].join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(' or ') : '';
}

function curl(base: string, method: string, path: string, example: unknown): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${base}${path}'`,
    "  -H 'Authorization: Bearer sk_live_…'",
  ];
  if (example !== undefined) {
    const body = JSON.stringify(example, null, 2).replaceAll("'", "'\\''");
    lines.push("  -H 'Content-Type: application/json'", `  -d '${body}'`);
  }
  return lines.join(' \\\n');
}

function anchor(method: string, path: string): string {
  return `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
}

/** Text with `code` in it. */
function inline(text: string): string {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;font-size:1.25rem}
code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:var(--soft);padding:1rem;overflow-x:auto;border-radius:6px}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid var(--line);padding:.35rem .6rem;vertical-align:top}
nav li{list-style:none}nav ul{padding:0}
`;
