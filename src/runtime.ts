import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finishRestore, refuseHalfRestored } from './backup/replace.ts';
import { BackupTurn, stageBackup } from './backup/staging.ts';
import { openChat } from './chat.ts';
import type { Config } from './config.ts';
import { openConnectors } from './connectors.ts';
import { AuditLog } from './core/audit.ts';
import { AgentService } from './core/auth/agents.ts';
import { ensureDefaultTenant } from './core/auth/bootstrap.ts';
import { DeviceCookies } from './core/auth/device-cookies.ts';
import { KeyService } from './core/auth/keys.ts';
import { LoginService } from './core/auth/logins.ts';
import { PasswordHasher } from './core/auth/password-hasher.ts';
import { AuthService } from './core/auth/service.ts';
import { SessionService } from './core/auth/sessions.ts';
import { SettingsService } from './core/auth/settings.ts';
import type { AgentStore, KeyStore, TenantStore } from './core/auth/store.ts';
import { Tokens } from './core/auth/tokens.ts';
import { CredentialService } from './core/connectors/credentials.ts';
import { ConnectorService } from './core/connectors/service.ts';
import { DashboardService } from './core/dashboards/service.ts';
import { durationMs } from './core/duration.ts';
import { type Effects, realEffects } from './core/effects.ts';
import { ErasureService } from './core/erasure.ts';
import { RuntimeError } from './core/errors.ts';
import { Answering } from './core/events/answering.ts';
import { Discovery } from './core/events/discovery.ts';
import { Retention } from './core/events/retention.ts';
import { EventService } from './core/events/service.ts';
import type { EventStore } from './core/events/store.ts';
import { ExecutionService } from './core/executions/service.ts';
import type { ExecutionStore } from './core/executions/store.ts';
import { InsightService } from './core/insights/service.ts';
import type { QueueStats } from './core/knowledge/store.ts';
import { ProviderService } from './core/providers/service.ts';
import { QuotaSettings } from './core/quotas/settings.ts';
import type { BudgetStore } from './core/quotas/store.ts';
import { UsageService } from './core/quotas/usage.ts';
import { ReviewService } from './core/reviews/service.ts';
import type { ReviewStore } from './core/reviews/store.ts';
import { neededKeys } from './core/sealed-rows.ts';
import { SealingRotation } from './core/sealing-rotation.ts';
import type { SecretKey } from './core/secret-key.ts';
import type { Services } from './core/services.ts';
import { UserService } from './core/users/service.ts';
import { openKnowledge } from './knowledge.ts';
import { createLog, type Log } from './log.ts';
import { Metrics } from './metrics/metrics.ts';
import { StoreNotices } from './metrics/store-notices.ts';
import { watchedStore } from './metrics/watched-store.ts';
import { openQuotas } from './quotas.ts';
import { requestOrigin } from './requests.ts';
import { openEventThread } from './storage/duckdb/thread.ts';
import { EVENTS_FILE, SPOOL_FILE, STATE_FILE } from './storage/files.ts';
import { openInstallation } from './storage/installation.ts';
import { StoredKeyRing } from './storage/key-ring.ts';
import { InstallationSecret } from './storage/secret-key.ts';
import { SqliteAuditStore } from './storage/sqlite/audit.ts';
import { SqliteBudgetStore } from './storage/sqlite/budgets.ts';
import { SqliteConnectorStore } from './storage/sqlite/connectors.ts';
import { copyDatabase } from './storage/sqlite/copy.ts';
import { SqliteCredentialStore } from './storage/sqlite/credentials.ts';
import { SqliteDashboardStore } from './storage/sqlite/dashboards.ts';
import { SqliteExecutionStore } from './storage/sqlite/executions.ts';
import { SqliteKeyStore } from './storage/sqlite/keys.ts';
import { openStateFile } from './storage/sqlite/open-state.ts';
import { SqliteProviderStore } from './storage/sqlite/providers.ts';
import { SqliteQuotaStore } from './storage/sqlite/quotas.ts';
import { openStateReader } from './storage/sqlite/reader.ts';
import { SqliteReviewStore } from './storage/sqlite/reviews.ts';
import { SqliteSealedRows } from './storage/sqlite/sealed-rows.ts';
import { SqliteSessionStore } from './storage/sqlite/sessions.ts';
import { SqliteAgentStore, SqliteInstallationStore, SqliteTenantStore } from './storage/sqlite/tenants.ts';
import { SqliteUserStore } from './storage/sqlite/users.ts';

/** What is kept about tenants, people and keys: enough for administration, and shared by several processes. */
export interface State {
  auth: AuthService;
  audit: AuditLog;
  secretKey: SecretKey;
  logins: LoginService;
  sessions: SessionService;
  users: UserService;
  providers: ProviderService;
  connectors: ConnectorService;
  credentials: CredentialService;
  sealing: SealingRotation;
  tenants: TenantStore;
  userStore: SqliteUserStore;
  agentStore: AgentStore;
  keyStore: KeyStore;
  installation: SqliteInstallationStore;
  dashboardStore: SqliteDashboardStore;
  executionStore: ExecutionStore;
  reviewStore: ReviewStore;
  quotas: QuotaSettings;
  budgetStore: BudgetStore;
  close(): Promise<void>;
}

