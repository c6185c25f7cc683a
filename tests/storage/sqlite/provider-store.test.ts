import { join } from 'node:path';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { SqliteProviderStore } from '../../../src/storage/sqlite/providers.ts';
import { SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { testProviderStore } from '../../contracts/provider-store.ts';
import { temporaryDirectory } from '../../support/app.ts';

testProviderStore({
  name: 'SQLite',
  directory: temporaryDirectory,
  open: async (directory) => {
    const database = await openStateDatabase(join(directory, 'state.sqlite'));
    const tenants = new SqliteTenantStore(database);
    for (const id of ['one', 'two'])
      await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
    return { store: new SqliteProviderStore(database), close: () => database.destroy() };
  },
});
