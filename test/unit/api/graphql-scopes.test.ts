// Who may ask for which field of GraphQL is written down, and a field that is not there may be asked for by nobody.

import { expect, test } from 'vitest';

import { buildSchema } from '../../../api/graphql/schema.ts';
import { declaredScopes, schemaScopes } from '../../harness/graphql-scopes.ts';

test('every field has the scope that test/fixtures/graphql-scopes.txt declares, and none is missing there', () => {
  const found = Object.fromEntries(schemaScopes(buildSchema()));
  expect(found).toEqual(Object.fromEntries(declaredScopes()));
});
