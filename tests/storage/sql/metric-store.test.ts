import { SqlMetricStore } from '../../../src/storage/sql/catalog/metrics.ts';
import { SqlTermStore } from '../../../src/storage/sql/catalog/terms.ts';
import { testMetricStore } from '../../contracts/metric-store.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openStateWithTenants } from '../../support/state.ts';

testMetricStore({
  name: 'SQLite',
  open: async (t) => {
    const database = await openStateWithTenants(temporaryDirectory(t));
    t.after(() => database.destroy());
    return { metrics: new SqlMetricStore(database), terms: new SqlTermStore(database) };
  },
});
