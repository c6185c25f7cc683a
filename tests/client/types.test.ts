import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientTypes, committedTypes } from '../../packaging/client/generate.ts';

test("the client's types are those of the API as it is", async () => {
  const isSame = (await clientTypes()) === committedTypes();
  assert.ok(isSame, 'the API has changed: run `npm run client` and commit clients/typescript/api.ts');
});
