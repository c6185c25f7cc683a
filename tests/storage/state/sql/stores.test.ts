import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { AuditEntry } from '../../../../src/core/base/audit/store.ts';
import { SqlAlertStore } from '../../../../src/storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { SqlDigestStore } from '../../../../src/storage/state/sql/alerts/digests.ts';
import { SqlRubricStore } from '../../../../src/storage/state/sql/assessments/rubrics.ts';
import { SqlAssessmentStore } from '../../../../src/storage/state/sql/assessments/store.ts';
import { SqlAuditStore } from '../../../../src/storage/state/sql/audit.ts';
import { SqlBudgetStore } from '../../../../src/storage/state/sql/budgets.ts';
import { SqlMetricStore, SqlTermStore } from '../../../../src/storage/state/sql/catalog/metrics.ts';
import { SqlSegmentStore } from '../../../../src/storage/state/sql/catalog/segments.ts';
import { SqlConnectorStore, SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlDashboardChangeStore } from '../../../../src/storage/state/sql/dashboards/changes.ts';
import { SqlDashboardLinkStore } from '../../../../src/storage/state/sql/dashboards/links.ts';
import { SqlDashboardStore } from '../../../../src/storage/state/sql/dashboards/store.ts';
import type { StateDatabase } from '../../../../src/storage/state/sql/database.ts';
import { SqlExecutionStore } from '../../../../src/storage/state/sql/executions/store.ts';
import { SqlFirstHourStore } from '../../../../src/storage/state/sql/first-hour.ts';
import { SqlRunnerStore } from '../../../../src/storage/state/sql/installation.ts';
import { SqlInvitationStore } from '../../../../src/storage/state/sql/invitations.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlOAuthStore } from '../../../../src/storage/state/sql/oauth.ts';
import { SqlProviderStore } from '../../../../src/storage/state/sql/providers.ts';
import { SqlQuotaStore } from '../../../../src/storage/state/sql/quotas.ts';
import { SqlSecondFactorStore } from '../../../../src/storage/state/sql/second-factor.ts';
import { SqlSessionStore } from '../../../../src/storage/state/sql/sessions.ts';
import { SqlIdentityStore } from '../../../../src/storage/state/sql/sso/identities.ts';
import { SqlIdentityProviderStore } from '../../../../src/storage/state/sql/sso/providers.ts';
import { SqlAgentStore, SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testAlertStore } from '../../../contracts/alert-store.ts';
import { testAssessmentStores } from '../../../contracts/assessment-store.ts';
import { testAuditStore } from '../../../contracts/audit-store.ts';
import { testBudgetStore, testQuotaStore } from '../../../contracts/budget-store.ts';
import { testConnectorStore } from '../../../contracts/connector-store.ts';
import { testCredentialStore } from '../../../contracts/credential-store.ts';
import { testDashboardChangeStore } from '../../../contracts/dashboard-change-store.ts';
import { testDashboardLinkStore } from '../../../contracts/dashboard-link-store.ts';
import { testDashboardStore } from '../../../contracts/dashboard-store.ts';
import { testRecordedChats } from '../../../contracts/execution-chats.ts';
import { testExecutionLists } from '../../../contracts/execution-lists.ts';
import { testExecutionSteps } from '../../../contracts/execution-steps.ts';
import { testExecutionStore } from '../../../contracts/execution-store.ts';
import { testExecutionThreads } from '../../../contracts/execution-threads.ts';
import { testFirstHourStore } from '../../../contracts/first-hour-store.ts';
import { testIdentityStores } from '../../../contracts/identity-store.ts';
import { testInvitationStore } from '../../../contracts/invitation-store.ts';
import { testKeyStore } from '../../../contracts/key-store.ts';
import { testMetricStore } from '../../../contracts/metric-store.ts';
import { testOAuthStore } from '../../../contracts/oauth-store.ts';
import { testProcesses } from '../../../contracts/processes.ts';
import { testProviderStore } from '../../../contracts/provider-store.ts';
import { testReviewModel } from '../../../contracts/review-model.ts';
import { testReviewQuestions } from '../../../contracts/review-questions.ts';
import { testReviewStore } from '../../../contracts/review-store.ts';
import { testSecondFactorStore } from '../../../contracts/second-factor-store.ts';
import { testSegmentStore } from '../../../contracts/segment-store.ts';
import { testSessionStore, testSessionsOfAll } from '../../../contracts/session-store.ts';
import { newUser, testUserStore } from '../../../contracts/user-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { reviewBackends } from '../../../support/reviews.ts';
import { openStateWithTenants, sharedStates, stateBackends, storeBackends } from '../../../support/state.ts';

