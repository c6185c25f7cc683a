import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawPlan } from '../../../../src/core/analytics/events/query-plan.ts';
import { planTable } from '../../../../src/core/analytics/events/questions/plan.ts';
import type { EventsQuery } from '../../../../src/core/analytics/events/schema.ts';
import type { StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import type { DuckdbObserver } from '../../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { fillArrivals, fillRuns } from './filled.ts';

/*
 * All operations at once on one store. All batches have the same size, thread and time, so that in
 * every snapshot the number of events is a multiple of that size: a batch that is half visible, or
 * twice, is noticed.
 */

const BATCH = 10;
const OPTIONS = { dedupWindowMs: 86_400_000, queryTimeoutMs: 20_000, memoryLimit: 512e6, backlogLimit: 1e8 };
/** Only its position in the tables ever changes. */
const STILL = 'still';
const GROWING = ['growing 0', 'growing 1'];
const ERASED = 'erased';
const TIMEOUT_MS = 40_000;
const CONTEXT = { agentId: null, timezone: 'UTC', now: Date.now() };

interface Sums {
  events: number;
  /** The `matched` of the answer. */
  matched: number;
}

export class Races {
  private readonly t: TestContext;
  private readonly directory: string;
  private readonly stages = new Set<string>();
  private readonly sent = new Map<string, number>();
  private readonly copies: string[] = [];
  private store!: DuckdbEventStore;
  private still = 0;
  private batches = 0;
  private until = 0;

  constructor(t: TestContext) {
    this.t = t;
    this.directory = temporaryDirectory(t);
  }

  async run(seconds: number): Promise<void> {
    await this.fill();
    const onStage: DuckdbObserver['onStage'] = (stage) => {
      this.stages.add(stage);
    };
    this.store = await this.open({ onStage });
    this.t.after(() => this.store.close());
    this.until = Number.POSITIVE_INFINITY;
    const busy = [
      this.endAfter(seconds),
      ...GROWING.map((tenantId) => this.repeatedly(5, () => this.append(tenantId))),
      ...GROWING.map((tenantId) => this.watch(tenantId)),
      this.repeatedly(0, () => this.askStill()),
      this.repeatedly(0, () => this.askStill()),
      this.repeatedly(10, () => this.append(ERASED)),
      this.repeatedly(0, () => this.askErased()),
      this.afterCompaction(60, () => this.remove()),
      this.afterCompaction(1_500, () => this.copy()),
      this.repeatedly(20, () => this.askRows(GROWING[0]!)),
      this.repeatedly(20, () => this.askRows(ERASED)),
    ];
    await Promise.all(busy);
    for (const stage of ['sort:committed', 'merge:committed', 'erase:committed', 'copy:made']) {
      assert.ok(this.stages.has(stage), `${stage} was not reached`);
    }
    await this.checkAfterwards();
  }

  private async fill(): Promise<void> {
    const event = (tenantId: string) => this.event(tenantId, 0, 0);
    const filling = {
      directory: this.directory,
      open: () => this.open(),
      first: { tenantId: STILL, event: event(STILL) },
    };
    this.still = 1 + (await fillRuns(filling)) + (await fillArrivals(filling));
  }

  private open(watching: Partial<DuckdbObserver> = {}, directory = this.directory): Promise<DuckdbEventStore> {
    const onFault = (error: unknown) => {
      if (!isExpected(error)) this.t.diagnostic(String(error));
    };
    return DuckdbEventStore.open({ directory, ...OPTIONS }, { onFault, ...watching });
  }

  private async repeatedly(pauseMs: number, use: () => Promise<unknown>): Promise<void> {
    while (Date.now() < this.until) {
      await use().catch((error: unknown) => {
        if (!isExpected(error)) throw error;
      });
      await sleep(pauseMs);
    }
  }

  /** Removals and copies interrupt compaction: it runs first here. */
  private async afterCompaction(pauseMs: number, use: () => Promise<unknown>): Promise<void> {
    while (!this.isCompacted() && Date.now() < this.until) await sleep(20);
    await this.repeatedly(pauseMs, use);
  }

  /** Milliseconds after compaction has run. */
  private async endAfter(seconds: number): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!this.isCompacted() && Date.now() < deadline) await sleep(20);
    this.until = Date.now() + seconds * 1_000;
  }

  private isCompacted(): boolean {
    return this.stages.has('sort:committed') && this.stages.has('merge:committed');
  }

  private async append(tenantId: string): Promise<void> {
    const batch = ++this.batches;
    this.sent.set(tenantId, (this.sent.get(tenantId) ?? 0) + BATCH);
    await this.store.append(
      tenantId,
      Array.from({ length: BATCH }, (_, index) => this.event(tenantId, batch, index)),
    );
  }

  /** New keys, and new kinds of values for one of them, all the time. */
  private event(tenantId: string, batch: number, index: number): StoredEvent {
    const mixed = [index, 0.5, 'text', true, { index }][batch % 5];
    const properties = { tenantId, amount: 1, group: index % 3, mixed, [`key ${batch % 60}`]: mixed };
    return storedEvent({
      id: `${tenantId} ${batch} ${index}`,
      idFromCaller: true,
      timestamp: batch,
      threadId: `thread ${batch % 50}`,
      properties: JSON.stringify(properties),
    });
  }

  /** A count that only grows never shrinks, and is never above what was sent. */
  private async watch(tenantId: string): Promise<void> {
    let before = 0;
    await this.repeatedly(0, async () => {
      const { events, matched } = await this.sums(tenantId);
      assert.equal(matched, events);
      assert.ok(events >= before, `${tenantId}: ${events} events after ${before}`);
      assert.ok(events <= (this.sent.get(tenantId) ?? 0));
      before = events;
      const known = await this.store.knownEvents(tenantId, null);
      assert.ok((known[0]?.events ?? 0) >= before, 'what a name counts is what its events are');
    });
  }

  private async askStill(): Promise<void> {
    const whole = plan({ eventName: 'a', mode: 'aggregate', groupBy: 'eventName' });
    const { matched, rows } = await this.store.query(STILL, whole);
    assert.equal(matched, this.still);
    assert.deepEqual(rows, [['a', this.still, null, false]]);
  }

  private async askErased(): Promise<void> {
    const { events, matched } = await this.sums(ERASED);
    assert.equal(matched, events);
    const known = await this.store.knownEvents(ERASED, null);
    assert.equal((known[0]?.events ?? 0) % BATCH, 0);
  }

  /** Counted in three ways by one plan, and only of this tenant. */
  private async sums(tenantId: string): Promise<Sums> {
    const metrics = [
      { aggregation: 'count', alias: 'events' },
      { aggregation: 'sum', propertyKey: 'amount', alias: 'sum' },
      { aggregation: 'count', propertyKey: 'mixed', alias: 'mixed' },
    ];
    const grouped = plan({ eventName: 'a', mode: 'aggregate', groupBy: ['tenantId', 'group'], metrics });
    const { rows, matched } = await this.store.query(tenantId, grouped);
    let events = 0;
    for (const [owner, , count, sum, mixed] of rows as [string, number, number, number, number][]) {
      assert.equal(owner, tenantId);
      assert.deepEqual([sum, mixed], [count, count]);
      events += count;
    }
    assert.equal(events % BATCH, 0, `${tenantId}: part of a batch in ${events} events`);
    return { events, matched };
  }

  private async askRows(tenantId: string): Promise<void> {
    const sortField = this.batches % 2 === 0 ? ('timestamp' as const) : ('id' as const);
    const { rows, total, matched } = await this.store.query(tenantId, page(sortField));
    assert.equal(total, matched);
    assert.equal(total % BATCH, 0, `${total} rows`);
    assert.equal(rows.length, Math.min(total, 200));
    assert.equal(new Set(rows.map(([id]) => id)).size, rows.length, 'no event twice');
    for (const [id, properties] of rows as [string, { tenantId: string }][]) {
      assert.equal(properties.tenantId, tenantId, id);
    }
  }

  private async remove(): Promise<void> {
    const turn = this.batches;
    if (turn % 7 === 0) await this.store.erase(ERASED, {});
    else if (turn % 3 === 0) await this.store.expire(ERASED, turn - 100);
    else await this.store.erase(ERASED, { threadId: `thread ${turn % 50}` });
  }

  private async copy(): Promise<void> {
    const to = temporaryDirectory(this.t);
    await this.store.copyTo(to);
    this.copies.push(to);
  }

  private async checkAfterwards(): Promise<void> {
    await this.store.close();
    this.store = await this.open();
    for (const tenantId of GROWING) assert.equal((await this.sums(tenantId)).events, this.sent.get(tenantId));
    await this.askStill();
    await this.askErased();
    await this.store.close();
    for (const directory of this.copies) {
      this.store = await this.open({}, directory);
      for (const tenantId of [...GROWING, ERASED]) await this.sums(tenantId);
      await this.askStill();
      await this.store.close();
    }
  }
}

function plan(input: Partial<Record<keyof EventsQuery, unknown>>) {
  return planTable(tableQuestion(input), CONTEXT);
}

function page(name: 'timestamp' | 'id'): RawPlan {
  return {
    kind: 'raw',
    selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
    columns: [{ kind: 'event', name: 'id' }, { kind: 'properties' }],
    sort: { field: { kind: 'event', name }, descending: true },
    limit: 200,
    offset: 0,
  };
}

function isExpected(error: unknown): boolean {
  return error instanceof RuntimeError && ['unavailable', 'timeout'].includes(error.code);
}
