import { join } from 'node:path';
import { SqliteConnectorStore } from '../../../src/storage/sqlite/connectors.ts';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { testConnectorStore } from '../../contracts/connector-store.ts';
import { temporaryDirectory } from '../../support/app.ts';

testConnectorStore({
  name: 'SQLite',
  directory: temporaryDirectory,
  open: async (directory) => {
    const database = await openStateDatabase(join(directory, 'state.sqlite'));
    const tenants = new SqliteTenantStore(database);
    for (const id of ['one', 'two'])
      await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
    return { store: new SqliteConnectorStore(database), close: () => database.destroy() };
  },
});
