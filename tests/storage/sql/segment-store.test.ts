import { SqlSegmentStore } from '../../../src/storage/sql/catalog/segments.ts';
import { testSegmentStore } from '../../contracts/segment-store.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openStateWithTenants } from '../../support/state.ts';

testSegmentStore({
  name: 'SQLite',
  open: async (t) => {
    const database = await openStateWithTenants(temporaryDirectory(t));
    t.after(() => database.destroy());
    return new SqlSegmentStore(database);
  },
});
