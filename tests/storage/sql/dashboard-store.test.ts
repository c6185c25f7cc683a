import { SqlDashboardStore } from '../../../src/storage/sql/dashboards.ts';
import { testDashboardStore } from '../../contracts/dashboard-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testDashboardStore(sqliteBackend((database) => ({ store: new SqlDashboardStore(database) })));
