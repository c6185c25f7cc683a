import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { planTable } from '../../../../src/core/analytics/events/questions/plan.ts';
import type { FileEventStore, StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { withMethods } from '../../../../src/core/base/shared/with-methods.ts';
import { openEventsOnDemand } from '../../../../src/storage/events/duckdb/on-demand.ts';
import type { EventStoreOptions } from '../../../../src/storage/events/duckdb/store.ts';
import { type EventThread, openEventThread } from '../../../../src/storage/events/duckdb/thread.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { storeOptions } from '../../../support/event-store.ts';
import { eventually } from '../../../support/process.ts';

export interface Resting {
  store: FileEventStore;
  /** How often the event thread was started. */
  openings(): number;
  faults: Error[];
  /** Replaces what the thread does; the thread itself is the argument. */
  instead: { open?: () => Promise<void>; close?: (thread: EventThread) => Promise<void> };
  /** Closes the store as after a long time without a use, and waits for it. */
  rest(): Promise<void>;
}

/** The event store on demand with a real thread, which rests only when the test says so. Closed after the test. */
export async function openResting(
  t: TestContext,
  directory: string,
  options: Partial<EventStoreOptions> = {},
): Promise<Resting> {
  const faults: Error[] = [];
  const instead: Resting['instead'] = {};
  let openings = 0;
  let closings = 0;
  let mayRest = false;
  const openThread = async (...args: Parameters<typeof openEventThread>): Promise<EventThread> => {
    openings += 1;
    mayRest = false;
    await instead.open?.();
    const thread = await openEventThread(...args);
    return withMethods(thread, {
      isAtRest: async () => mayRest,
      close: async () => {
        closings += 1;
        await (instead.close?.(thread) ?? thread.close());
      },
    });
  };
  const observer = { onFault: (error: Error) => faults.push(error), onNotice: () => undefined };
  const settings = { restMs: 1, openThread };
  const store = await openEventsOnDemand(storeOptions(directory, options), observer, settings);
  t.after(() => store.close());
  const rest = async () => {
    const before = closings;
    mayRest = true;
    await eventually('the store closes', async () => closings > before, 10_000);
    // Answered once it is closed.
    await store.stats();
  };
  return { store, openings: () => openings, faults, instead, rest };
}

/** Appends events that are visible on return. */
export async function visible(store: FileEventStore, events: Partial<StoredEvent>[], tenantId = 't'): Promise<void> {
  const { receipt } = await store.append(tenantId, events.map(storedEvent));
  assert.equal(await store.waitFor(receipt, 10_000), true);
}

export async function count(store: FileEventStore, eventName = 'a', tenantId = 't'): Promise<number> {
  const context = { agentId: null, timezone: 'UTC', now: 1 };
  return (await store.query(tenantId, planTable(tableQuestion({ eventName, mode: 'aggregate' }), context))).matched;
}
