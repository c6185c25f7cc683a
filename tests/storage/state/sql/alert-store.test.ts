import { SqlAlertStore } from '../../../../src/storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { testAlertStore } from '../../../contracts/alert-store.ts';
import { stateBackends } from '../../../support/state.ts';

for (const backend of stateBackends((database) => ({
  store: new SqlAlertStore(database),
  deliveries: new SqlDeliveryStore(database),
})))
  testAlertStore(backend);
