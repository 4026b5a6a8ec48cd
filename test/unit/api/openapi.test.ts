// The OpenAPI document says what the API checks: forms that are written beside a check agree with it, and links lead on.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { toOpenApi30 } from '../../../api/rest/openapi-3-0.ts';
import { withoutRules } from '../../../api/rest/openapi-plain.ts';
import { buildOpenApi } from '../../../api/rest/openapi.ts';
import { ROUTES } from '../../../api/rest/routes.ts';
import { fromId, idPattern, toId } from '../../../core/base/ids.ts';
import { filledLine, filledText, line, storable } from '../../../core/base/text-input.ts';
import { newContact } from '../../../core/contact/contact-input.ts';
import { parseAddress, parseMailbox } from '../../../core/mail/address.ts';
import { ADDRESS_FORM, EVERY_ADDRESS_FORM, MAILBOX_FORM } from '../../../core/mail/address-form.ts';
import { sendInput } from '../../../core/message/send-input.ts';

type Schema = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- JSON Schema, read in part
interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, { links?: Record<string, { operationId: string; parameters: object }> }>;
}

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 12 }));

test('every text with the pattern of an id is one, and no other', () => {
  fc.assert(
    fc.property(fc.stringMatching(idPattern('msg')), (id) => {
      expect(toId('msg', fromId('msg', id)!)).toBe(id);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => fromId('msg', text) === null));
  for (const bad of ['8'.padEnd(26, '0'), '0'.padEnd(26, 'u'), '0'.padEnd(26, 'A'), `${'0'.repeat(26)}\n`])
    expect(fromId('msg', `msg_${bad}`), bad).toBeNull();
});

test.each([
  ['line', line(8)],
  ['filledLine', filledLine(8)],
  ['filledText', filledText(8)],
  ['storable', storable(8, 1)],
  ['subject', sendInput.shape.subject.unwrap()],
])('%s: the document and the check say the same', (_name, schema) => {
  const shown: Schema = z.toJSONSchema(schema, { io: 'input' });
  const pattern = new RegExp(shown['pattern']);
  const documented = (text: string) => {
    const chars = Array.from(text).length; // JSON Schema counts code points
    return chars >= (shown['minLength'] ?? 0) && chars <= shown['maxLength'] && pattern.test(text);
  };
  fc.assert(
    fc.property(anyText, (text) => {
      expect(schema.safeParse(text).success).toBe(documented(text) && text.isWellFormed());
    }),
    { numRuns: 2_000 },
  );
});

describe('addresses', () => {
  const mailboxes = MAILBOX_FORM.anyOf.map(({ pattern }) => new RegExp(pattern));
  const isMailbox = (text: string) => mailboxes.some((one) => one.test(text));

  test.each([
    'ann@example.net',
    "o'neil+x=1@a.b-c.example",
    'zoë@exämple.de',
    `${'l'.repeat(64)}@example.net`,
    'Ann <ann@example.net>',
    '<ann@example.net>',
    'Zoë Ångström <a.b@xn--exmple-cua.de>',
    '"Doe, Ann \\"A\\"" <ann@example.net>',
    'Ann<ann@1.example>',
  ])('%s is one to both', (text) => {
    expect(parseMailbox(text).ok).toBe(true);
    expect(isMailbox(text)).toBe(true);
  });

  test.each([
    '',
    'ann',
    'ann@example',
    'ann@@example.net',
    `${'l'.repeat(65)}@example.net`,
    'Doe, Ann <ann@example.net>',
    'Ann <ann@example>',
    `Ann <${'l'.repeat(65)}@example.net>`,
    `Ann <ann@${`${'d'.repeat(60)}.`.repeat(5)}net>`,
    'Ann\u0007 <ann@example.net>',
    'Ann\u202e <ann@example.net>',
  ])('%j is none to either', (text) => {
    expect(parseMailbox(text).ok).toBe(false);
    expect(isMailbox(text)).toBe(false);
  });

  test('the form of a bare address, and of all of a domain', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(parseAddress(email).ok).toBe(new RegExp(ADDRESS_FORM.pattern).test(email));
      }),
    );
    const every = new RegExp(EVERY_ADDRESS_FORM.pattern);
    expect(['*@a.example', '*@a', '*@a b.example', 'x@a.example'].map((one) => every.test(one))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the document', () => {
  const document: Schema = buildOpenApi(ROUTES, 'https://api.test/api/v1');
  const paths: Record<string, Record<string, Operation>> = document['paths'];
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const linksOf = (name: string) => {
    const { responses } = operations.find(({ operationId }) => operationId === name)!;
    return Object.values(responses).flatMap(({ links = {} }) => Object.keys(links));
  };

  test('what nests and what goes together is said', () => {
    const { schemas } = document['components'];
    expect(schemas.ContactCreate.properties.attributes).toMatchObject({
      maxProperties: 200,
      additionalProperties: { $ref: '#/components/schemas/AttributeValue0' },
    });
    expect(schemas.AttributeValue5.anyOf).toHaveLength(4);
    const nested = { a: [[[[['deep']]]]] };
    expect(newContact.safeParse({ email: 'a@b.example', attributes: nested }).success).toBe(true);
    expect(newContact.safeParse({ email: 'a@b.example', attributes: { a: [nested] } }).success).toBe(false);
    expect(schemas.SendRequest.anyOf).toHaveLength(4);
    expect(schemas.SendRequest.allOf).toEqual([{ anyOf: expect.objectContaining({ length: 3 }) }]);
  });

  test('links give every parameter that their target needs', () => {
    for (const { responses } of operations) {
      for (const { links = {} } of Object.values(responses)) {
        for (const { operationId, parameters } of Object.values(links)) {
          const target = operations.find((one) => one.operationId === operationId)!;
          const needed = target.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
          expect(Object.keys(parameters), operationId).toEqual(expect.arrayContaining(needed));
        }
      }
    }
  });

  test('what makes something leads to all that is done with it', () => {
    const rest = (noun: string) => [`get${noun}`, `change${noun}`, `delete${noun}`];
    for (const noun of ['Domain', 'Template', 'List', 'Contact', 'Campaign', 'Webhook', 'Mailbox'])
      expect(linksOf(`create${noun}`), noun).toEqual(expect.arrayContaining(rest(noun)));
    expect(linksOf('createCampaign')).toEqual(
      expect.arrayContaining(['launchCampaign', 'pauseCampaign', 'cancelCampaign', 'listMessages']),
    );
    expect(linksOf('sendMessage')).toEqual(
      expect.arrayContaining(['getMessage', 'cancelMessage', 'listEvents']),
    );
    expect(linksOf('importContacts')).toEqual(expect.arrayContaining(['getImport', 'getImportFailedRows']));
    expect(linksOf('listWebhookDeliveries')).toEqual(['replayWebhookDelivery']);
    expect(linksOf('listInboundMessages')).not.toContain('getPostmasterMailSource');
  });
});

