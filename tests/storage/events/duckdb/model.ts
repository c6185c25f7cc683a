import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { KINDS } from '../../../../src/storage/events/duckdb/tables.ts';
import { sampleDataset } from '../../../contracts/questions/differential.ts';
import type { Dataset } from '../../../reference/datasets.ts';
import { actualAnswer, difference, expectedAnswer, storedEvent } from '../../../reference/differential.ts';
import { type Request, requestArbitrary } from '../../../reference/generators.ts';
import type { ReferenceEvent } from '../../../reference/values.ts';
import { ChangingStore, JUNK_NAME, junkEvent } from './states.ts';

/*
 * Model-based test: random operations on a store and on a plain list of events. Names, counts,
 * duplicates and answers must be equal.
 */

/** The operations; `share` and `size` select among the events of the tenant. */
interface Operation {
  kind: 'append' | 'resend' | 'sort' | 'merge' | 'reopen' | 'junk' | 'expire' | 'erase thread' | 'erase tenant' | 'ask';
  tenant: number;
  share: number;
  size: number;
}

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('append' as const) },
    { weight: 3, arbitrary: fc.constantFrom('resend' as const, 'sort' as const, 'ask' as const) },
    { weight: 3, arbitrary: fc.constantFrom('merge' as const, 'reopen' as const, 'junk' as const) },
    { weight: 2, arbitrary: fc.constantFrom('expire' as const, 'erase thread' as const) },
    { weight: 1, arbitrary: fc.constantFrom('erase tenant' as const, 'ask' as const) },
  ),
  tenant: fc.nat(1),
  share: fc.double({ min: 0, max: 0.999, noNaN: true }),
  size: fc.integer({ min: 1, max: 30 }),
});

class Model {
  readonly pool: Dataset;
  live: ReferenceEvent[] = [];
  readonly ids = new Set<string>();
  sent = 0;
  junk = 0;

  constructor(pool: Dataset) {
    this.pool = pool;
  }

  /** Adds events; returns the number of duplicates. */
  add(events: ReferenceEvent[]): number {
    const fresh = events.filter(({ id }) => !this.ids.has(id));
    for (const { id } of fresh) this.ids.add(id);
    this.live.push(...fresh);
    return events.length - fresh.length;
  }

  /** Removes events; returns their number. */
  remove(isRemoved: (event: ReferenceEvent) => boolean): ReferenceEvent[] {
    const removed = this.live.filter(isRemoved);
    this.live = this.live.filter((event) => !isRemoved(event));
    return removed;
  }

  names(): string[] {
    const names = new Map<string, { events: number; first: number; last: number }>();
    for (const { agentId, eventName, timestamp } of this.live) {
      const name = JSON.stringify([agentId, eventName]);
      const { events, first, last } = names.get(name) ?? { events: 0, first: timestamp, last: timestamp };
      names.set(name, { events: events + 1, first: Math.min(first, timestamp), last: Math.max(last, timestamp) });
    }
    return [...names].map(([name, { events, first, last }]) => `${name} ${events} ${first} ${last}`).sort();
  }
}

class ModelRun {
  private readonly changing: ChangingStore;
  private readonly models: Model[];
  private readonly seed: number;
  private steps = 0;

  constructor(changing: ChangingStore, models: Model[], seed: number) {
    this.changing = changing;
    this.models = models;
    this.seed = seed;
  }

