import type { AgentService } from '../../access/auth/agents.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { readsFewerEvents } from '../../base/filters/limits.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { CardContent } from '../dashboards/config-schema.ts';
import { identityOf } from '../dashboards/service.ts';
import type { DashboardStore, StoredCard } from '../dashboards/store.ts';
import type { EventService } from '../events/service.ts';
import type { EventStore } from '../events/store.ts';
import type { CreateMetric } from '../metrics/schema.ts';
import type { MetricService } from '../metrics/service.ts';
import type { SampleState, ShownSampleData } from './schema.ts';
import type { FirstHourFact, FirstHourStore } from './store.ts';

export interface SampleContent {
  /** Ids and thread ids begin with the prefix. */
  events(options: { now: number; prefix: string; agentId: string }): object[];
  metrics: (CreateMetric & { isApproved: boolean })[];
  tabs: { name: string; cards: (CardContent & Pick<StoredCard, 'title' | 'gridLayout'>)[] }[];
}

interface SampleDataParts {
  store: FirstHourStore;
  content(): Promise<SampleContent>;
  eventStore: EventStore;
  events: Pick<EventService, 'ingest'>;
  metrics: Pick<MetricService, 'approve' | 'create' | 'removeSample'>;
  dashboards: DashboardStore;
  agents: Pick<AgentService, 'create' | 'remove'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** Receives the fault of an undoing. */
  onError(error: unknown): void;
}

/** The parts of it. They are noted before they are made, so that a crash leaves none behind. */
export interface StoredSample {
  state: Exclude<SampleState, 'absent'>;
  /** Thread ids of its events begin with it, and no others. */
  prefix: string;
  agentId: string | null;
  events: number;
  tabs: string[];
  cards: string[];
  /** Noted once they are made: a metric of the same name is somebody else's. */
  metrics: string[];
}

const AGENT = 'sample';
const BATCH_EVENTS = 2_500;
const VISIBLE_MS = 5_000;
/** A process that stopped meanwhile loads no longer. */
const LOADING_MS = 120_000;

export function sampleOf(fact: Pick<FirstHourFact, 'details'> | undefined): StoredSample | null {
  return (fact?.details as StoredSample | null | undefined) ?? null;
}

/** The demo's story in a workspace, under an agent of its own, until it is removed. */
export class SampleData {
  private readonly parts: SampleDataParts;
  private readonly loading = new Set<string>();

  constructor(parts: SampleDataParts) {
    this.parts = parts;
  }

  async get(caller: Caller): Promise<ShownSampleData> {
    requirePortal(caller, 'user');
    if (readsFewerEvents(caller)) return shownSample(undefined);
    return shownSample(await this.fact(caller));
  }

  /** Throws `conflict` while it is there, or being loaded or removed. All of it, or nothing. */
  async load(caller: Caller): Promise<ShownSampleData> {
    requirePortal(caller, 'administrator');
    const { store, audit, effects, onError } = this.parts;
    const { tenantId } = caller;
    const content = await this.parts.content();
    const sample = this.planned(content);
    const fact = { name: 'sample', at: effects.now(), details: { ...sample } } satisfies FirstHourFact;
    if (!(await store.note(tenantId, fact))) {
      throw conflict('The sample data is there, or is being loaded. Remove it to load it again.');
    }
    this.loading.add(tenantId);
    try {
      await this.fill(caller, content, { ...fact, sample });
    } catch (error) {
      await this.undo(tenantId, { ...fact, sample }).catch(onError);
      throw error;
    } finally {
      this.loading.delete(tenantId);
    }
    const { agentId, events } = sample;
    await audit.record(caller, tenantId, 'sample_data.loaded', agentId, { events });
    return this.get(caller);
  }

  /** Removes what `load` made and nothing else. Throws `not_found` without it. */
  async remove(caller: Caller): Promise<void> {
    requirePortal(caller, 'administrator');
    const { audit, effects } = this.parts;
    const { tenantId } = caller;
    const fact = await this.fact(caller);
    const sample = sampleOf(fact);
    if (!fact || !sample) throw notFound('There is no sample data.');
    const isLoading = this.loading.has(tenantId) || effects.now() - fact.at < LOADING_MS;
    if (sample.state === 'loading' && isLoading) {
      throw conflict('The sample data is being loaded. Remove it in a minute.');
    }
    const events = await this.undo(tenantId, { ...fact, sample });
    await audit.record(caller, tenantId, 'sample_data.removed', sample.agentId, { events });
  }

  private async fact({ tenantId }: Caller): Promise<FirstHourFact | undefined> {
    const [fact] = await this.parts.store.facts(tenantId, ['sample']);
    return fact;
  }

