import { randomUUID } from 'node:crypto';
import { refuseHalfRestored } from '../backup/replace.ts';
import type { Config } from '../config.ts';
import { AgentService } from '../core/access/auth/agents.ts';
import { ensureDefaultTenant } from '../core/access/auth/bootstrap.ts';
import { DeviceCookies } from '../core/access/auth/device-cookies.ts';
import { KeyAuthenticator } from '../core/access/auth/key-authenticator.ts';
import { KeyService } from '../core/access/auth/keys.ts';
import { LoginService } from '../core/access/auth/logins.ts';
import { PasswordHasher } from '../core/access/auth/password-hash.ts';
import { SessionService } from '../core/access/auth/sessions.ts';
import type { KeyStore, SessionStore, TenantStore } from '../core/access/auth/store.ts';
import { TenantService } from '../core/access/auth/tenants.ts';
import { Tokens } from '../core/access/auth/tokens.ts';
import { ClientService } from '../core/access/oauth/clients.ts';
import { GrantService } from '../core/access/oauth/grants.ts';
import type { OAuthStore } from '../core/access/oauth/store.ts';
import { TokenAuthenticator } from '../core/access/oauth/token-authenticator.ts';
import { SecondFactorEnrolment } from '../core/access/second-factor/enrolment.ts';
import { LoginSteps } from '../core/access/second-factor/login-steps.ts';
import { SecondFactorService } from '../core/access/second-factor/service.ts';
import { StepUp } from '../core/access/second-factor/step-up.ts';
import { SecondFactorVerification } from '../core/access/second-factor/verification.ts';
import type { BackchannelLogout } from '../core/access/sso/logout.ts';
import type { IdentityProviderService } from '../core/access/sso/service.ts';
import type { SingleSignOn } from '../core/access/sso/sign-on.ts';
import { UserService } from '../core/access/users/service.ts';
import { CredentialService } from '../core/agents/connectors/credentials/service.ts';
import { ConnectorService } from '../core/agents/connectors/service.ts';
import type { ExecutionStore } from '../core/agents/executions/store.ts';
import { ProviderService } from '../core/agents/providers/service.ts';
import type { ReviewStore } from '../core/agents/reviews/store.ts';
import { AnnotationService } from '../core/analytics/annotations/service.ts';
import { MetricCatalog } from '../core/analytics/metrics/catalog.ts';
import { Glossary } from '../core/analytics/metrics/glossary.ts';
import { MetricService } from '../core/analytics/metrics/service.ts';
import { SegmentService } from '../core/analytics/segments/service.ts';
import { AuditLog } from '../core/base/audit/log.ts';
import type { MaintenanceLease } from '../core/base/concurrency/maintenance.ts';
import { Runner } from '../core/base/concurrency/runners.ts';
import { neededKeys, SealingRotation } from '../core/base/sealing/rotation.ts';
import type { SealingKeys } from '../core/base/sealing/sealing.ts';
import type { SecretKey } from '../core/base/sealing/secret-key.ts';
import { type Effects, effectsBy, realEffects } from '../core/base/shared/effects.ts';
import { durationMs } from '../core/base/time/units.ts';
import { DefinitionBudget } from '../core/limits/quotas/definition-budget.ts';
import { QuotaSettings } from '../core/limits/quotas/settings.ts';
import type { BudgetStore } from '../core/limits/quotas/store.ts';
import type { LimitStores } from '../core/limits/rates/limits.ts';
import type { AlertStore } from '../core/watch/alerts/store.ts';
import type { DeliveryStore } from '../core/watch/deliveries/store.ts';
import type { DigestStore } from '../core/watch/digests/store.ts';
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
import { SqlAuditStore } from '../storage/state/sql/audit.ts';
import { SqlBudgetStore } from '../storage/state/sql/budgets.ts';
import { SqlAnnotationStore } from '../storage/state/sql/catalog/annotations.ts';
import { SqlMetricStore, SqlTermStore } from '../storage/state/sql/catalog/metrics.ts';
import { SqlSegmentStore } from '../storage/state/sql/catalog/segments.ts';
import { SqlConnectorStore, SqlCredentialStore } from '../storage/state/sql/connectors.ts';
import { SqlDashboardStore } from '../storage/state/sql/dashboards.ts';
import { SqlDefinitionStore } from '../storage/state/sql/definitions.ts';
import { SqlExecutionStore } from '../storage/state/sql/executions/store.ts';
import { SqlInstallationStore, SqlRunnerStore } from '../storage/state/sql/installation.ts';
import { SqlKeyRing } from '../storage/state/sql/key-ring.ts';
import { SqlKeyStore } from '../storage/state/sql/keys.ts';
import { SqlOAuthStore } from '../storage/state/sql/oauth.ts';
import { SqlProviderStore } from '../storage/state/sql/providers.ts';
import { SqlQuotaStore } from '../storage/state/sql/quotas.ts';
import { SqlReviewStore } from '../storage/state/sql/reviews/store.ts';
import { SqlSealedRows } from '../storage/state/sql/sealed-rows.ts';
import { SqlSecondFactorStore } from '../storage/state/sql/second-factor.ts';
import { SqlSessionStore } from '../storage/state/sql/sessions.ts';
import { SqlIdentityStore } from '../storage/state/sql/sso/identities.ts';
import { SqlIdentityProviderStore } from '../storage/state/sql/sso/providers.ts';
import { SqlAgentStore, SqlTenantStore } from '../storage/state/sql/tenants.ts';
import { SqlUserStore } from '../storage/state/sql/users.ts';
import { openConfiguredState } from './state-database.ts';
import { openLimits } from './wire-limits.ts';
import { openSingleSignOn } from './wire-sso.ts';

