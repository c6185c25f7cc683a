import { after } from 'node:test';
import { SqlBudgetStore } from '../../../../src/storage/state/sql/budgets.ts';
import { SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlDashboardStore } from '../../../../src/storage/state/sql/dashboards/store.ts';
import type { StateDatabase } from '../../../../src/storage/state/sql/database.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlAgentStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testBudgetStore } from '../../../contracts/budget-store.ts';
import { testDashboardStore } from '../../../contracts/dashboard-store.ts';
import { testUserStore } from '../../../contracts/user-store.ts';
import { startPgbouncer, whyNoPgbouncer } from '../../../support/pgbouncer.ts';
import { hasPostgres, throughProxy } from '../../../support/postgres-state.ts';
import { stateBackends } from '../../../support/state.ts';

/** The contracts through a pool of transactions: nothing may need the same connection twice. */

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});

if (hasPostgres && whyNoPgbouncer() === false) {
  const scope = { after: (end: () => unknown) => ends.push(end) };
  throughProxy((url) => startPgbouncer(scope as never, url));
  const through = <Stores extends object>(create: (database: StateDatabase) => Stores) => ({
    ...stateBackends(create)[1]!,
    name: 'PostgreSQL behind pgbouncer',
  });
  testBudgetStore(through((database) => ({ store: new SqlBudgetStore(database) })));
  testDashboardStore(through((database) => ({ store: new SqlDashboardStore(database) })));
  testUserStore(
    through((database) => ({
      store: new SqlUserStore(database),
      agents: new SqlAgentStore(database),
      keys: new SqlKeyStore(database),
      credentials: new SqlCredentialStore(database),
    })),
  );
}
