// Links of the OpenAPI document: from what makes or lists something to every operation about it. They follow from the
// patterns of ids: an answer shows an id of a kind, and another operation takes one of that kind in its path or query. What
// operators do never follows from what tenants do, nor the reverse.

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  schema: { pattern?: string };
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Json }>; links?: Json }>;
}

/** An id that is known after an operation: its pattern, and where it is found. */
interface KnownId {
  pattern: string;
  expression: string;
}

/** Adds the links of all operations to their successes. */
export function addLinks(paths: Json, components: Json): void {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      method,
      operation,
      isOperators: path.startsWith('/admin/'),
    })),
  );
  for (const { method, operation: source, isOperators } of all) {
    if (method !== 'post' && method !== 'get') continue;
    const [, success] = Object.entries(source.responses).find(([status]) => status.startsWith('2'))!;
    const shown = idShown(success.content?.['application/json']?.schema, method, components);
    if (!shown) continue;
    const sameCallers = all.filter((one) => one.isOperators === isOperators);
    const targets = sameCallers.flatMap(({ operation: target }) => {
      const parameters = target === source ? null : linked(source, target, shown);
      return parameters ? [[target.operationId, { operationId: target.operationId, parameters }]] : [];
    });
    if (targets.length > 0) success.links = Object.fromEntries(targets);
  }
}

// Of what was made or done, its id; of a list, that of the first. Who reads one thing knew its id before.
function idShown(envelope: Json | undefined, method: string, components: Json): KnownId | null {
  const data = at(envelope, 'data', components);
  const isList = method === 'get';
  const item = isList ? resolve(at(data, 'items', components)?.['items'] as Json, components) : data;
  const pattern = at(item, 'id', components)?.['pattern'];
  if (typeof pattern !== 'string') return null;
  return { pattern, expression: `$response.body#/data/${isList ? 'items/0/' : ''}id` };
}

// The parameters with which the target is about what the source answered; null when it is about something else, or
// needs more than is known.
function linked(source: Operation, target: Operation, shown: KnownId): Record<string, string> | null {
  const before = source.parameters.flatMap(({ in: where, name, schema }) =>
    where === 'path' && schema.pattern !== undefined
      ? [{ pattern: schema.pattern, expression: `$request.path.${name}` }]
      : [],
  );
  const inPath = target.parameters.filter((one) => one.in === 'path');
  const inQuery = target.parameters.filter(
    (one) => one.in === 'query' && one.schema.pattern === shown.pattern,
  );
  const found: Record<string, string> = {};
  for (const { name, schema } of inPath) {
    const known = [shown, ...before].find(({ pattern }) => pattern === schema.pattern);
    if (!known) return null;
    found[name] = known.expression;
  }
  if (inPath.length === 0) for (const { name } of inQuery) found[name] = shown.expression;
  return Object.values(found).includes(shown.expression) ? found : null;
}

function at(schema: Json | undefined, name: string, components: Json): Json | undefined {
  const properties = resolve(schema, components)?.['properties'] as Record<string, Json> | undefined;
  return resolve(properties?.[name], components);
}

function resolve(schema: Json | undefined, components: Json): Json | undefined {
  const reference = schema?.['$ref'];
  return typeof reference === 'string' ? (components[reference.split('/').at(-1)!] as Json) : schema;
}
