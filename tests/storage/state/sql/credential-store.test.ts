import { SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { testCredentialStore } from '../../../contracts/credential-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlCredentialStore(database) })))
  testCredentialStore(backend);