/* The contracts of stores at both databases; larger suites have files of their own. */

stateBackends((database) => ({
  store: new SqlAlertStore(database),
  deliveries: new SqlDeliveryStore(database),
})).forEach(testAlertStore);

stateBackends((database) => ({ store: new SqlConnectorStore(database) })).forEach(testConnectorStore);
stateBackends((database) => ({ store: new SqlCredentialStore(database) })).forEach(testCredentialStore);
stateBackends((database) => ({ store: new SqlDashboardStore(database) })).forEach(testDashboardStore);

storeBackends((database) => ({
  store: new SqlDashboardStore(database),
  changes: new SqlDashboardChangeStore(database),
})).forEach(testDashboardChangeStore);

storeBackends((database) => ({
  store: new SqlDashboardLinkStore(database),
  dashboards: new SqlDashboardStore(database),
})).forEach(testDashboardLinkStore);

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
  store: new SqlInvitationStore(database),
  users: new SqlUserStore(database),
  tenants: new SqlTenantStore(database),
})).forEach(testInvitationStore);

stateBackends((database) => ({
  store: new SqlSessionStore(database),
  users: new SqlUserStore(database),
})).forEach(testSessionsOfAll);

stateBackends((database) => ({
  store: new SqlUserStore(database),
  agents: new SqlAgentStore(database),
  keys: new SqlKeyStore(database),
  credentials: new SqlCredentialStore(database),
})).forEach(testUserStore);

stateBackends((database) => ({
  store: new SqlKeyStore(database),
  users: new SqlUserStore(database),
})).forEach(testKeyStore);

storeBackends((database) => ({
  metrics: new SqlMetricStore(database),
  terms: new SqlTermStore(database),
})).forEach(testMetricStore);

storeBackends((database) => new SqlSegmentStore(database)).forEach(testSegmentStore);

stateBackends((database) => ({
  rubrics: new SqlRubricStore(database),
  assessments: new SqlAssessmentStore(database, database),
  executions: new SqlExecutionStore(database),
})).forEach(testAssessmentStores);

storeBackends((database) => new SqlFirstHourStore(database)).forEach(testFirstHourStore);

for (const backend of reviewBackends()) {
  testExecutionStore(backend);
  testRecordedChats(backend);
  testExecutionLists(backend);
  testExecutionSteps(backend);
  testExecutionThreads(backend);
}

const backends = stateBackends((database) => ({
  store: new SqlOAuthStore(database),
  users: new SqlUserStore(database),
}));

for (const { open, ...backend } of backends) {
  testOAuthStore({
    ...backend,
    open: async (directory) => {
      const opened = await open(directory);
      await opened.users.put(newUser({ id: 'ada', email: 'ada@example.com', role: 'USER' }));
      await opened.users.put(
        newUser({ id: 'eve', email: 'eve@example.com', role: 'VIEWER', isActive: false, sessionVersion: 7 }),
      );
      return opened;
    },
  });
}

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

for (const backend of stateBackends((database) => ({ store: new SqlBudgetStore(database) }))) testBudgetStore(backend);

stateBackends((database) => ({
  store: new SqlQuotaStore(database),
  keys: new SqlKeyStore(database),
})).forEach(testQuotaStore);