/** Services over the state database, which several processes may have open. */
export interface State {
  tenants: TenantService;
  agents: AgentService;
  keys: KeyService;
  keyAuthenticator: KeyAuthenticator;
  grants: GrantService;
  tokenAuthenticator: TokenAuthenticator;
  oauthStore: OAuthStore;
  oauthClients: ClientService;
  audit: AuditLog;
  secretKey: SecretKey;
  logins: LoginService;
  sessions: SessionService;
  loginSteps: LoginSteps;
  secondFactors: SecondFactorService;
  stepUp: StepUp;
  identityProviders: IdentityProviderService;
  singleSignOn: SingleSignOn;
  backchannelLogout: BackchannelLogout;
  users: UserService;
  providers: ProviderService;
  connectors: ConnectorService;
  credentials: CredentialService;
  definitions: DefinitionBudget;
  metricCatalog: MetricCatalog;
  metricDefinitions: MetricService;
  glossary: Glossary;
  annotations: AnnotationService;
  segments: SegmentService;
  sealing: SealingRotation;
  sealingKeys: SealingKeys;
  tenantStore: TenantStore;
  keyStore: KeyStore;
  userStore: SqlUserStore;
  sessionStore: SessionStore;
  installation: SqlInstallationStore;
  effects: Effects;
  /** Null in file mode. */
  postgres: PostgresDatabase | null;
  dashboardStore: SqlDashboardStore;
  alertStore: AlertStore;
  digestStore: DigestStore;
  deliveryStore: DeliveryStore;
  leavers: Leavers;
  executionStore: ExecutionStore;
  reviewStore: ReviewStore;
  quotas: QuotaSettings;
  budgetStore: BudgetStore;
  /** Started by the process that runs the services. */
  runner: Runner;
  maintenance: MaintenanceLease;
  limits: LimitStores;
  close(): Promise<void>;
}

