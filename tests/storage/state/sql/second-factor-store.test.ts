import { SqlSecondFactorStore } from '../../../../src/storage/state/sql/second-factor.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testSecondFactorStore } from '../../../contracts/second-factor-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({
  store: new SqlSecondFactorStore(database),
  users: new SqlUserStore(database),
  tenants: new SqlTenantStore(database),
})))
  testSecondFactorStore(backend);
