import { join } from 'node:path';
import { finishRestore } from '../backup/replace.ts';
import { BackupTurn, stageBackup } from '../backup/staging.ts';
import type { Config } from '../config.ts';
import { AgentService } from '../core/auth/agents.ts';
import { KeyService } from '../core/auth/keys.ts';
import { SettingsService } from '../core/auth/settings.ts';
import { DashboardService } from '../core/dashboards/service.ts';
import { ErasureService } from '../core/erasure.ts';
import { Retention } from '../core/events/retention.ts';
import { EventService } from '../core/events/service.ts';
import type { EventStore } from '../core/events/store.ts';
import { ExecutionService } from '../core/executions/service.ts';
import type { QueueStats } from '../core/knowledge/store.ts';
import { UsageService } from '../core/quotas/usage.ts';
import { ReviewService } from '../core/reviews/service.ts';
import type { Services } from '../core/services.ts';
import { type Effects, realEffects } from '../core/shared/effects.ts';
import { RuntimeError } from '../core/shared/errors.ts';
import { withTimeout } from '../core/shared/with-timeout.ts';
import type { Log } from '../logging/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { StoreNotices } from '../metrics/store-notices.ts';
import { watchedStore } from '../metrics/watched-store.ts';
import { openEventThread } from '../storage/duckdb/thread.ts';
import { makeDataDirectory } from '../storage/files/data-directory.ts';
import { openInstallation } from '../storage/files/installation.ts';
import { EVENTS_FILE, SPOOL_FILE, STATE_FILE } from '../storage/files/names.ts';
import { copyDatabase } from '../storage/sqlite/copy.ts';
import { openState, type State } from './state.ts';
import { openChat } from './wire-chat.ts';
import { openConnectors } from './wire-connectors.ts';
import { openKnowledge } from './wire-knowledge.ts';
import { openQuotas } from './wire-quotas.ts';

/** The whole program without a door: every service over its stores. One process at a time owns it. */
export interface Runtime extends State, Services {
  config: Config;
  log: Log;
  metrics: Metrics;
  eventStore: EventStore;
  /** Files that wait to be ingested, or are. */
  ingestionQueue(): Promise<QueueStats>;
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
  const events = new EventService({
    store: eventStore,
    auth,
    dashboards: dashboardStore,
    reviews: reviewStore,
    effects,
    onIngest: (counts) => metrics.ingested(counts),
    quota: quotas.events,
    audit,
  });
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
    events,
    dashboards: new DashboardService({ store: dashboardStore, auth, events, audit, effects }),
    chat,
    executions: new ExecutionService({ store: executions, auth, effects }),
    reviews: new ReviewService({ store: reviewStore, executions, auth, audit, effects }),
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
      await Promise.all([state.auth.listTenants(), withTimeout(eventStore.ping(), 2_000, noAnswer)]);
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

function noAnswer(): never {
  throw new RuntimeError('unavailable', 'The event store does not answer in time.', { retryAfter: 2 });
}

/** Finishes, or clears away, what a crash left of a restore or a backup. */
function tidyDirectory(dataDir: string): void {
  finishRestore(dataDir);
  BackupTurn.tryTake(dataDir)?.end();
}