test('SQLite: quotas, usage and reservations go with their tenant', async (t) => {
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  const budgets = new SqlBudgetStore(database);
  await new SqlQuotaStore(database).replace({ tenantId: 'one', keyId: null }, { before: {}, after: { events: 5 } }, 0);
  const chat = { tenantId: 'one', keyId: null, at: 0, tokens: 1, nanos: 1 };
  for (const id of ['first', 'second']) await budgets.reserve({ ...chat, id }, []);
  await budgets.settle('first', { tokens: 1, nanos: 1 });
  await new SqlTenantStore(database).remove('one');
  for (const table of ['quotas', 'budget_usage', 'budget_reservations'] as const) {
    assert.deepEqual(await database.selectFrom(table).selectAll().execute(), [], table);
  }
  await budgets.settle('second', { tokens: 1, nanos: 1 });
});

for (const backend of reviewBackends()) {
  testReviewStore(backend);
  testReviewQuestions(backend);
  /** A fixed seed; the soak test uses random ones, and more. */
  testReviewModel(backend, { seed: 20_260_401, numRuns: backend.name === 'SQLite' ? 3 : 1 });
}

const ALL = { limit: 10, offset: 0 };

async function openDatabase(t: TestContext): Promise<StateDatabase> {
  const database = await openStateWithTenants(temporaryDirectory(t));
  t.after(() => database.destroy());
  return database;
}

function entry(members: Partial<AuditEntry>): AuditEntry {
  return {
    id: 'line',
    tenantId: 'one',
    at: Date.now(),
    actor: { kind: 'operator', id: null, label: 'operator' },
    action: 'key.created',
    target: null,
    details: {},
    address: null,
    requestId: null,
    ...members,
  };
}

for (const backend of storeBackends((database) => new SqlAuditStore(database))) testAuditStore(backend);

test('audit_log: no statement changes, replaces or removes a protected entry', async (t) => {
  const database = await openDatabase(t);
  const store = new SqlAuditStore(database);
  const lines = [entry({ id: 'a' }), entry({ id: 'b', tenantId: null }), entry({ id: 'c', tenantId: 'two' })];
  for (const line of lines) await store.append(line);
  const columns = sql.raw('id, tenant_id, at, actor, actor_kind, actor_id, action, target, details');
  const values = sql.raw("'a', 'one', 0, 'x', 'key', 'x', 'x', 'x', '{}'");
  const attempts = [
    sql`DELETE FROM audit_log`,
    sql`DELETE FROM audit_log WHERE id = 'a'`,
    sql`DELETE FROM audit_log WHERE tenant_id IS NULL`,
    sql`UPDATE audit_log SET details = '{}'`,
    sql`UPDATE audit_log SET at = 0 WHERE id = 'a'`,
    sql`UPDATE OR REPLACE audit_log SET id = 'a' WHERE id = 'b'`,
    sql`INSERT INTO audit_log (${columns}) VALUES (${values})`,
    sql`REPLACE INTO audit_log (${columns}) VALUES (${values})`,
    sql`INSERT INTO audit_log (${columns}) VALUES (${values}) ON CONFLICT (id) DO UPDATE SET details = '{}'`,
  ];
  for (const [index, attempt] of attempts.entries()) {
    await assert.rejects(attempt.execute(database), /audit log/, `attempt ${index}`);
  }
  assert.deepEqual((await store.list('all', ALL)).items, lines.toReversed());
});

test('audit_log: entries go with their tenant; those of others stay', async (t) => {
  const database = await openDatabase(t);
  const store = new SqlAuditStore(database);
  const kept = [entry({ id: 'b', tenantId: null }), entry({ id: 'c', tenantId: 'two' })];
  for (const line of [entry({ id: 'a' }), ...kept]) await store.append(line);
  assert.ok(await new SqlTenantStore(database).remove('one'));
  assert.deepEqual((await store.list('all', ALL)).items, kept.toReversed());
});