describe('the published document, for generators of clients', () => {
  const document = withoutRules(buildOpenApi(ROUTES, 'https://api.test/api/v1'));
  // Every schema with the path to it.
  const schemasOf = (root: unknown) => {
    const found: [path: string, schema: Schema][] = [];
    const visitSchema = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return void found.push([path, schema as Schema]);
      const { properties = {}, anyOf = [], oneOf = [], allOf = [], ...one } = schema as Schema;
      found.push([path, schema]);
      for (const [name, value] of Object.entries(properties)) visitSchema(value, `${path}.${name}`);
      for (const value of [...anyOf, ...oneOf, ...allOf]) visitSchema(value, `${path}|`);
      for (const key of ['items', 'not', 'additionalProperties'])
        if (key in one && typeof one[key] !== 'boolean') visitSchema(one[key], `${path}/${key}`);
    };
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'schema') visitSchema(value, path);
        else if (key === 'schemas')
          for (const [name, one] of Object.entries(value as Schema)) visitSchema(one, name);
        else visit(value, `${path}/${key}`);
      }
    };
    visit(root, '');
    return found;
  };

  test('no property is a boolean, no rule stands beside properties, no value has a list of types but null', () => {
    const schemas = schemasOf(document);
    expect(schemas.length).toBeGreaterThan(1_000);
    const rules = ['anyOf', 'oneOf', 'allOf', 'not'];
    const bad = schemas.filter(
      ([, schema]) =>
        typeof schema !== 'object' ||
        ('properties' in schema && rules.some((rule) => rule in schema)) ||
        (Array.isArray(schema['type']) && (schema['type'].length !== 2 || schema['type'][1] !== 'null')),
    );
    expect(bad).toEqual([]);
  });

  test('OpenAPI 3.0 has no word of 3.1', () => {
    const newer = ['const', 'propertyNames', 'contentEncoding', 'examples', '$defs', 'prefixItems'];
    const bad = schemasOf(toOpenApi30(document)).filter(
      ([, schema]) =>
        Array.isArray(schema['type']) ||
        schema['type'] === 'null' ||
        ('$ref' in schema && Object.keys(schema).length > 1) ||
        newer.some((word) => word in schema),
    );
    expect(bad).toEqual([]);
  });
});
