import { join } from 'node:path';
import { SqliteAuditStore } from '../../src/storage/sqlite/audit.ts';
import { openStateDatabase } from '../../src/storage/sqlite/database.ts';
import { SqliteTenantStore } from '../../src/storage/sqlite/tenants.ts';
import { testAuditStore } from '../contracts/audit-store.ts';
import { temporaryDirectory } from '../support/app.ts';

testAuditStore({
  name: 'SQLite',
  open: async (t) => {
    const database = await openStateDatabase(join(temporaryDirectory(t), 'state.sqlite'));
    t.after(() => database.destroy());
    const tenants = new SqliteTenantStore(database);
    for (const id of ['one', 'two']) {
      await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
    }
    return new SqliteAuditStore(database);
  },
});
