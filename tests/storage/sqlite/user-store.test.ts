import { SqliteCredentialStore } from '../../../src/storage/sqlite/credentials.ts';
import { SqliteKeyStore } from '../../../src/storage/sqlite/keys.ts';
import { SqliteAgentStore } from '../../../src/storage/sqlite/tenants.ts';
import { SqliteUserStore } from '../../../src/storage/sqlite/users.ts';
import { testUserStore } from '../../contracts/user-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testUserStore(
  sqliteBackend((database) => ({
    store: new SqliteUserStore(database),
    agents: new SqliteAgentStore(database),
    keys: new SqliteKeyStore(database),
    credentials: new SqliteCredentialStore(database),
  })),
);