/** The whole program without a door: every service over its stores. One process at a time owns it. */
export interface Runtime extends State, Services {
  config: Config;
  log: Log;
  metrics: Metrics;
  eventStore: EventStore;
  /** Files that wait to be ingested, or are. */
  ingestionQueue(): Promise<QueueStats>;
}

/** Opens the state database, making directory, tables and the default tenant as needed. Any process may, at any time. */
export async function openState(
  config: Config,
  effects: Effects = realEffects,
  log: Log = createLog(config.logLevel),
): Promise<State> {
  makeDataDirectory(config.dataDir);
  refuseHalfRestored(config.dataDir);
  const { installation, path, database } = await openStateFile(config);
  const reader = openStateReader(path);
  const tenants = new SqliteTenantStore(database);
  const userStore = new SqliteUserStore(database);
  const agentStore = new SqliteAgentStore(database);
  const keyStore = new SqliteKeyStore(database);
  const audit = new AuditLog({
    store: new SqliteAuditStore(database),
    effects,
    origin: requestOrigin,
    onError: (error) => log.error({ err: error }, 'a line of the audit log could not be written'),
  });
  const keyLifetimeMs = config.keyLifetime === undefined ? null : durationMs(config.keyLifetime);
  const auth = new AuthService({ tenants, agents: agentStore, keys: keyStore, audit, effects, keyLifetimeMs });
  const onMade = (name: string) => installation.made(name);
  const secretKey = new InstallationSecret({ ...config, onMade });
  const sealedRows = new SqliteSealedRows(database);
  const needed = () => neededKeys(sealedRows);
  const sealingKeys = new StoredKeyRing({ ...config, needed, onMade, now: effects.now });
  const tokens = new Tokens(secretKey, effects);
  const passwords = new PasswordHasher();
  const people = { auth, users: userStore, tenants, audit, effects };
  const sessions = new SessionService({ ...people, sessions: new SqliteSessionStore(database), tokens });
  const logins = new LoginService({
    ...people,
    sessions,
    passwords,
    devices: new DeviceCookies(secretKey, effects.now),
    onFailure: (failed) => log.warn(failed, 'login failed'),
  });
  const users = new UserService({
    store: userStore,
    effects,
    audit,
    passwords,
    checkPassword: (user, password) => logins.checkPassword(user, password),
  });
  const providers = new ProviderService({
    store: new SqliteProviderStore(database),
    sealingKeys,
    audit,
    effects,
    variable: config.variable,
  });
  const connectorStore = new SqliteConnectorStore(database);
  const credentialStore = new SqliteCredentialStore(database);
  await ensureDefaultTenant(auth);
  return {
    auth,
    audit,
    secretKey,
    logins,
    sessions,
    users,
    providers,
    connectors: new ConnectorService({ store: connectorStore, credentials: credentialStore, audit, effects }),
    sealing: new SealingRotation({ ring: sealingKeys, rows: sealedRows, audit, now: effects.now }),
    credentials: new CredentialService({
      store: credentialStore,
      connectors: connectorStore,
      ...{ sealingKeys, audit, effects },
    }),
    tenants,
    userStore,
    agentStore,
    keyStore,
    installation: new SqliteInstallationStore(database),
    dashboardStore: new SqliteDashboardStore(database),
    executionStore: new SqliteExecutionStore(database),
    reviewStore: new SqliteReviewStore(database, reader),
    quotas: new QuotaSettings({ store: new SqliteQuotaStore(database), audit, effects }),
    budgetStore: new SqliteBudgetStore(database),
    close: async () => {
      await audit.settled();
      await reader.destroy();
      await database.destroy();
    },
  };
}

