import { SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlAgentStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testUserStore } from '../../../contracts/user-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({
  store: new SqlUserStore(database),
  agents: new SqlAgentStore(database),
  keys: new SqlKeyStore(database),
  credentials: new SqlCredentialStore(database),
})))
  testUserStore(backend);
