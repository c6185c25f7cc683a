import { SqliteAlertStore } from '../../../src/storage/sqlite/alerts/alerts.ts';
import { SqliteDeliveryStore } from '../../../src/storage/sqlite/alerts/deliveries.ts';
import { testAlertStore } from '../../contracts/alert-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testAlertStore(
  sqliteBackend((database) => ({
    store: new SqliteAlertStore(database),
    deliveries: new SqliteDeliveryStore(database),
  })),
);