/** Opens everything. Only the process that owns the data directory may (see src/ownership). */
export async function openRuntime(config: Config, log: Log, effects: Effects = realEffects): Promise<Runtime> {
  makeDataDirectory(config.dataDir);
  tidyDirectory(config.dataDir);
  const metrics = new Metrics();
  const notices = new StoreNotices(log, metrics);
  const installation = openInstallation(config);
  const [state, unwatched] = await bothOrNeither(
    openState(config, effects, log),
    openEventThread(
      {
        directory: config.dataDir,
        dedupWindowMs: config.dedupDays * 86_400_000,
        queryTimeoutMs: config.queryTimeout * 1_000,
        memoryLimit: config.queryMemory,
        backlogLimit: config.backlog * 1024 * 1024,
        resultCacheBytes: config.resultCache * 1024 * 1024,
        identities: { spool: installation.identityOf(SPOOL_FILE), events: installation.identityOf(EVENTS_FILE) },
      },
      {
        onFault: (error) => notices.fault(error),
        onNotice: (notice) => notices.notice(notice),
      },
    ),
  );
  const eventStore = watchedStore(unwatched, metrics, log);
  const { auth, audit, tenants, userStore, agentStore, keyStore, logins } = state;
  const { dashboardStore, executionStore, reviewStore } = state;
  const { providers } = state;
  const opened: Closable[] = [eventStore, state];
  // What does not open keeps nothing else from being served; `doctor` names it.
  await state.sealing.finish().catch((error) => log.error({ err: error }, 'stored secrets do not open'));
  // Their threads would keep alive a process that could not begin.
  const closeOpened = async (error: unknown): Promise<never> => {
    for (const one of opened) await one.close();
    throw error;
  };
  await (async () => installation.made(SPOOL_FILE, EVENTS_FILE))().catch(closeOpened);
  const parts = { config, installation, providers, eventStore, auth, audit, metrics, log, effects };
  const { quotas: settings, budgetStore } = state;
  const quotas = await openQuotas({ ...parts, settings, budgetStore }).catch(closeOpened);
  const chats = await openChat({ ...parts, executionStore, budgets: quotas.budgets }).catch(closeOpened);
  const { chat, executions } = chats;
  opened.unshift(chats);
  const knowledge = await openKnowledge({ ...parts, quota: quotas.documents }).catch(closeOpened);
  const connectors = openConnectors({ ...parts, connectors: state.connectors, credentials: state.credentials });
  const answering = new Answering(eventStore, effects);
  const discovery = new Discovery(eventStore);
  const dashboards = new DashboardService({ store: dashboardStore, auth, answering, audit, effects });
  const retention = new Retention({
    tenants,
    store: eventStore,
    effects,
    onExpired: (tenantId, events) => log.info({ tenantId, events }, 'events past their retention removed'),
    onError: (error) => log.error({ err: error }, 'retention'),
  });
  return {
    ...state,
    config,
    log,
    metrics,
    eventStore,
    keys: new KeyService({ auth, keys: keyStore, agents: agentStore, users: userStore }),
    agents: new AgentService({ auth, agents: agentStore }),
    settings: new SettingsService(auth),
    rateLimiter: quotas.rateLimiter,
    usage: new UsageService({
      ...{ settings, auth, effects, budgets: budgetStore, rateLimiter: quotas.rateLimiter },
      stored: { events: (tenantId) => quotas.events.stored(tenantId), documents: knowledge.storedBytes },
    }),
    events: new EventService(eventStore, auth, effects, (counts) => metrics.ingested(counts), {
      quota: quotas.events,
      audit,
    }),
    dashboards,
    chat,
    executions: new ExecutionService({ store: executions, auth, effects }),
    reviews: new ReviewService({ store: reviewStore, executions, auth, audit, effects }),
    insights: new InsightService({ answering, discovery, dashboards, dashboardStore, reviewStore, auth, effects }),
    connectorExecution: connectors.execution,
    knowledge: knowledge.service,
    ingestionQueue: knowledge.queue,
    knowledgeSearch: knowledge.search,
    erasure: new ErasureService({
      auth,
      audit,
      tenants,
      events: eventStore,
      erasers: [
        { what: 'documents', ofTenantsAlone: true, erase: (tenantId) => knowledge.service.erase(tenantId) },
        { what: 'reviews', erase: (tenantId, thread) => reviewStore.erase(tenantId, thread) },
        { what: 'events', erase: async (tenantId, thread) => (thread ? chats.eraseEvents(tenantId, thread) : 0) },
        { what: 'executions', erase: (tenantId, thread) => chats.eraseExecutions(tenantId, thread) },
        { what: 'events', erase: (tenantId, thread) => eventStore.erase(tenantId, { threadId: thread?.threadId }) },
      ],
    }),
    stageBackup: () =>
      stageBackup({
        dataDir: config.dataDir,
        copies: [
          (directory) => eventStore.copyTo(directory),
          (directory) => knowledge.copyTo(directory),
          (directory) => copyDatabase(join(config.dataDir, STATE_FILE), join(directory, STATE_FILE)),
        ],
        now: effects.now,
      }),
    ready: async () => {
      await Promise.all([state.auth.listTenants(), withinTwoSeconds(eventStore.ping())]);
    },
    close: async () => {
      await retention.stop();
      await logins.settled();
      await connectors.close();
      await chats.close();
      await quotas.close();
      await knowledge.close();
      await eventStore.close();
      await state.close();
    },
  };
}

/** Two things that are opened at once. When one cannot be, the other is closed: its thread would keep the process alive. */
async function bothOrNeither<First extends Closable, Second extends Closable>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  const results = await Promise.allSettled([first, second]);
  const [one, two] = results;
  if (one.status === 'fulfilled' && two.status === 'fulfilled') return [one.value, two.value];
  for (const result of results) if (result.status === 'fulfilled') await result.value.close();
  throw one.status === 'rejected' ? one.reason : (two as PromiseRejectedResult).reason;
}

interface Closable {
  close(): Promise<void>;
}

async function withinTwoSeconds(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new RuntimeError('unavailable', 'The event store does not answer in time.', { retryAfter: 2 });
    timer = setTimeout(() => reject(error), 2_000);
  });
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Finishes, or clears away, what a crash left of a restore or a backup. */
function tidyDirectory(dataDir: string): void {
  finishRestore(dataDir);
  BackupTurn.tryTake(dataDir)?.end();
}

export function makeDataDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