  async take({ kind, tenant, share, size }: Operation): Promise<void> {
    const model = this.models[tenant]!;
    const { tenantId, events } = model.pool;
    const { store } = this.changing;
    this.steps += 1;
    switch (kind) {
      case 'append': {
        const batch = events.slice(model.sent, model.sent + size);
        model.sent += batch.length;
        assert.equal(await this.changing.append(tenantId, batch.map(storedEvent)), model.add(batch));
        break;
      }
      case 'resend': {
        const from = Math.floor(share * model.sent);
        const batch = events.slice(from, Math.min(from + size, model.sent));
        assert.equal(await this.changing.append(tenantId, batch.map(storedEvent)), model.add(batch), 'duplicates');
        break;
      }
      case 'junk':
        await this.changing.append(tenantId, [junkEvent([KINDS[size % KINDS.length]!], { dotted: size % 2 === 0 })]);
        model.junk += 1;
        break;
      case 'expire': {
        const before = model.live[Math.floor((share * model.live.length) / 3)]?.timestamp ?? 1;
        const junk = before > 0 ? model.junk : 0;
        const removed = model.remove(({ timestamp }) => timestamp < before).length;
        if (removed + junk > 0) assert.ok(tenantId in (await store.expiring(before)), 'expiring');
        assert.equal(await store.expire(tenantId, before), removed + junk, 'expired');
        model.junk -= junk;
        break;
      }
      case 'erase thread': {
        const threadId = model.live[Math.floor(share * model.live.length)]?.threadId ?? 'no thread';
        const removed = model.remove((event) => event.threadId === threadId);
        assert.equal(await store.erase(tenantId, { threadId }), removed.length, 'erased');
        for (const { id } of removed) model.ids.delete(id);
        break;
      }
      case 'erase tenant':
        assert.equal(await store.erase(tenantId, {}), model.remove(() => true).length + model.junk, 'erased');
        model.ids.clear();
        model.junk = 0;
        break;
      case 'ask':
        for (const one of this.models) await this.ask(one, size);
        break;
      default:
        await this.changing[kind]();
    }
    await this.checkNames();
  }

  async ask(model: Model, count: number): Promise<void> {
    const { pool } = model;
    const live = { ...pool, events: model.live };
    for (const request of fc.sample(requestArbitrary(pool), { seed: this.seed + this.steps, numRuns: count })) {
      if (listsKeys(request)) continue;
      const actual = withoutTypes(await actualAnswer(this.changing.store, request, live));
      const found = difference(actual, withoutTypes(expectedAnswer(request, live)));
      if (found !== null) throw new Error(`${pool.tenantId}: ${found}\n${JSON.stringify(request)}`);
    }
  }

  /** Checks names, counts and times of every tenant against the remaining events. */
  private async checkNames(): Promise<void> {
    for (const model of this.models) {
      const known = await this.changing.store.knownEvents(model.pool.tenantId, null);
      const shown = known
        .filter(({ eventName }) => eventName !== JUNK_NAME)
        .map((one) => `${JSON.stringify([one.agentId, one.eventName])} ${one.events} ${one.firstSeen} ${one.lastSeen}`);
      assert.deepEqual(shown.sort(), model.names());
      const junk = known.find(({ eventName }) => eventName === JUNK_NAME)?.events ?? 0;
      assert.equal(junk, model.junk);
    }
  }
}

export async function runRandomly(t: TestContext, options: { seed: number; numRuns: number; operations: number }) {
  const { seed, numRuns, operations } = options;
  t.diagnostic(`DIFFERENTIAL_SEED=${seed}`);
  const sequence = fc.array(operation, { minLength: operations, maxLength: operations, size: 'max' });
  const property = fc.asyncProperty(sequence, async (steps) => {
    const pools = [0, 1].map((index) => sampleDataset(index, { seed, runs: 0, datasets: 2, eventsPerDataset: 400 }));
    const models = pools.map((pool) => new Model(pool));
    const changing = await ChangingStore.open(t);
    const run = new ModelRun(changing, models, seed);
    for (const step of steps) await run.take(step);
    for (const model of models) await run.ask(model, 30);
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
}

/**
 * Keys and types of a name stay listed while it has events, even if the events with them are gone.
 */
function listsKeys({ kind, input }: Request): boolean {
  return kind === 'table' && input.mode !== 'aggregate' && input.columns === undefined;
}

function withoutTypes(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value) => (key === 'columns' ? undefined : value));
}
