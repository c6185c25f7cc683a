import { join } from 'node:path';
import { SqliteDashboardStore } from '../../../src/storage/sqlite/dashboards.ts';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { testDashboardStore } from '../../contracts/dashboard-store.ts';
import { temporaryDirectory } from '../../support/app.ts';

testDashboardStore({
  name: 'SQLite',
  directory: temporaryDirectory,
  open: async (directory) => {
    const database = await openStateDatabase(join(directory, 'state.sqlite'));
    const tenants = new SqliteTenantStore(database);
    for (const id of ['one', 'two'])
      await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
    return { store: new SqliteDashboardStore(database), close: () => database.destroy() };
  },
});
