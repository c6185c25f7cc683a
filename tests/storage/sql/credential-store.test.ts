import { SqlCredentialStore } from '../../../src/storage/sql/credentials.ts';
import { testCredentialStore } from '../../contracts/credential-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testCredentialStore(sqliteBackend((database) => ({ store: new SqlCredentialStore(database) })));
