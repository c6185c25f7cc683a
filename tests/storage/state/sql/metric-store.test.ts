import { SqlMetricStore, SqlTermStore } from '../../../../src/storage/state/sql/catalog/metrics.ts';
import { testMetricStore } from '../../../contracts/metric-store.ts';
import { storeBackends } from '../../../support/state.ts';

const backends = storeBackends((database) => ({
  metrics: new SqlMetricStore(database),
  terms: new SqlTermStore(database),
}));

for (const backend of backends) testMetricStore(backend);
