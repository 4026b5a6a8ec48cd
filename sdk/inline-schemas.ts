// Gives a name to what the schemas of the document only hold inside: an attachment of SendRequest becomes
// SendRequestAttachment. Generators would call it SendRequestAttachmentsItem, or ReasonType0.

/** Any part of an OpenAPI document. */
export type Json = Record<string, unknown>;

const UNNAMED = new Set(['Error']); // its codes are used through it

/** The same schemas, each inline object and list of values in them as a schema of its own. */
export function nameInlineSchemas(schemas: Record<string, Json>): Record<string, Json> {
  const named: Record<string, Json> = {};
  const add = (name: string, schema: Json): Json => {
    if (name in named || name in schemas)
      throw new Error(`two schemas of the clients would be named ${name}`);
    named[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };

  // Gives back what stands in place of the schema.
  const extract = (schema: Json, name: string): Json => {
    const children = withNamedChildren(schema, name);
    const isEnum = Array.isArray(children['enum']) && children['type'] === 'string';
    return children['type'] === 'object' || isEnum ? add(name, children) : children;
  };

  const withNamedChildren = (schema: Json, name: string): Json => {
    const { properties, items, anyOf, ...rest } = schema as {
      properties?: Record<string, Json>;
      items?: Json;
      anyOf?: Json[];
    };
    return {
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [key, extract(value, name + pascal(key))]),
        ),
      }),
      ...(items && { items: extract(items, singular(name)) }),
      ...(anyOf && { anyOf: alternatives(anyOf, name) }),
    };
  };

  // Of several objects each is named after its first field. What allows anything says nothing about the others.
  const alternatives = (anyOf: Json[], name: string): Json[] => {
    const described = anyOf.filter((one) =>
      ['type', '$ref', 'anyOf', 'enum', 'const'].some((key) => key in one),
    );
    const objects = described.filter((one) => one['properties'] !== undefined);
    return described.map((one) =>
      extract(one, objects.length > 1 && objects.includes(one) ? name + pascal(firstField(one)) : name),
    );
  };

  for (const [name, schema] of Object.entries(schemas)) {
    named[name] = UNNAMED.has(name) ? schema : withNamedChildren(schema, name);
  }
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function firstField(schema: Json): string {
  return Object.keys(schema['properties'] as Json)[0] ?? 'empty';
}

function singular(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
