import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RawPlan } from '../../../src/core/analytics/events/query-plan.ts';
import { planTable } from '../../../src/core/analytics/events/questions/plan.ts';
import type { Stage } from '../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../src/storage/events/duckdb/store.ts';
import { tableQuestion } from '../../reference/questions.ts';
import { type Filling, fillArrivals, fillBehindHole, fillRuns } from '../../storage/events/duckdb/filled.ts';
import { type Batch, eventsOf, type Line, OPTIONS } from './kill-points-load.ts';

const CHILD = fileURLToPath(new URL('./kill-points-child.ts', import.meta.url));
const TIMEOUT_MS = 30_000;
const TENANTS = ['tenant 0', 'tenant 1'];
const BULK = 'bulk';
const CONTEXT = { agentId: null, timezone: 'UTC', now: Date.now() };

interface Fate extends Batch {
  acknowledged: boolean;
  erased: boolean;
}

/** A directory whose owners are killed one after the other, and what it must hold. */
export class KilledStore {
  readonly directory: string;
  private readonly fates = new Map<string, Fate>();
  private bulk = 0;
  private lives = 0;

  private readonly afterKill: () => Promise<void>;

  /** `afterKill`: what else happens before the next start. */
  constructor(directory: string, afterKill = (): Promise<void> => Promise.resolve()) {
    this.directory = directory;
    this.afterKill = afterKill;
  }

