import { join } from 'node:path';
import { backedUpElsewhere } from '../backup/elsewhere.ts';
import { stageBackup } from '../backup/staging.ts';
import type { Config } from '../config.ts';
import { UsageService } from '../core/access/auth/usage.ts';
import { ExecutionService } from '../core/agents/executions/service.ts';
import { AgentFeedback } from '../core/agents/feedback/service.ts';
import { ReviewService } from '../core/agents/reviews/service.ts';
import type { CompactedFile } from '../core/analytics/events/store.ts';
import { type Effects, realEffects } from '../core/base/shared/effects.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { QueueStats } from '../core/knowledge/store.ts';
import type { Services } from '../core/services.ts';
import type { DeliveryCounts } from '../core/watch/deliveries/store.ts';
import type { AuthorizationServers } from '../http/oauth/servers.ts';
import type { Log } from '../logging/log.ts';
import { Pictures } from '../pictures/pictures.ts';
import { openEventsAtFirstUse } from '../storage/events/duckdb/first-use.ts';
import { STATE_FILE } from '../storage/installation/names.ts';
import { copyDatabase } from '../storage/state/sqlite/copy.ts';
import type { OpenEventStore } from './event-store.ts';
import { type Closable, type Foundation, openFoundation } from './foundation.ts';
import { readiness } from './readiness.ts';
import { openAlerts } from './wire-alerts.ts';
import { openChat } from './wire-chat.ts';
import { openConnectors } from './wire-connectors.ts';
import { openDeliveries } from './wire-deliveries.ts';
import { makeErasure } from './wire-erasure.ts';
import { openEvents, openRecorder } from './wire-events.ts';
import { openKnowledge } from './wire-knowledge.ts';
import { openOAuth } from './wire-oauth.ts';
import { openQuotas } from './wire-quotas.ts';

/*
 * The composition root. Parts open in order and close in reverse: the stores close last. The caller
 * of `openServer` drains the requests (`closeServer`) before it calls `close`.
 */

export interface Runtime extends Foundation, Services {
  ingestionQueue(): Promise<QueueStats>;
  deliveryCounts(): Promise<DeliveryCounts>;
  oauthServers: AuthorizationServers;
}

/** Only the owner of the data directory may call it (src/ownership). */
export async function openRuntime(
  config: Config,
  log: Log,
  effects: Effects = realEffects,
  openStore: OpenEventStore = openEventsAtFirstUse,
): Promise<Runtime> {
  const foundation = await openFoundation(config, log, effects, openStore);
  const opened: Closable[] = [foundation];
  const keep = <Part extends Closable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const { tenants, agents, audit, logins, quotas: settings, budgetStore, reviewStore, eventStore } = foundation;
    const quotas = keep(await openQuotas(foundation));
    const knowledge = keep(await openKnowledge({ ...foundation, quota: quotas.documents }));
    const chats = keep(await openChat({ ...foundation, budgets: quotas.budgets }));
    const recorder = keep(openRecorder(foundation));
    const connectorExecution = openConnectors({ ...foundation, recorder });
    const deliveries = keep(await openDeliveries(foundation));
    keep({ close: () => logins.settled() });
    const { events, dashboards } = keep(openEvents(foundation, quotas.events));
    const pictures = keep(new Pictures(config));
    const sending = keep(openAlerts(foundation, { events, dashboards, pictures, deliveries: deliveries.deliveries }));
    const oauth = keep(openOAuth(foundation));
    const { rateLimiter } = quotas;
    const stored = {
      events: (tenantId: string) => quotas.events.stored(tenantId),
      documents: knowledge.storedBytes,
      deliveries: deliveries.storedBytes,
    };
    return {
      ...foundation,
      consent: oauth.consent,
      oauthServers: oauth.servers,
      rateLimiter,
      usage: new UsageService({ settings, tenants, effects, budgets: budgetStore, rateLimiter, stored }),
      events,
      dashboards,
      pictures,
      alerts: sending.alerts,
      digests: sending.digests,
      chat: chats.chat,
      executions: new ExecutionService({ store: chats.executions, agents, effects }),
      reviews: new ReviewService({ store: reviewStore, executions: chats.executions, agents, audit, effects }),
      connectorExecution,
      feedback: new AgentFeedback({
        ...{ recorder, events: eventStore, effects, quota: quotas.events, gaps: foundation.limits.buckets('gaps') },
        onError: (error) => log.error({ err: error }, 'a call of a tool could not be recorded'),
      }),
      knowledge: knowledge.service,
      knowledgeSearch: knowledge.search,
      ingestionQueue: knowledge.queue,
      deliveries: deliveries.deliveries,
      deliveryCounts: deliveries.counts,
      erasure: makeErasure(foundation, { chats, knowledge: knowledge.service, deliveries }),
      stageBackup: () => stageCopy(foundation, knowledge.copyTo),
      compactEvents: () => compactEvents(foundation),
      ready: () => readiness(foundation),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A consistent copy of the files. Throws `conflict` on nodes, which have none. */
async function stageCopy({ config, eventFiles, effects }: Foundation, copyKnowledge: Copy | null) {
  const { dataDir, databaseUrl } = config;
  if (!eventFiles || !copyKnowledge) throw backedUpElsewhere();
  const copyState: Copy = (directory) => copyDatabase(join(dataDir, STATE_FILE), join(directory, STATE_FILE));
  const copyEvents: Copy = (directory) => eventFiles.copyTo(directory);
  const copies = [copyEvents, copyKnowledge, ...(databaseUrl === undefined ? [copyState] : [])];
  return stageBackup({ dataDir, copies, now: effects.now });
}

async function compactEvents({ eventFiles }: Foundation): Promise<CompactedFile> {
  if (eventFiles) return eventFiles.compact();
  throw new RuntimeError('conflict', 'Events are in ClickHouse, which gives free space back by itself.');
}

type Copy = (directory: string) => Promise<void>;
