import { SqlDashboardStore } from '../../../../src/storage/state/sql/dashboards.ts';
import { testDashboardStore } from '../../../contracts/dashboard-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({ store: new SqlDashboardStore(database) })))
  testDashboardStore(backend);
