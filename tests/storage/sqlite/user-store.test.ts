import { join } from 'node:path';
import { SqliteCredentialStore } from '../../../src/storage/sqlite/credentials.ts';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { SqliteKeyStore } from '../../../src/storage/sqlite/keys.ts';
import { SqliteAgentStore, SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { SqliteUserStore } from '../../../src/storage/sqlite/users.ts';
import { testUserStore } from '../../contracts/user-store.ts';
import { temporaryDirectory } from '../../support/app.ts';

testUserStore({
  name: 'SQLite',
  directory: temporaryDirectory,
  open: async (directory) => {
    const database = await openStateDatabase(join(directory, 'state.sqlite'));
    const tenants = new SqliteTenantStore(database);
    for (const id of ['one', 'two'])
      await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
    return {
      store: new SqliteUserStore(database),
      agents: new SqliteAgentStore(database),
      keys: new SqliteKeyStore(database),
      credentials: new SqliteCredentialStore(database),
      close: () => database.destroy(),
    };
  },
});
