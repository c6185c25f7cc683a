import { SqlAlertStore } from '../../../../src/storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { SqlMetricStore, SqlTermStore } from '../../../../src/storage/state/sql/catalog/metrics.ts';
import { SqlSegmentStore } from '../../../../src/storage/state/sql/catalog/segments.ts';
import { SqlConnectorStore, SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlDashboardStore } from '../../../../src/storage/state/sql/dashboards.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlProviderStore } from '../../../../src/storage/state/sql/providers.ts';
import { SqlSecondFactorStore } from '../../../../src/storage/state/sql/second-factor.ts';
import { SqlSessionStore } from '../../../../src/storage/state/sql/sessions.ts';
import { SqlIdentityStore } from '../../../../src/storage/state/sql/sso/identities.ts';
import { SqlIdentityProviderStore } from '../../../../src/storage/state/sql/sso/providers.ts';
import { SqlAgentStore, SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testAlertStore } from '../../../contracts/alert-store.ts';
import { testConnectorStore } from '../../../contracts/connector-store.ts';
import { testCredentialStore } from '../../../contracts/credential-store.ts';
import { testDashboardStore } from '../../../contracts/dashboard-store.ts';
import { testIdentityStores } from '../../../contracts/identity-store.ts';
import { testMetricStore } from '../../../contracts/metric-store.ts';
import { testProviderStore } from '../../../contracts/provider-store.ts';
import { testSecondFactorStore } from '../../../contracts/second-factor-store.ts';
import { testSegmentStore } from '../../../contracts/segment-store.ts';
import { testSessionStore } from '../../../contracts/session-store.ts';
import { testUserStore } from '../../../contracts/user-store.ts';
import { stateBackends, storeBackends } from '../../../support/state.ts';

/* The contracts of stores at both databases; larger suites have files of their own. */

stateBackends((database) => ({
  store: new SqlAlertStore(database),
  deliveries: new SqlDeliveryStore(database),
})).forEach(testAlertStore);

stateBackends((database) => ({ store: new SqlConnectorStore(database) })).forEach(testConnectorStore);
stateBackends((database) => ({ store: new SqlCredentialStore(database) })).forEach(testCredentialStore);
stateBackends((database) => ({ store: new SqlDashboardStore(database) })).forEach(testDashboardStore);
stateBackends((database) => ({ store: new SqlProviderStore(database) })).forEach(testProviderStore);
stateBackends((database) => ({ store: new SqlSessionStore(database) })).forEach(testSessionStore);

stateBackends((database) => ({
  providers: new SqlIdentityProviderStore(database),
  identities: new SqlIdentityStore(database),
  tenants: new SqlTenantStore(database),
  users: new SqlUserStore(database),
  sessions: new SqlSessionStore(database),
})).forEach(testIdentityStores);

stateBackends((database) => ({
  store: new SqlSecondFactorStore(database),
  users: new SqlUserStore(database),
  tenants: new SqlTenantStore(database),
})).forEach(testSecondFactorStore);

stateBackends((database) => ({
  store: new SqlUserStore(database),
  agents: new SqlAgentStore(database),
  keys: new SqlKeyStore(database),
  credentials: new SqlCredentialStore(database),
})).forEach(testUserStore);

storeBackends((database) => ({
  metrics: new SqlMetricStore(database),
  terms: new SqlTermStore(database),
})).forEach(testMetricStore);

storeBackends((database) => new SqlSegmentStore(database)).forEach(testSegmentStore);
