import { SqlSessionStore } from '../../../src/storage/sql/sessions.ts';
import { testSessionStore } from '../../contracts/session-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testSessionStore(sqliteBackend((database) => ({ store: new SqlSessionStore(database) })));