/** Creates directory, tables and the default tenant as needed. Any process may call it. */
export async function openState(
  config: Config,
  given: Effects = realEffects,
  log: Log = createLog(config.logLevel),
): Promise<State> {
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
  const tenantStore = new SqlTenantStore(database);
  const userStore = new SqlUserStore(database);
  const agentStore = new SqlAgentStore(database);
  const keyStore = new SqlKeyStore(database);
  const audit = new AuditLog({
    store: new SqlAuditStore(database),
    effects,
    origin: requestOrigin,
    onError: (error) => log.error({ err: error }, 'a line of the audit log could not be written'),
  });
  const tenants = new TenantService({
    ...{ store: tenantStore, agents: agentStore, audit, effects },
    isShared: postgres !== null,
    onError: (error) => log.error({ err: error }, 'erasures of tenants could not be followed'),
    requireOtherLogin: (by) => sso.identityProviders.requireOtherLogin(by),
  });
  const agents = new AgentService({ store: agentStore, tenants, audit, effects });
  const keys = new KeyService({
    store: keyStore,
    agents,
    users: userStore,
    audit,
    effects,
    lifetimeMs: config.keyLifetime === undefined ? null : durationMs(config.keyLifetime),
    creations: limits.buckets('new keys'),
  });
  const sealedRows = new SqlSealedRows(database);
  const needed = () => neededKeys(sealedRows);
  const shared = runner.isAlone
    ? null
    : await SqlKeyRing.open({
        ...{ ...config, database, now: effects.now },
        onError: (error) => log.error({ err: error }, 'the sealing keys could not be read'),
      });
  const sealingKeys = shared ?? new StoredKeyRing({ ...config, needed, onMade, now: effects.now });
  const tokens = new Tokens({ secretKey, effects });
  const passwords = new PasswordHasher(effects.hashing);
  const loginParts = { users: userStore, tenants, audit, effects };
  const sessionStore = new SqlSessionStore(database);
  const sessions = new SessionService({ ...loginParts, sessions: sessionStore, tokens });
  const logins = new LoginService({
    ...loginParts,
    ...{ failures: limits.failures, pending: limits.pending },
    sessions,
    passwords,
    devices: new DeviceCookies({ secretKey, now: effects.now }),
    onFailure: (failed) => log.warn(failed, 'login failed'),
  });
  const factorParts = {
    ...loginParts,
    store: new SqlSecondFactorStore(database),
    sealingKeys,
    pending: limits.pending,
    publicUrl: config.publicUrl,
  };
  const verification = new SecondFactorVerification({
    ...factorParts,
    attempt: (user, method) => logins.secondFactorAttempt(user, method),
  });
  const enrolment = new SecondFactorEnrolment(factorParts);
  const loginSteps = new LoginSteps({ ...factorParts, verification, enrolment, logins });
  const stepUp = new StepUp({ ...factorParts, verification, sessions: sessionStore });
  const sso = openSingleSignOn({
    ...{ config, log, ...loginParts, logins, secretKey, sealingKeys },
    store: new SqlIdentityProviderStore(database),
    identities: new SqlIdentityStore(database),
  });
  const alertStore = new SqlAlertStore(database);
  const digestStore = new SqlDigestStore(database);
  const deliveryStore = new SqlDeliveryStore(database, runner.id);
  const leavers = new Leavers({
    ...{ alerts: alertStore, digests: digestStore, deliveries: deliveryStore, users: userStore },
    ...{ audit, effects },
  });
  const users = new UserService({
    store: userStore,
    onLeft: (user, by) => leavers.end(user, by),
    effects,
    audit,
    passwords,
    checkPassword: (user, password) => logins.checkPassword(user, password),
  });
  const providers = new ProviderService({
    store: new SqlProviderStore(database),
    sealingKeys,
    audit,
    effects,
    variable: config.variable,
  });
  const connectorStore = new SqlConnectorStore(database);
  const credentialStore = new SqlCredentialStore(database);
  const oauthStore = new SqlOAuthStore(database);
  const metricStore = new SqlMetricStore(database);
  const termStore = new SqlTermStore(database);
  const metricCatalog = new MetricCatalog({ store: metricStore, terms: termStore, effects });
  const definitions = new DefinitionBudget(new SqlDefinitionStore(database));
  await ensureDefaultTenant(tenants);
  return {
    tenants,
    agents,
    keys,
    keyAuthenticator: new KeyAuthenticator({ store: keyStore, tenants, effects }),
    grants: new GrantService({ store: oauthStore, audit, effects }),
    tokenAuthenticator: new TokenAuthenticator({ store: oauthStore, tenants, effects }),
    oauthStore,
    oauthClients: new ClientService({ store: oauthStore, audit, effects }),
    audit,
    secretKey,
    logins,
    sessions,
    loginSteps,
    secondFactors: new SecondFactorService({ ...factorParts, sessions, enrolment, stepUp }),
    stepUp,
    ...sso,
    users,
    providers,
    definitions,
    metricCatalog,
    metricDefinitions: new MetricService({ store: metricStore, definitions, catalog: metricCatalog, audit, effects }),
    glossary: new Glossary({ store: termStore, definitions, catalog: metricCatalog, audit, effects }),
    annotations: new AnnotationService({ store: new SqlAnnotationStore(database), audit, effects }),
    segments: new SegmentService({ store: new SqlSegmentStore(database), definitions, audit, effects }),
    connectors: new ConnectorService({ store: connectorStore, credentials: credentialStore, audit, effects }),
    sealing: new SealingRotation({ ring: sealingKeys, rows: sealedRows, audit, now: effects.now }),
    sealingKeys,
    credentials: new CredentialService({
      store: credentialStore,
      connectors: connectorStore,
      sealingKeys,
      audit,
      effects,
    }),
    effects,
    postgres,
    tenantStore,
    keyStore,
    userStore,
    sessionStore,
    installation: new SqlInstallationStore(database),
    dashboardStore: new SqlDashboardStore(database),
    alertStore,
    digestStore,
    deliveryStore,
    leavers,
    executionStore: new SqlExecutionStore(database, runner.id),
    reviewStore: new SqlReviewStore(database, reader),
    quotas: new QuotaSettings({ store: new SqlQuotaStore(database), audit, effects }),
    budgetStore: new SqlBudgetStore(database, runner.id),
    runner,
    maintenance: opened.maintenance(runner.id),
    limits,
    close: async () => {
      await audit.settled();
      shared?.close();
      await opened.close();
    },
  };
}
