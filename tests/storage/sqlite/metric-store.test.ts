import { SqliteMetricStore } from '../../../src/storage/sqlite/catalog/metrics.ts';
import { SqliteTermStore } from '../../../src/storage/sqlite/catalog/terms.ts';
import { testMetricStore } from '../../contracts/metric-store.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openStateWithTenants } from '../../support/state.ts';

testMetricStore({
  name: 'SQLite',
  open: async (t) => {
    const database = await openStateWithTenants(temporaryDirectory(t));
    t.after(() => database.destroy());
    return { metrics: new SqliteMetricStore(database), terms: new SqliteTermStore(database) };
  },
});
