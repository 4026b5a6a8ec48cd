// What gets into the image and how Compose runs it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const lines = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const dockerfile = read('deploy/Dockerfile');

// As Docker reads it: the last line that fits the file, or a folder above it, decides.
function isSent(file: string): boolean {
  const above = file.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
  return lines.reduce((sent, line) => {
    const pattern = line.replace(/^!/, '').replace(/^\//, '');
    const source = pattern
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.*/)?')
      .replaceAll(/(?<![.)])\*/g, '[^/]*');
    return above.some((part) => new RegExp(`^${source}$`).test(part)) ? line.startsWith('!') : sent;
  }, true);
}

test.each([
  ...['deploy/.env', 'deploy/tls/key.pem', 'deploy/backups/postrider-1.dump', '.env', 'api/.env.local'],
  ...['.git/config', '.local/secrets.json', 'node_modules/pg/package.json', 'dashboard/node_modules/x.js'],
  ...[
    'core/key.pem',
    'sender/tls.key',
    'test/unit/x.test.ts',
    'prove/main.ts',
    'bench/run.ts',
    'docs/proof/1.html',
  ],
  ...[
    'core/db/generate.ts',
    'proto/generate.ts',
    'dashboard/dist/index.html',
    'local/start.ts',
    'a-new-file',
  ],
])('%s never gets to the builder', (file) => {
  expect(isSent(file)).toBe(false);
});

test('what the Dockerfile copies gets there', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, all]) =>
    all!.split(' '),
  );
  expect(copied.length).toBeGreaterThan(10);
  expect(copied.filter((file) => !isSent(file) && !isSent(`${file}/map.md`))).toEqual([]);
  expect(isSent('core/db/migrations/meta/_journal.json')).toBe(true);
});

test('the image says how it is, has its SBOM inside, and does not run as root', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(
    /\nHEALTHCHECK .*\\\n +CMD node core\/base\/ask-ready\.ts "\$METRICS_PORT" "\$BIND_ADDRESS"\n/,
  );
  expect(last).toContain('/app/.local/sbom/image.cdx.json /app/sbom.cdx.json\n');
  expect(last).toContain('\nUSER 1000:1000\n');
  expect(last).toContain('--omit=dev --omit=optional');
});

interface ComposeService {
  image: string;
  command: string[];
  mem_limit?: string;
  pids_limit?: number;
  read_only?: boolean;
  cap_drop?: string[];
  logging?: unknown;
  healthcheck?: unknown;
}

test('Compose bounds the memory and the log of everything, and asks everything how it is', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['migrate', 'sender-bulk', 'backup']));
  for (const [name, one] of Object.entries(services)) {
    const isOurs = one.image === 'postrider';
    expect([name, one.mem_limit, one.logging]).toEqual([name, expect.any(String), expect.any(Object)]);
    expect([name, one.healthcheck !== undefined]).toEqual([name, !isOurs || name === 'migrate']); // ours: the image's
    if (isOurs)
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], pids_limit: expect.any(Number) });
  }
});
