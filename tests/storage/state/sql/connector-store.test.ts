import { SqlConnectorStore } from '../../../../src/storage/state/sql/connectors.ts';
import { testConnectorStore } from '../../../contracts/connector-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlConnectorStore(database) })))
  testConnectorStore(backend);
