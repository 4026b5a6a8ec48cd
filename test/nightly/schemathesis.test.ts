// The API as its OpenAPI document describes it, tried by Schemathesis, which reads only the document: what it allows is
// accepted, what it forbids is refused, nothing is answered by 500 or above, and every answer is of the documented shape;
// each operation alone, then chains along the document's links. The seed is fixed. The long form tries more of them.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';
import { buildOpenApi } from '../../api/rest/openapi.ts';
import { pythonTools } from '../../sdk/python-tools.ts';
import { longForm } from '../harness/form.ts';
import { createFuzzWorld, type FuzzWorld } from '../harness/fuzz-world.ts';
import { skips } from '../harness/needs.ts';
import { tempFolder } from '../harness/temp-folder.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const EXAMPLES = longForm(3, 20);
const SEED = 5;
const WAIT_MS = longForm(600_000, 3_600_000); // 130 s alone on two slow cores, over 300 beside other files
const tools = pythonTools('schemathesis', join(FIXTURES, 'schemathesis-requirements.txt'));

describe.skipIf(skips('missing' in tools ? tools.missing : null))('Schemathesis', () => {
  let world: FuzzWorld;
  beforeAll(async () => {
    world = await createFuzzWorld();
  });
  afterAll(() => world?.close());

  test(
    'finds no operation that differs from the document',
    async () => {
      const folder = await tempFolder();
      writeFileSync(join(folder, 'schemathesis.toml'), settings(world));
      const { code, output } = await run(folder, world);
      expect(code, output).toBe(0);
    },
    WAIT_MS,
  );
});

// Ids of things that exist, for the parameters of a kind; what is deleted are others than what is read.
function settings({ ids }: FuzzWorld): string {
  const paths = buildOpenApi(ROUTES, 'https://api.test')['paths'] as Record<
    string,
    Record<string, Operation>
  >;
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters }]) => {
      const known = parameters.flatMap(({ name, in: where, schema: { pattern = '' } }) => {
        const kind = /^\^([a-z]{3})_/.exec(pattern)?.[1] ?? '';
        if (where !== 'path' || !(kind in ids)) return [];
        return `"path.${name}" = { dictionary = "${kind}${method === 'delete' ? '-spare' : ''}", probability = 0.7 }`;
      });
      if (known.length === 0) return [];
      const parts = [`include-operation-id = "${operationId}"`, `parameters = { ${known.join(', ')} }`];
      return ['[[operations]]', ...parts];
    }),
  );
  const dictionaries = Object.entries(ids).flatMap(([kind, all]) => [
    `[dictionaries.${kind}]\nvalues = ${JSON.stringify(all.slice(0, 1))}`,
    `[dictionaries.${kind}-spare]\nvalues = ${JSON.stringify(all.length > 1 ? all.slice(1) : all)}`,
  ]);
  return [
    `hooks = ${JSON.stringify(join(FIXTURES, 'schemathesis-hooks.py'))}`,
    '[generation]\nwith-security-parameters = false\ndatabase = "none"',
    // Boundaries of what is forbidden are most of a run: in the short form chance picks some of them.
    EXAMPLES === undefined ? '[phases.coverage.generation]\nmode = "positive"' : '',
    ...dictionaries,
    ...operations,
  ].join('\n');
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; schema: { pattern?: string } }[];
}

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  'positive_data_acceptance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
];

function run(
  folder: string,
  { stack, domain, tokens, ids }: FuzzWorld,
): Promise<{ code: number; output: string }> {
  const from = `shop@${domain}`;
  const raw = `From: ${from}\r\nTo: ann@sink.test\r\nSubject: Hello\r\n\r\nHello\r\n`;
  const fields = {
    from,
    raw: Buffer.from(raw).toString('base64'),
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    esp: 'direct',
    template_id: ids['tpl']![0],
    list_id: ids['lst']![0],
    url: 'https://127.0.0.1:9/',
    webhook_url: 'https://127.0.0.1:9/',
    chat_webhook_url: 'https://127.0.0.1:9/',
  };
  // With the rules that the published document leaves out.
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(buildOpenApi(ROUTES, stack.baseUrl)));
  const args = ['run', document, '--url', stack.baseUrl, '--tls-verify', 'false'];
  args.push('--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', `${EXAMPLES}`);
  args.push('--seed', `${SEED}`, '--checks', CHECKS.join(','), '--no-color', '--no-shrink');
  args.push('--exclude-operation-id', 'streamEvents'); // it never ends
  const env = {
    ...process.env,
    SCHEMATHESIS_WORLD: JSON.stringify({ tokens, ids, domain, fields }),
    PYTHONDONTWRITEBYTECODE: '1',
    NO_PROXY: '*',
  };
  const options = { cwd: folder, env, maxBuffer: 100_000_000, timeout: WAIT_MS };
  return new Promise((resolve) => {
    execFile(join('bin' in tools ? tools.bin : '', 'st'), args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}`.slice(-100_000) });
    });
  });
}
