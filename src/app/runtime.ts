import { join } from 'node:path';
import { refuseBackupOfNodes } from '../backup/files.ts';
import { stageBackup } from '../backup/staging.ts';
import type { Config } from '../config.ts';
import { QuotaAdministration } from '../core/access/auth/quotas.ts';
import { UsageService } from '../core/access/auth/usage.ts';
import { AssessmentService } from '../core/agents/assessments/service.ts';
import { ProviderTests } from '../core/agents/chat/provider-tests.ts';
import { ExecutionListService } from '../core/agents/executions/list.ts';
import { ExecutionService } from '../core/agents/executions/service.ts';
import { ThreadService } from '../core/agents/executions/threads.ts';
import { AgentFeedback } from '../core/agents/feedback/service.ts';
import { Outcomes } from '../core/agents/queues/outcomes.ts';
import { ReviewService } from '../core/agents/reviews/service.ts';
import type { CompactedFile } from '../core/analytics/events/store.ts';
import { withTimeout } from '../core/base/concurrency/timers.ts';
import { type Effects, realEffects } from '../core/base/shared/effects.ts';
import { conflict, RuntimeError } from '../core/base/shared/errors.ts';
import type { Readiness, Services } from '../core/services.ts';
import type { AuthorizationServers } from '../http/oauth/servers.ts';
import type { Log } from '../logging/log.ts';
import { type Exposition, makeExposition, type Readings } from '../metrics/exposition.ts';
import { Pictures } from '../pictures/pictures.ts';
import { openEventsAtFirstUse } from '../storage/events/duckdb/first-use.ts';
import { STATE_FILE } from '../storage/installation/names.ts';
import { copyDatabase } from '../storage/state/sqlite/copy.ts';
import { openAlerts } from './alerts.ts';
import { openChat } from './chat.ts';
import { openConnectors } from './connectors.ts';
import { openDeliveries } from './deliveries.ts';
import type { OpenEventStore } from './event-store.ts';
import { openFirstHour } from './first-hour.ts';
import { openInvitations } from './invitations.ts';
import { openKnowledgeService } from './knowledge.ts';
import { openLinks } from './links.ts';
import { openOAuth } from './oauth.ts';
import { type Closable, type OpenStores, openStores } from './open-stores.ts';
import { openOperation } from './operation/operation.ts';
import { openQueues } from './queues.ts';
import { openQuotas } from './quotas.ts';
import { makeErasure } from './wire-erasure.ts';
import { openEvents } from './wire-events.ts';

const ANSWER_MS = 2_000;

/*
 * The composition root. Parts open in order and close in reverse: the stores close last. The caller
 * of `openServer` drains the requests (`closeServer`) before it calls `close`.
 */

export interface Runtime extends OpenStores, Services {
  /** The metrics of the process. */
  expose(): Promise<Exposition>;
  oauthServers: AuthorizationServers;
}