  /** Lets a process run until it kills itself at a stage, or `afterMs` after it has opened the store; then looks. */
  async kill(t: TestContext, stage: Stage, nth: number, afterMs?: number): Promise<void> {
    this.lives += 1;
    const asked = afterMs === undefined ? nth : Number.MAX_SAFE_INTEGER;
    const child = spawn(process.execPath, [CHILD, this.directory, stage, String(asked), `life${this.lives}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const timeout = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS);
    const closed = once(child, 'close');
    const lines: Line[] = [];
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if ('opened' in line && afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs);
    }
    const [, signal] = await closed;
    clearTimeout(timeout);
    assert.equal(signal, 'SIGKILL', `${stage} was not reached ${nth} times`);
    await this.afterKill();
    this.note(lines);
    const interrupted = lines.findLast((line) => 'erasing' in line || 'erased' in line);
    await this.look(interrupted && 'erasing' in interrupted ? interrupted.erasing : null);
    const copying = lines.find((line) => 'copying' in line);
    if (copying && 'copying' in copying) await this.lookAtCopy(copying.copying, lines.indexOf(copying), lines);
  }

  async fillArrivals(): Promise<void> {
    this.bulk = (this.bulk || 1) + (await fillArrivals(this.filling()));
  }

  async fillRuns(): Promise<void> {
    this.bulk = (this.bulk || 1) + (await fillRuns(this.filling()));
  }

  async fillBehindHole(): Promise<void> {
    this.bulk = (this.bulk || 1) + (await fillBehindHole(this.filling()));
  }

  private filling(): Filling {
    const [event] = eventsOf({ tenantId: BULK, marker: 'bulk-0', size: 1, withIds: false });
    return {
      directory: this.directory,
      open: () => DuckdbEventStore.open({ directory: this.directory, ...OPTIONS }),
      first: { tenantId: BULK, event: event! },
    };
  }

  private note(lines: Line[]): void {
    for (const line of lines) {
      if ('fault' in line && !/conflict/i.test(line.fault)) assert.fail(line.fault);
      if ('sent' in line && !this.fates.has(line.sent.marker)) {
        this.fates.set(line.sent.marker, { ...line.sent, acknowledged: false, erased: false });
      }
      if ('acknowledged' in line) {
        const fate = this.fates.get(line.acknowledged)!;
        assert.equal(line.duplicates, fate.acknowledged ? fate.size : 0, `duplicates of ${fate.marker}`);
        fate.acknowledged = true;
      }
      if ('erased' in line) this.fates.get(line.erased)!.erased = true;
    }
  }

  private async look(erasing: string | null): Promise<void> {
    const store = await DuckdbEventStore.open({ directory: this.directory, ...OPTIONS });
    try {
      if (erasing !== null) {
        // Nobody was told whether it was done: whoever asked for it asks again.
        await store.erase('tenant 0', { threadId: erasing });
        this.fates.get(erasing)!.erased = true;
      }
      for (const tenantId of TENANTS) await this.checkTenant(store, tenantId, this.fatesOf(tenantId));
      if (this.bulk > 0) await this.checkBulk(store);
      await this.sendAgain(store);
      for (const tenantId of TENANTS) await this.checkTenant(store, tenantId, this.fatesOf(tenantId));
    } finally {
      await store.close();
    }
  }

  private async checkBulk(store: DuckdbEventStore): Promise<void> {
    const input = tableQuestion({ eventName: 'load', mode: 'aggregate', groupBy: 'eventName' });
    const { rows: groups } = await store.query(BULK, planTable(input, CONTEXT));
    assert.deepEqual(groups, [['load', this.bulk, null, false]]);
  }

  private async lookAtCopy(directory: string, began: number, lines: Line[]): Promise<void> {
    const before = new Set(
      lines.slice(0, began).flatMap((line) => ('acknowledged' in line ? [line.acknowledged] : [])),
    );
    const store = await DuckdbEventStore.open({ directory, ...OPTIONS });
    try {
      for (const tenantId of TENANTS) {
        const fates = this.fatesOf(tenantId).map((fate) => ({
          ...fate,
          acknowledged: fate.acknowledged && (before.has(fate.marker) || !fate.marker.startsWith(`life${this.lives}-`)),
        }));
        await this.checkTenant(store, tenantId, fates);
      }
    } finally {
      await store.close();
    }
  }

  private fatesOf(tenantId: string): Fate[] {
    return [...this.fates.values()].filter((fate) => fate.tenantId === tenantId);
  }

  private async checkTenant(store: DuckdbEventStore, tenantId: string, fates: Fate[]): Promise<void> {
    const { rows: found } = await store.query(tenantId, rows());
    const stored = new Map<string, string[]>();
    const all: Record<string, unknown>[] = [];
    for (const [id, properties] of found as [string, Record<string, unknown>][]) {
      assert.equal(properties.tenantId, tenantId, 'an event of another tenant');
      all.push(properties);
      const marker = String(properties.marker);
      stored.set(marker, [...(stored.get(marker) ?? []), id]);
    }
    const wrong = fates.flatMap(({ marker, size, acknowledged, erased }) => {
      const ids = stored.get(marker) ?? [];
      stored.delete(marker);
      const different = new Set(ids).size;
      const isWhole = ids.length === size && different === size;
      const isRight = erased ? ids.length === 0 : isWhole || (!acknowledged && ids.length === 0);
      return isRight
        ? []
        : [`${marker}: ${size} sent, ${ids.length} stored; acknowledged ${acknowledged}, erased ${erased}`];
    });
    assert.deepEqual(wrong, []);
    assert.deepEqual([...stored.keys()], [], 'nothing is stored that was not sent');
    const known = await store.knownEvents(tenantId, null);
    assert.equal(known[0]?.events ?? 0, found.length, 'the count of the name is the count of its events');
    await checkTyped(store, tenantId, all);
  }

  /** Every batch with ids again: what was stored is a duplicate, what was erased or never stored is new. */
  private async sendAgain(store: DuckdbEventStore): Promise<void> {
    const whole = new Map<string, number>();
    for (const tenantId of TENANTS) {
      for (const [, properties] of (await store.query(tenantId, rows())).rows as [string, { marker: string }][]) {
        whole.set(properties.marker, (whole.get(properties.marker) ?? 0) + 1);
      }
    }
    for (const fate of this.fates.values()) {
      if (!fate.withIds) {
        if (!whole.has(fate.marker)) this.fates.delete(fate.marker);
        continue;
      }
      const { duplicates } = await store.append(fate.tenantId, eventsOf(fate));
      assert.equal(duplicates, whole.get(fate.marker) ?? 0, `duplicates of ${fate.marker}, erased: ${fate.erased}`);
      Object.assign(fate, { acknowledged: true, erased: false });
    }
    const { receipt } = await store.append(TENANTS[0]!, []);
    assert.ok(await store.waitFor(receipt, 10_000));
  }
}

function rows(): RawPlan {
  return {
    kind: 'raw',
    selection: { agentId: null, eventNames: ['load'], from: null, to: null, predicates: [] },
    columns: [{ kind: 'event', name: 'id' }, { kind: 'properties' }],
    sort: { field: { kind: 'event', name: 'timestamp' }, descending: true },
    limit: 1_000_000,
    offset: 0,
  };
}

async function checkTyped(store: DuckdbEventStore, tenantId: string, events: Record<string, unknown>[]): Promise<void> {
  const keys = ['amount', 'whole', 'deep.er', 'mixed', 'grown 0', 'grown 29'];
  const metrics = keys.flatMap((propertyKey) =>
    (['sum', 'count', 'distinct_count'] as const).map((aggregation) => ({
      aggregation,
      propertyKey,
      alias: `${aggregation} ${propertyKey}`,
    })),
  );
  const plan = planTable(tableQuestion({ eventName: 'load', mode: 'aggregate', metrics }), CONTEXT);
  const [row] = (await store.query(tenantId, plan)).rows;
  const expected = keys.flatMap((key) => {
    const values = events.map((event) => (key === 'deep.er' ? (event.deep as { er: number }).er : event[key]));
    const present = values.filter((value) => value !== undefined);
    const numbers = present.filter((value) => typeof value === 'number');
    const sum = numbers.length === 0 ? null : numbers.reduce((total, value) => total + value, 0);
    return [sum, present.length, new Set(present.map((value) => JSON.stringify(value))).size];
  });
  assert.deepEqual(row?.slice(0, expected.length), expected);
}
