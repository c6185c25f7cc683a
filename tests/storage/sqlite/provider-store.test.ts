import { SqliteProviderStore } from '../../../src/storage/sqlite/providers.ts';
import { testProviderStore } from '../../contracts/provider-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testProviderStore(sqliteBackend((database) => ({ store: new SqliteProviderStore(database) })));
