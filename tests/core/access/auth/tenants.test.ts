import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TenantService } from '../../../../src/core/access/auth/tenants.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { SqlAgentStore, SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openStateWithTenants } from '../../../support/state.ts';

test('TenantService: of many tenants an error names the first ones, a list all', async (t) => {
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  const tenants = new TenantService({
    store: new SqlTenantStore(database),
    agents: new SqlAgentStore(database),
    audit: { record: async () => undefined },
    effects: realEffects,
    requireOtherLogin: async () => undefined,
  });
  const names = Array.from({ length: 105 }, (_, index) => `tenant ${index}`);
  for (const name of names) await tenants.create({ name });
  const all = (await tenants.list()).map(({ name }) => name);
  assert.equal(all.filter((name) => names.includes(name)).length, names.length);
  assert.deepEqual(
    (await tenants.list(2)).map(({ name }) => name),
    all.slice(0, 2),
  );
  await assert.rejects(tenants.get('nobody'), ({ message }: RuntimeError) => {
    assert.equal(message.split(', ').length, 101);
    return message.endsWith(', and more.');
  });
});
