import { SqliteSessionStore } from '../../../src/storage/sqlite/sessions.ts';
import { SqliteIdentityStore } from '../../../src/storage/sqlite/sso/identities.ts';
import { SqliteIdentityProviderStore } from '../../../src/storage/sqlite/sso/providers.ts';
import { SqliteTenantStore } from '../../../src/storage/sqlite/tenants.ts';
import { SqliteUserStore } from '../../../src/storage/sqlite/users.ts';
import { testIdentityStores } from '../../contracts/identity-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testIdentityStores(
  sqliteBackend((database) => ({
    providers: new SqliteIdentityProviderStore(database),
    identities: new SqliteIdentityStore(database),
    tenants: new SqliteTenantStore(database),
    users: new SqliteUserStore(database),
    sessions: new SqliteSessionStore(database),
  })),
);
