import { randomUUID } from 'node:crypto';
import { refuseHalfRestored } from '../backup/replace.ts';
import type { Config } from '../config.ts';
import { ensureDefaultTenant } from '../core/access/auth/bootstrap.ts';
import { UserService } from '../core/access/users/service.ts';
import { RubricService } from '../core/agents/assessments/rubrics.ts';
import { CredentialService } from '../core/agents/connectors/credentials/service.ts';
import { ConnectorService } from '../core/agents/connectors/service.ts';
import { ProviderDefinitions } from '../core/agents/providers/definitions.ts';
import { ProviderService } from '../core/agents/providers/service.ts';
import { AnnotationService } from '../core/analytics/annotations/service.ts';
import { Milestones } from '../core/analytics/first-hour/milestones.ts';
import { MetricCatalog } from '../core/analytics/metrics/catalog.ts';
import { Glossary } from '../core/analytics/metrics/glossary.ts';
import { MetricService } from '../core/analytics/metrics/service.ts';
import { SegmentService } from '../core/analytics/segments/service.ts';
import { AuditLog } from '../core/base/audit/log.ts';
import { Runner } from '../core/base/concurrency/runners.ts';
import type { WrappingSecrets } from '../core/base/sealing/key-wrapping.ts';
import { neededKeys, SealingRotation } from '../core/base/sealing/rotation.ts';
import type { SecretKey } from '../core/base/sealing/secret-key.ts';
import { type Effects, effectsBy, realEffects } from '../core/base/shared/effects.ts';
import { DefinitionBudget } from '../core/limits/quotas/definition-budget.ts';
import { QuotaSettings } from '../core/limits/quotas/settings.ts';
import { type LimitStores, limitsOfProcess } from '../core/limits/rates/limits.ts';
import { Leavers } from '../core/watch/schedules/leavers.ts';
import { createLog, type Log } from '../logging/log.ts';
import { requestOrigin } from '../logging/request-context.ts';
import { makeDataDirectory } from '../storage/installation/data-directory.ts';
import { StoredKeyRing } from '../storage/installation/key-ring.ts';
import { InstallationSecret } from '../storage/installation/secret-key.ts';
import type { PostgresDatabase } from '../storage/state/postgres/database.ts';
import { SqlAlertStore } from '../storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../storage/state/sql/alerts/deliveries.ts';
import { SqlDigestStore } from '../storage/state/sql/alerts/digests.ts';
import { SqlRubricStore } from '../storage/state/sql/assessments/rubrics.ts';
import { SqlAssessmentStore } from '../storage/state/sql/assessments/store.ts';
import { SqlAuditStore } from '../storage/state/sql/audit.ts';
import { SqlBudgetStore } from '../storage/state/sql/budgets.ts';
import { SqlAnnotationStore } from '../storage/state/sql/catalog/annotations.ts';
import { SqlMetricStore, SqlTermStore } from '../storage/state/sql/catalog/metrics.ts';
import { SqlSegmentStore } from '../storage/state/sql/catalog/segments.ts';
import { SqlConnectorStore, SqlCredentialStore } from '../storage/state/sql/connectors.ts';
import { SqlDashboardChangeStore } from '../storage/state/sql/dashboards/changes.ts';
import { SqlDashboardLinkStore } from '../storage/state/sql/dashboards/links.ts';
import { SqlDashboardStore } from '../storage/state/sql/dashboards/store.ts';
import { SqlDefinitionStore } from '../storage/state/sql/definitions.ts';
import { SqlExecutionStore } from '../storage/state/sql/executions/store.ts';
import { SqlFirstHourStore } from '../storage/state/sql/first-hour.ts';
import { SqlInstallationStore, SqlRunnerStore } from '../storage/state/sql/installation.ts';
import { SqlKeyRing } from '../storage/state/sql/key-ring.ts';
import { SqlProviderStore } from '../storage/state/sql/providers.ts';
import { SqlQueueStore } from '../storage/state/sql/queues/store.ts';
import { SqlQuotaStore } from '../storage/state/sql/quotas.ts';
import { SqlReviewStore } from '../storage/state/sql/reviews/store.ts';
import { SqlSealedRows } from '../storage/state/sql/sealed-rows.ts';
import { openAccess } from './access.ts';
import { openConfiguredState } from './state-database.ts';

interface LimitParts {
  /** Null for limits of this process alone. */
  postgres: Pick<PostgresDatabase, 'pool'> | null;
  secretKey: SecretKey;
  effects: Pick<Effects, 'now'>;
}

export async function openLimits({ postgres, secretKey, effects: { now } }: LimitParts): Promise<LimitStores> {
  if (postgres === null) return limitsOfProcess(now);
  const { limitsOfNodes } = await import('../storage/state/postgres/limits/limits.ts');
  return limitsOfNodes(postgres.pool, secretKey, now);
}

/** Services over the state database, which several processes may have open. */
export type State = Awaited<ReturnType<typeof openState>>;

