import { SqliteSecondFactorStore } from '../../../src/storage/sqlite/second-factor/store.ts';
import { SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { SqliteUserStore } from '../../../src/storage/sqlite/users.ts';
import { testSecondFactorStore } from '../../contracts/second-factor-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testSecondFactorStore(
  sqliteBackend((database) => ({
    store: new SqliteSecondFactorStore(database),
    users: new SqliteUserStore(database),
    tenants: new SqliteTenantStore(database),
  })),
);
