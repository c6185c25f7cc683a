import { SqliteDashboardStore } from '../../../src/storage/sqlite/dashboards.ts';
import { testDashboardStore } from '../../contracts/dashboard-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testDashboardStore(sqliteBackend((database) => ({ store: new SqliteDashboardStore(database) })));