  private planned({ tabs }: SampleContent): StoredSample {
    const { newId } = this.parts.effects;
    return {
      state: 'loading',
      prefix: `sample-${newId()}-`,
      agentId: null,
      events: 0,
      tabs: tabs.map(newId),
      cards: tabs.flatMap(({ cards }) => cards.map(newId)),
      metrics: [],
    };
  }

  private async fill(caller: Caller, content: SampleContent, { sample, ...fact }: LoadedFact): Promise<void> {
    const { store, eventStore, events: sending, effects } = this.parts;
    const { tenantId } = caller;
    const save = () => store.change(tenantId, { ...fact, details: { ...sample } });
    const agentId = await this.freeAgent(caller);
    sample.agentId = agentId;
    const events = content.events({ now: effects.now(), prefix: sample.prefix, agentId });
    sample.events = events.length;
    await save();
    let receipt = '';
    for (let start = 0; start < events.length; start += BATCH_EVENTS) {
      const batch = events.slice(start, start + BATCH_EVENTS);
      ({ receipt } = await sending.ingest(caller, { events: batch }));
    }
    for (const { isApproved, ...metric } of content.metrics) {
      await this.parts.metrics.create(caller, metric);
      sample.metrics.push(metric.name);
      await save();
      if (isApproved) await this.parts.metrics.approve(caller, metric.name, 1);
    }
    await this.putCards(tenantId, content, sample);
    await eventStore.waitFor(receipt, VISIBLE_MS);
    sample.state = 'loaded';
    await save();
  }

  /** An agent that the tenant has not yet. */
  private async freeAgent(caller: Caller): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? AGENT : `${AGENT}-${number}`;
      try {
        return (await this.parts.agents.create(caller.tenantId, { name }, caller)).name;
      } catch (error) {
        if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
      }
    }
  }

  private async putCards(tenantId: string, { tabs }: SampleContent, sample: StoredSample): Promise<void> {
    const { dashboards, effects } = this.parts;
    const agentId = sample.agentId!;
    const now = effects.now();
    const times = { createdAt: now, updatedAt: now };
    const ids = sample.cards.values();
    for (const [index, { name, cards }] of tabs.entries()) {
      const tabId = sample.tabs[index]!;
      await dashboards.putTab(tenantId, { id: tabId, agentId, name, ...times });
      for (const card of cards) {
        const id = ids.next().value!;
        const identity = identityOf(card, id);
        await dashboards.putCard(tenantId, { ...card, id, agentId, tabId, idempotencyKey: id, identity, ...times });
      }
    }
  }

  /** Returns the number of events. Can be repeated after an interruption. */
  private async undo(tenantId: string, { sample, at }: LoadedFact): Promise<number> {
    const { store, eventStore, dashboards, metrics } = this.parts;
    for (const id of sample.cards) await dashboards.removeCard(tenantId, id);
    for (const id of sample.tabs) await dashboards.removeTab(tenantId, id);
    for (const name of sample.metrics) await metrics.removeSample(tenantId, name);
    const events = await eventStore.erase(tenantId, { threadPrefix: sample.prefix });
    if (sample.agentId !== null) await this.removeAgent(tenantId, sample.agentId);
    await this.untickEvent(tenantId);
    await store.forget(tenantId, 'sample', at);
    return events;
  }

  /** The first event was the sample's: one of the tenant's own is looked for again. */
  private async untickEvent(tenantId: string): Promise<void> {
    const { store, eventStore } = this.parts;
    const [step] = await store.facts(tenantId, ['event']);
    const known = await eventStore.knownEvents(tenantId, null);
    const isLeft = known.some(({ eventName }) => eventName === step?.details?.eventName);
    if (step && !isLeft) await store.forget(tenantId, 'event', step.at);
  }

  /** It stays where somebody has used it for something else. */
  private async removeAgent(tenantId: string, agentId: string): Promise<void> {
    const { eventStore, dashboards, agents } = this.parts;
    const left = await Promise.all([
      eventStore.knownEvents(tenantId, agentId),
      dashboards.listCardNames(tenantId, agentId),
      dashboards.listTabs(tenantId, agentId),
    ]);
    if (left.every((found) => found.length === 0)) await agents.remove(tenantId, agentId);
  }
}

type LoadedFact = Omit<FirstHourFact, 'details'> & { sample: StoredSample };

function shownSample(fact: FirstHourFact | undefined): ShownSampleData {
  const sample = sampleOf(fact);
  if (!fact || !sample) {
    return { state: 'absent', agentId: null, loadedAt: null, cards: null, metrics: [] };
  }
  const { state, agentId, cards, metrics } = sample;
  return { state, agentId, loadedAt: formatUtc(fact.at), cards: cards.length, metrics };
}
