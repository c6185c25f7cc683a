import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqlBudgetStore } from '../../../../src/storage/state/sql/budgets.ts';
import { SqlQuotaStore } from '../../../../src/storage/state/sql/quotas.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { testBudgetStore } from '../../../contracts/budget-store.ts';
import { testQuotaStore } from '../../../contracts/quota-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openStateWithTenants, stateBackends, storeBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlBudgetStore(database) }))) testBudgetStore(backend);

for (const backend of storeBackends((database) => new SqlQuotaStore(database))) testQuotaStore(backend);

test('SQLite: quotas, usage and reservations go with their tenant', async (t) => {
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  const budgets = new SqlBudgetStore(database);
  await new SqlQuotaStore(database).put('one', null, { events: 5 }, 0);
  const chat = { tenantId: 'one', keyId: null, at: 0, tokens: 1, nanos: 1 };
  for (const id of ['first', 'second']) await budgets.reserve({ ...chat, id }, []);
  await budgets.settle('first', { tokens: 1, nanos: 1 });
  await new SqlTenantStore(database).remove('one');
  for (const table of ['quotas', 'budget_usage', 'budget_reservations'] as const) {
    assert.deepEqual(await database.selectFrom(table).selectAll().execute(), [], table);
  }
  await budgets.settle('second', { tokens: 1, nanos: 1 });
});
