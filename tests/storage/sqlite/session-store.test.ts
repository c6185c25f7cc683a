import { SqliteSessionStore } from '../../../src/storage/sqlite/sessions.ts';
import { testSessionStore } from '../../contracts/session-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testSessionStore(sqliteBackend((database) => ({ store: new SqliteSessionStore(database) })));
