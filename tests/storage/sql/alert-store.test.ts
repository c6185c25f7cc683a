import { SqlAlertStore } from '../../../src/storage/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../src/storage/sql/alerts/deliveries.ts';
import { testAlertStore } from '../../contracts/alert-store.ts';
import { sqliteBackend } from '../../support/state.ts';

testAlertStore(
  sqliteBackend((database) => ({
    store: new SqlAlertStore(database),
    deliveries: new SqlDeliveryStore(database),
  })),
);
