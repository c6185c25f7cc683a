import { SqliteConnectorStore } from '../../../src/storage/sqlite/connectors.ts';
import { testConnectorStore } from '../../contracts/connector-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testConnectorStore(sqliteBackend((database) => ({ store: new SqliteConnectorStore(database) })));
