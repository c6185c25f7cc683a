import { SqlSessionStore } from '../../../../src/storage/state/sql/sessions.ts';
import { SqlIdentityStore } from '../../../../src/storage/state/sql/sso/identities.ts';
import { SqlIdentityProviderStore } from '../../../../src/storage/state/sql/sso/providers.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testIdentityStores } from '../../../contracts/identity-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({
  providers: new SqlIdentityProviderStore(database),
  identities: new SqlIdentityStore(database),
  tenants: new SqlTenantStore(database),
  users: new SqlUserStore(database),
  sessions: new SqlSessionStore(database),
})))
  testIdentityStores(backend);
