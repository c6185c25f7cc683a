import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientTypes, committedTypes } from '../../packaging/client/generate.ts';

test('clients/typescript/api.ts: is generated from the current API', async () => {
  const isSame = (await clientTypes()) === committedTypes();
  assert.ok(isSame, 'the API has changed: run `npm run client` and commit clients/typescript/api.ts');
});
