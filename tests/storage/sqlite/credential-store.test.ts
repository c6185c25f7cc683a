import { SqliteCredentialStore } from '../../../src/storage/sqlite/credentials.ts';
import { testCredentialStore } from '../../contracts/credential-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testCredentialStore(sqliteBackend((database) => ({ store: new SqliteCredentialStore(database) })));
