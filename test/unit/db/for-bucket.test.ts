// Whose tables a step of a migration is about: a bucket other than the first runs what is about its own.

import { expect, test } from 'vitest';

import { FIRST_WITH_BUCKETS, placeOf } from '../../../core/db/migrator/for-bucket.ts';
import { readMigrations } from '../../../core/db/migrator/migration-files.ts';

test.each([
  ['CREATE TABLE "made_later" (\n\t"id" uuid\n);', 'buckets'],
  ['CREATE UNLOGGED TABLE made_later (id uuid);', 'buckets'],
  ['CREATE TABLE IF NOT EXISTS "tenants" ("id" uuid);', 'the service'],
  ['ALTER TABLE "tenants" ADD COLUMN "note" text;', 'the service'],
  ['ALTER TABLE "messages" ADD COLUMN "note" text;', 'buckets'],
  ['ALTER TABLE IF EXISTS ONLY events VALIDATE CONSTRAINT a;', 'buckets'],
  ['ALTER TABLE "domains" ADD CONSTRAINT a FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id");', 'buckets'],
  ['DROP TABLE IF EXISTS sessions;', 'the service'],
  ['LOCK TABLE messages IN EXCLUSIVE MODE;', 'buckets'],
  ['INSERT INTO "domain_claims" ("name") SELECT "name" FROM "domains";', 'the service'],
  ['INSERT INTO attempt_days SELECT 1 FROM tenants;', 'buckets'],
  ['UPDATE users SET email = 1;', 'the service'],
  ['DELETE FROM ONLY messages WHERE true;', 'buckets'],
  ['-- repeated\nUPDATE events SET a = 1 WHERE id IN (SELECT id FROM events LIMIT 10);', 'buckets'],
  ['CREATE INDEX "a" ON "audit_log" USING btree ("at");', 'the service'],
  ['CREATE UNIQUE INDEX a ON messages (id);', 'buckets'],
  ['CREATE TRIGGER a AFTER UPDATE OF state ON messages\nFOR EACH ROW EXECUTE FUNCTION b();', 'buckets'],
  ['CREATE TRIGGER a AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION b();', 'the service'],
  ['DROP TRIGGER IF EXISTS a ON tenants;', 'the service'],
  ['-- why: UPDATE tenants is not meant\nALTER TABLE contacts DROP COLUMN a;', 'buckets'],
])('%s', (sql, place) => {
  expect(placeOf({ sql })).toBe(place);
});

test.each(['the service', 'buckets', 'both'])('a step may say that it is for %s', (place) => {
  const said = `-- for ${place}: both kinds of triggers call it\nCREATE FUNCTION a() RETURNS trigger AS $$ $$;`;
  expect(placeOf({ sql: said })).toBe(place);
  expect(placeOf({ sql: `-- for ${place}\nUPDATE tenants SET name = 1;` })).toBe(place);
});

test.each([
  'CREATE FUNCTION a() RETURNS trigger AS $$ begin return new; end $$ LANGUAGE plpgsql;',
  'CREATE OR REPLACE FUNCTION a() RETURNS int AS $$ select 1 $$ LANGUAGE sql;',
  'DROP INDEX a;',
  'DROP FUNCTION a();',
  'SELECT ensure_partitions(now(), 2);',
  'DO $$ begin perform 1; end $$;',
  'WITH a AS (SELECT 1) UPDATE tenants SET name = 1;',
])('nothing in it says so: %s', (sql) => {
  expect(placeOf({ sql })).toBeNull();
});

test('every step of the migrations that know of buckets has a place', () => {
  const later = readMigrations().filter(({ tag }) => tag >= FIRST_WITH_BUCKETS);
  expect(later.length).toBeGreaterThan(0);
  const unsaid = later.flatMap(({ tag, steps }) =>
    steps.filter((step) => placeOf(step) === null).map(({ sql }) => `${tag}: ${sql}`),
  );
  expect(unsaid, 'say it in the step: -- for buckets, -- for the service or -- for both').toEqual([]);
});
