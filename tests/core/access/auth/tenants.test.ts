import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { testApp } from '../../../support/app.ts';

test('TenantService: of many tenants an error names the first ones, a list all', async (t) => {
  const { runtime } = await testApp(t);
  const { tenants } = runtime;
  const names = Array.from({ length: 105 }, (_, index) => `tenant ${index}`);
  for (const name of names) await tenants.create({ name });
  const all = (await tenants.list()).map(({ name }) => name);
  assert.deepEqual(all.toSorted(), ['default', ...names].toSorted());
  assert.deepEqual(
    (await tenants.list(2)).map(({ name }) => name),
    all.slice(0, 2),
  );
  await assert.rejects(tenants.get('nobody'), ({ message }: RuntimeError) => {
    assert.equal(message.split(', ').length, 101);
    return message.endsWith(', and more.');
  });
});
