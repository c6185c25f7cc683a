import { askFeed, askFunnel, askKpi, askTable } from '../../src/core/analytics/events/questions/ask.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import type { Caller } from '../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { Refused } from './calendar.ts';
import type { Dataset } from './datasets.ts';
import { feed, funnel, kpi, table } from './evaluator.ts';
import type { Request } from './generators.ts';
import type { AgentData } from './selection.ts';
import type { ReferenceEvent } from './values.ts';

/** The event as ingestion passes it to a store. */
export function storedEvent({ properties, ...event }: ReferenceEvent): StoredEvent {
  return { ...event, idFromCaller: true, properties: JSON.stringify(properties) };
}

/** The answer by the contract; a string for a refusal. */
export function expectedAnswer(request: Request, dataset: Dataset): unknown {
  const agentData: AgentData = { ...dataset, agentId: request.agentId };
  try {
    switch (request.kind) {
      case 'table':
        return table(request.input, agentData);
      case 'kpi':
        return kpi(request.input, agentData);
      case 'funnel':
        return funnel(request.input, agentData);
      case 'feed':
        return feed(request.input, agentData);
    }
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

/** The product's answer; a string for a refusal. Other errors are thrown. */
export async function actualAnswer(store: EventStore, request: Request, dataset: Dataset): Promise<unknown> {
  const caller: Caller = {
    tenantId: dataset.tenantId,
    agentId: request.agentId,
    timezone: dataset.timezone,
    label: 'test',
    scopes: ['*'],
    credential: { kind: 'key', id: 'test' },
    userId: null,
    role: null,
  };
  const context = { store, caller, effects: { now: () => dataset.now } };
  try {
    switch (request.kind) {
      case 'table': {
        const { notes: _, ...answer } = await askTable(request.input, context);
        return answer;
      }
      case 'kpi':
        return await askKpi(request.input, context);
      case 'funnel':
        return (await askFunnel(request.input, context)).steps;
      case 'feed': {
        const { events, total } = await askFeed(request.input, context);
        return { events: events.map((text) => JSON.parse(text) as unknown), total };
      }
    }
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return 'refused';
    throw error;
  }
}

/**
 * The first difference of two answers, or null. Numbers may differ by rounding, but have at most 15
 * digits unless they are equal or whole. Types that the reference leaves open may differ.
 */
export function difference(actual: unknown, expected: unknown, path = ''): string | null {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const isClose = Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(actual), Math.abs(expected));
    const isShort = Number.isInteger(actual) || actual === Number(actual.toPrecision(15));
    return actual === expected || (isClose && isShort) ? null : `${path}: ${actual} instead of ${expected}`;
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    if (Object.is(actual, expected) || expected === 'any') return null;
    return `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: ${actual.length} items instead of ${expected.length}`;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = difference(ownMember(actual, key), ownMember(expected, key), `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
}

function ownMember(container: object, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;
}
