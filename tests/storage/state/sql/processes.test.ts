import { randomUUID } from 'node:crypto';
import { SqlAlertStore } from '../../../../src/storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { SqlDigestStore } from '../../../../src/storage/state/sql/alerts/digests.ts';
import { SqlBudgetStore } from '../../../../src/storage/state/sql/budgets.ts';
import { SqlExecutionStore } from '../../../../src/storage/state/sql/executions/store.ts';
import { SqlRunnerStore } from '../../../../src/storage/state/sql/installation.ts';
import { testProcesses } from '../../../contracts/processes.ts';
import { sharedStates } from '../../../support/state.ts';

for (const { name, place } of sharedStates()) {
  testProcesses({
    name,
    place: async (t) => {
      const open = await place(t);
      return async () => {
        const database = await open();
        const id = randomUUID();
        return {
          id,
          runners: new SqlRunnerStore(database),
          executions: new SqlExecutionStore(database, id),
          budgets: new SqlBudgetStore(database, id),
          deliveries: new SqlDeliveryStore(database, id),
          alerts: new SqlAlertStore(database),
          digests: new SqlDigestStore(database),
        };
      };
    },
  });
}
