import { SqlProviderStore } from '../../../../src/storage/state/sql/providers.ts';
import { testProviderStore } from '../../../contracts/provider-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlProviderStore(database) })))
  testProviderStore(backend);
