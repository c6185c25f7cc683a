import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { STATE_FILE } from '../../../src/storage/files/names.ts';
import { SqlAlertStore } from '../../../src/storage/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../src/storage/sql/alerts/deliveries.ts';
import { SqlDigestStore } from '../../../src/storage/sql/alerts/digests.ts';
import { SqlBudgetStore } from '../../../src/storage/sql/budgets.ts';
import type { StateDatabase } from '../../../src/storage/sql/database.ts';
import { SqlExecutionStore } from '../../../src/storage/sql/executions/store.ts';
import { SqlRunnerStore } from '../../../src/storage/sql/runners.ts';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { type Process, testProcesses } from '../../contracts/processes.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openStateWithTenants } from '../../support/state.ts';

testProcesses({
  name: 'SQLite',
  place: async (t) => {
    const directory = temporaryDirectory(t);
    await (await openStateWithTenants(directory)).destroy();
    return async () => processOf(await openStateDatabase(join(directory, STATE_FILE)));
  },
});

function processOf(database: StateDatabase): Process {
  const id = randomUUID();
  return {
    id,
    runners: new SqlRunnerStore(database),
    executions: new SqlExecutionStore(database, id),
    budgets: new SqlBudgetStore(database, id),
    deliveries: new SqlDeliveryStore(database, id),
    alerts: new SqlAlertStore(database),
    digests: new SqlDigestStore(database),
    close: () => database.destroy(),
  };
}
