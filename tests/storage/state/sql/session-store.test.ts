import { SqlSessionStore } from '../../../../src/storage/state/sql/sessions.ts';
import { testSessionStore } from '../../../contracts/session-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlSessionStore(database) })))
  testSessionStore(backend);
