import { TimeSlices } from '../../base/concurrency/time-slices.ts';
import { reaches, readsFewerEvents } from '../../base/filters/limits.ts';
import type { Reader } from '../../base/shared/caller.ts';
import { outside, RuntimeError } from '../../base/shared/errors.ts';
import { withMethods } from '../../base/shared/with-methods.ts';
import type { MetricSource, SegmentSource } from '../events/questions/question.ts';
import { requireDefinitionWithin } from '../events/questions/within.ts';
import type { DashboardStore, StoredCard } from './store.ts';

interface HeldParts {
  metrics: Pick<MetricSource, 'resolve'>;
  segments: Pick<SegmentSource, 'resolve'>;
}

/**
 * The dashboards of a caller with limits: lists leave out cards and tabs of other agents and cards
 * whose question leaves the limits; by id these are `forbidden`.
 */
export function dashboardsWithin(store: DashboardStore, reader: Reader, parts: HeldParts): DashboardStore {
  if (!readsFewerEvents(reader)) return store;
  const requireAgent = ({ agentId }: { agentId: string }) => {
    if (!reaches(reader, 'agents', agentId)) throw outside('agents', 'an agent');
  };
  const sources = { metrics: resolvedOnce(parts.metrics), segments: resolvedOnce(parts.segments) };
  const requireWithin = async (card: StoredCard) => {
    requireAgent(card);
    await requireDefinitionWithin(reader, card.config, sources);
  };
  const findCard = async (tenantId: string, id: string) => {
    const card = await store.findCard(tenantId, id);
    if (card) await requireWithin(card);
    return card;
  };
  const cardOfIdentity = async (tenantId: string, agentId: string, identity: string) => {
    const card = await store.cardOfIdentity(tenantId, agentId, identity);
    if (card) await requireWithin(card);
    return card;
  };
  const findTab = async (tenantId: string, id: string) => {
    const tab = await store.findTab(tenantId, id);
    if (tab) requireAgent(tab);
    return tab;
  };
  const listCards = async (tenantId: string, agentId: string | null) => {
    const within: StoredCard[] = [];
    const slices = new TimeSlices();
    for (const card of await store.listCards(tenantId, agentId)) {
      if (await requireWithin(card).then(() => true, isRefusal)) within.push(card);
      if (slices.isOver) await slices.pause();
    }
    return within;
  };
  const held: Partial<DashboardStore> = {
    findCard,
    cardOfIdentity,
    findTab,
    listCards,
    listCardNames: async (tenantId, agentId) =>
      (await listCards(tenantId, agentId)).map(({ id, title, cardType, tabId }) => ({ id, title, cardType, tabId })),
    listTabs: async (tenantId, agentId) =>
      (await store.listTabs(tenantId, agentId)).filter((tab) => reaches(reader, 'agents', tab.agentId)),
    putCard: async (tenantId, card, ...change) => {
      await cardOfIdentity(tenantId, card.agentId, card.identity);
      return store.putCard(tenantId, card, ...change);
    },
    changeCard: async (tenantId, id, ...change) =>
      (await findCard(tenantId, id)) && store.changeCard(tenantId, id, ...change),
    removeCard: async (tenantId, id, ...change) =>
      (await findCard(tenantId, id)) && store.removeCard(tenantId, id, ...change),
    changeTab: async (tenantId, id, ...change) =>
      (await findTab(tenantId, id)) && store.changeTab(tenantId, id, ...change),
    removeTab: async (tenantId, id) => (await findTab(tenantId, id)) !== null && store.removeTab(tenantId, id),
  };
  return withMethods(store, held);
}

/** Many cards of a list name the same. */
function resolvedOnce<Found>(source: { resolve(reader: Reader, name: string): Promise<Found> }) {
  const found = new Map<string, Promise<Found>>();
  return {
    resolve(reader: Reader, name: string): Promise<Found> {
      const one = found.get(name) ?? source.resolve(reader, name);
      found.set(name, one);
      return one;
    },
  };
}

/** False for what lies outside; other errors stay. */
function isRefusal(error: unknown): false {
  if (error instanceof RuntimeError && error.code === 'forbidden') return false;
  throw error;
}
