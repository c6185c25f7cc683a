import { SqlProviderStore } from '../../../src/storage/sql/providers.ts';
import { testProviderStore } from '../../contracts/provider-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testProviderStore(sqliteBackend((database) => ({ store: new SqlProviderStore(database) })));
