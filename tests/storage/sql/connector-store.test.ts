import { SqlConnectorStore } from '../../../src/storage/sql/connectors.ts';
import { testConnectorStore } from '../../contracts/connector-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testConnectorStore(sqliteBackend((database) => ({ store: new SqlConnectorStore(database) })));