/** Only the owner of the data directory may call it (src/ownership). */
export async function openRuntime(
  config: Config,
  log: Log,
  effects: Effects = realEffects,
  openStore: OpenEventStore = openEventsAtFirstUse,
): Promise<Runtime> {
  const stores = await openStores(config, log, effects, openStore);
  const opened: Closable[] = [stores];
  const keep = <Part extends Closable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const { tenants, agents, audit, logins, quotas: settings, budgetStore, reviewStore } = stores;
    const { providers, providerDefinitions } = stores;
    const quotas = keep(await openQuotas(stores));
    const knowledge = keep(await openKnowledgeService({ ...stores, quota: quotas.documents }));
    const chats = keep(await openChat({ ...stores, budgets: quotas.budgets }));
    const { connectorExecution, connectorImports } = keep(openConnectors(stores));
    const deliveries = keep(await openDeliveries(stores));
    keep({ close: () => logins.settled() });
    // Opens the store, which answers the first page of whoever logs in.
    logins.onBegin = (tenantId) => void stores.eventStore.knownEvents(tenantId, null).catch(() => undefined);
    const { events, dashboards, dashboardEdits, dashboardChanges } = keep(openEvents(stores, quotas.events));
    const pictures = keep(new Pictures());
    const sending = keep(openAlerts(stores, { events, dashboards, pictures, deliveries: deliveries.deliveries }));
    const oauth = keep(openOAuth(stores));
    const { rateLimiter } = quotas;
    const stored = {
      events: (tenantId: string) => quotas.events.stored(tenantId),
      documents: knowledge.storedBytes,
      deliveries: deliveries.storedBytes,
    };
    const usage = new UsageService({ settings, tenants, effects, budgets: budgetStore, rateLimiter, stored });
    const ready = () => readiness(stores);
    const stage = () => stageCopy(stores, knowledge.copyTo);
    const { vectorStores } = knowledge;
    const expose = exposeStores(stores, { queue: knowledge.queue, deliveries: deliveries.counts });
    const operation = keep(openOperation({ ...stores, stored, vectorStores, stage, ready, expose }));
    const executionLists = new ExecutionListService({
      ...{ store: stores.executionStore, assessments: stores.assessmentStore, effects },
    });
    const { queues, queueHands } = keep(openQueues(stores, executionLists));
    return {
      ...stores,
      consent: oauth.consent,
      oauthServers: oauth.servers,
      rateLimiter,
      usage,
      quotaAdministration: new QuotaAdministration({
        ...{ settings, usage, tenants, effects, budgets: budgetStore, keys: stores.keys },
      }),
      events,
      ...openFirstHour(stores, events),
      dashboards,
      dashboardEdits,
      dashboardChanges,
      ...openLinks(stores, { events, dashboards, pictures }),
      pictures,
      alerts: sending.alerts,
      digests: sending.digests,
      chat: chats.chat,
      providerTests: new ProviderTests({
        ...{ chat: chats.chat, providers, definitions: providerDefinitions, audit },
        buckets: stores.limits.buckets('provider tests'),
      }),
      executions: new ExecutionService({
        ...{ store: chats.executions, agents, effects },
        onRecorded: chats.onRecorded,
      }),
      executionLists,
      threads: new ThreadService({
        ...{ store: stores.executionStore, reviews: reviewStore, assessments: stores.assessmentStore },
        ...{ events: stores.eventStore, effects },
      }),
      reviews: new ReviewService({
        ...{ store: reviewStore, executions: chats.executions, assessments: stores.assessmentStore },
        ...{ agents, audit, effects, outcomes: new Outcomes(stores.eventStore) },
      }),
      assessments: new AssessmentService({
        ...{ store: stores.assessmentStore, rubrics: stores.rubrics, executions: chats.executions, audit, effects },
      }),
      queues,
      queueHands,
      connectorExecution,
      connectorImports,
      invitations: openInvitations(stores, deliveries.mailer),
      feedback: new AgentFeedback({
        ...{ outbox: stores.outbox, effects, quota: quotas.events, gaps: stores.limits.buckets('gaps') },
        milestones: stores.milestones,
        onError: (error) => log.error({ err: error }, 'a call of a tool could not be recorded'),
      }),
      knowledge: knowledge.service,
      vectorStores: knowledge.stores,
      documents: knowledge.documents,
      knowledgeSearch: knowledge.search,
      deliveries: deliveries.deliveries,
      erasure: makeErasure(stores, { chats, knowledge: knowledge.service, deliveries }),
      dataReports: operation.dataReports,
      systemReports: operation.systemReports,
      backupDownloads: operation.backupDownloads,
      stageBackup: stage,
      compactEvents: () => compactEvents(stores),
      ready,
      expose,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function exposeStores(
  { metrics, eventStore, postgres, maintenance }: OpenStores,
  readings: Pick<Readings, 'queue' | 'deliveries'>,
): () => Promise<Exposition> {
  return makeExposition(metrics, {
    ...readings,
    store: () => eventStore.stats(),
    node: () => postgres && { connections: postgres.pool.use, tasks: maintenance.tasks() },
  });
}

/** A consistent copy of the files. Throws `conflict` on nodes, which have none. */
async function stageCopy({ config, eventFiles, effects }: OpenStores, copyKnowledge: Copy | null) {
  const { dataDir } = config;
  refuseBackupOfNodes(config);
  const copyState: Copy = (directory) => copyDatabase(join(dataDir, STATE_FILE), join(directory, STATE_FILE));
  const copyEvents: Copy = (directory) => eventFiles!.copyTo(directory);
  return stageBackup({ dataDir, copies: [copyEvents, copyKnowledge!, copyState], now: effects.now });
}

async function compactEvents({ eventFiles }: OpenStores): Promise<CompactedFile> {
  if (eventFiles) return eventFiles.compact();
  throw conflict('Events are in ClickHouse, which gives free space back by itself.');
}

type Copy = (directory: string) => Promise<void>;

/**
 * Throws `unavailable` when requests cannot be served. Nodes accept events without ClickHouse, and
 * a proxy must not take all of them away: there it is only reported.
 */
export async function readiness({ config, tenants, eventStore }: OpenStores): Promise<Readiness> {
  const events = () => withTimeout(eventStore.ping(), ANSWER_MS, noAnswer);
  await withTimeout(tenants.list(1), ANSWER_MS, noAnswer);
  if (config.nodes === null) {
    await events();
    return {};
  }
  const answers = await events().then(
    () => 'ok' as const,
    () => 'unavailable' as const,
  );
  return { dependencies: { PostgreSQL: 'ok', ClickHouse: answers } };
}

function noAnswer(): never {
  throw new RuntimeError('unavailable', 'A store does not answer in time.', { retryAfter: 2 });
}