/** Creates directory, tables and the default tenant as needed. Any process may call it. */
export async function openState(
  config: Config & WrappingSecrets,
  given: Effects = realEffects,
  log: Log = createLog(config.logLevel),
) {
  makeDataDirectory(config.dataDir);
  refuseHalfRestored(config.dataDir);
  const opened = await openConfiguredState(config, log);
  const { database, reader, postgres } = opened;
  // All nodes have one time. A test's clock stays.
  const isReal = given.now === realEffects.now;
  const effects = isReal && opened.now ? { ...given, ...effectsBy(opened.now) } : given;
  const runner = new Runner({
    id: randomUUID(),
    store: new SqlRunnerStore(database),
    isAlone: postgres === null,
    onError: (error) => log.error({ err: error }, 'this process could not be listed as alive'),
  });
  const onMade = opened.made;
  const secretKey = new InstallationSecret({ ...config, onMade });
  const limits = await openLimits({ postgres: isReal ? opened.postgres : null, secretKey, effects });
  const audit = new AuditLog({
    store: new SqlAuditStore(database),
    effects,
    origin: requestOrigin,
    onError: (error) => log.error({ err: error }, 'a line of the audit log could not be written'),
  });
  const sealedRows = new SqlSealedRows(database);
  const shared = runner.isAlone
    ? null
    : await SqlKeyRing.open({
        ...{ ...config, database, now: effects.now },
        onError: (error) => log.error({ err: error }, 'the sealing keys could not be read'),
      });
  const needed = () => neededKeys(sealedRows);
  const sealingKeys = shared ?? new StoredKeyRing({ ...config, needed, onMade, now: effects.now });
  const access = openAccess({
    ...{ config, database, isShared: postgres !== null, limits, secretKey, sealingKeys, audit, effects, log },
  });
  const { userStore, logins, passwords, tenants } = access;
  const alertStore = new SqlAlertStore(database);
  const digestStore = new SqlDigestStore(database);
  const deliveryStore = new SqlDeliveryStore(database, runner.id);
  const leavers = new Leavers({
    ...{ alerts: alertStore, digests: digestStore, deliveries: deliveryStore, users: userStore },
    ...{ audit, effects },
  });
  const connectorStore = new SqlConnectorStore(database);
  const credentialStore = new SqlCredentialStore(database);
  const metricStore = new SqlMetricStore(database);
  const termStore = new SqlTermStore(database);
  const metricCatalog = new MetricCatalog({ store: metricStore, terms: termStore, effects });
  const firstHourStore = new SqlFirstHourStore(database);
  const milestones = new Milestones({
    store: firstHourStore,
    effects,
    onError: (error) => log.error({ err: error }, 'a step of the first hour could not be noted'),
  });
  const rubricStore = new SqlRubricStore(database);
  const definitions = new DefinitionBudget(new SqlDefinitionStore(database));
  const providerParts = {
    ...{ store: new SqlProviderStore(database), sealingKeys, audit, effects },
    variable: config.variable,
  };
  const providers = new ProviderService(providerParts);
  await ensureDefaultTenant(tenants);
  return {
    ...access,
    ...{ audit, secretKey, sealingKeys, effects, postgres, limits, runner, leavers, definitions, metricCatalog },
    ...{ alertStore, digestStore, deliveryStore, firstHourStore, milestones },
    users: new UserService({
      ...{ store: userStore, effects, audit, passwords },
      onLeft: (user, by) => leavers.end(user, by),
      checkPassword: (user, password) => logins.checkPassword(user, password),
    }),
    providers,
    providerDefinitions: new ProviderDefinitions({
      ...{ ...providerParts, providers },
      operates: (caller) => tenants.operates(caller),
    }),
    metricDefinitions: new MetricService({ store: metricStore, definitions, catalog: metricCatalog, audit, effects }),
    glossary: new Glossary({ store: termStore, definitions, catalog: metricCatalog, audit, effects }),
    annotations: new AnnotationService({ store: new SqlAnnotationStore(database), audit, effects }),
    segments: new SegmentService({ store: new SqlSegmentStore(database), definitions, audit, effects }),
    rubricStore,
    rubrics: new RubricService({ store: rubricStore, definitions, audit, effects }),
    connectors: new ConnectorService({
      ...{ store: connectorStore, credentials: credentialStore, audit, effects },
    }),
    credentials: new CredentialService({
      ...{ store: credentialStore, connectors: connectorStore, sealingKeys, audit, effects },
    }),
    sealing: new SealingRotation({ ring: sealingKeys, rows: sealedRows, audit, now: effects.now }),
    installation: new SqlInstallationStore(database),
    dashboardStore: new SqlDashboardStore(database),
    dashboardLinkStore: new SqlDashboardLinkStore(database),
    dashboardChangeStore: new SqlDashboardChangeStore(database),
    executionStore: new SqlExecutionStore(database, runner.id, reader),
    queueStore: new SqlQueueStore(database, reader),
    reviewStore: new SqlReviewStore(database, reader),
    assessmentStore: new SqlAssessmentStore(database, reader),
    quotas: new QuotaSettings({ store: new SqlQuotaStore(database), audit, effects }),
    budgetStore: new SqlBudgetStore(database, runner.id),
    maintenance: opened.maintenance(runner.id),
    close: async () => {
      await milestones.settled();
      await audit.settled();
      shared?.close();
      await opened.close();
    },
  };
}
