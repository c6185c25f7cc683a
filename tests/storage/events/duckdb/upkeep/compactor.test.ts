import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { answer } from '../../../../../src/storage/events/compile/answer.ts';
import { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import type { StoreObserver } from '../../../../../src/storage/events/duckdb/observer.ts';
import { duckdbEngine } from '../../../../../src/storage/events/duckdb/read/engine.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { COMPACTING_DIRECTORY } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';
import { fillBehindHole, SMALL } from '../filled.ts';

test('Compactor: the file loses its free space, and no event of before or meanwhile', async (t) => {
  const { directory, first } = await withFreeSpace(t);
  const sizes = await opened(t, directory, async (store) => {
    const before = await contents(store);
    let sent = 0;
    let lowest = before.matched;
    let isDone = false;
    const asking = (async () => {
      for (; !isDone; await nextTurn()) {
        const { matched } = await contents(store);
        assert.ok(matched >= lowest, `${matched} events after ${lowest}`);
        lowest = matched;
      }
    })();
    const sending = (async () => {
      for (; !isDone; await nextTurn()) {
        // Another key and another tenant each time: names and columns are learned meanwhile.
        const id = `sent ${sent++}`;
        const event = {
          ...first,
          id,
          idFromCaller: true,
          properties: JSON.stringify({ n: sent, [`key ${sent % 20}`]: true }),
        };
        await store.append('kept', [storedEvent(event)], 1);
        await store.append(`tenant ${sent % 5}`, [storedEvent({ ...event, eventName: 'other' })], 1);
      }
    })();
    const compacted = await store.compact().finally(() => {
      isDone = true;
    });
    await Promise.all([asking, sending]);
    await store.settle();
    assert.ok(sent > 0);
    const after = await contents(store);
    assert.deepEqual(after, { matched: before.matched + sent, sum: (sent * (sent + 1)) / 2 });
    const { duplicates } = await store.append('kept', [storedEvent({ ...first, id: 'sent 0', idFromCaller: true })]);
    assert.equal(duplicates, 1);
    assert.equal((await store.knownProperties('kept', null, ['a'])).length, 1 + Math.min(sent, 20));
    const { backlog, tenants } = await store.stats();
    assert.deepEqual([backlog.batches, tenants], [0, 1 + Math.min(sent, 5)]);
    return { compacted, after };
  });
  const { before, after } = sizes.compacted;
  assert.ok(after < before / 2, `${before} bytes before, ${after} after`);
  assert.ok(!existsSync(join(directory, COMPACTING_DIRECTORY)));
  await opened(t, directory, async (store) => {
    assert.deepEqual(await contents(store), sizes.after);
    const again = await store.compact();
    assert.ok(again.after >= again.before * 0.7, 'nothing more is free');
  });
});

test('Compactor: events that are erased during a copy do not come back', async (t) => {
  const { directory, first } = await withFreeSpace(t);
  let copies = 0;
  const onStage: StoreObserver['onStage'] = (stage) => {
    if (stage === 'compact:copied') copies += 1;
  };
  const store = await DuckdbEventStore.open(storeOptions(directory), { onStage });
  t.after(() => store.close());
  await store.append('others', [storedEvent({ ...first })]);
  const [, erased] = await Promise.all([store.compact(), store.erase('kept', {})]);
  assert.equal(erased, SMALL + 1);
  assert.equal(copies, 2, 'the first copy was thrown away');
  assert.equal((await contents(store)).matched, 0);
  assert.equal((await contents(store, 'others')).matched, 1);
  await assert.rejects(Promise.all([store.compact(), store.compact()]), { code: 'conflict' });
});

test('Compactor: a store that closes during a copy keeps its file', async (t) => {
  const { directory } = await withFreeSpace(t);
  const store = await DuckdbEventStore.open(storeOptions(directory));
  const before = await contents(store);
  const refused = assert.rejects(store.compact());
  await nextTurn();
  await store.close();
  await refused;
  await opened(t, directory, async (next) => assert.deepEqual(await contents(next), before));
});

/** Events of tenant `kept` in a file that is mostly free. */
async function withFreeSpace(t: TestContext) {
  const directory = temporaryDirectory(t);
  const open = () => DuckdbEventStore.open(storeOptions(directory, { dedupWindowMs: 60_000 }));
  const first: StoredEvent = storedEvent({ id: 'first', eventName: 'a', timestamp: 1, properties: '{}' });
  await fillBehindHole({ directory, open, first: { tenantId: 'kept', event: first } });
  return { directory, first };
}

async function opened<Result>(t: TestContext, directory: string, use: (store: DuckdbEventStore) => Promise<Result>) {
  const onFault = (error: unknown) => t.diagnostic(String(error));
  const store = await DuckdbEventStore.open(storeOptions(directory, { dedupWindowMs: 60_000 }), { onFault });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function contents(store: DuckdbEventStore, tenantId = 'kept') {
  const metrics = [{ alias: 'sum', aggregation: 'sum', propertyKey: 'n' }];
  const question = tableQuestion({ eventName: 'a', mode: 'aggregate', metrics });
  const plan = planTable(question, { agentId: null, timezone: 'UTC', now: Date.now() });
  const { matched, rows } = await store.query(tenantId, plan);
  return { matched, sum: Number(rows[0]?.[0] ?? 0) };
}

const ROW_GROUP = 122_880;
const ROUNDS = 3;
const READERS = 4;
const KEPT = 1;
const REMOVED = 2;

const PAGE: RawPlan = {
  kind: 'raw',
  selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
  columns: [{ kind: 'event', name: 'id' }, { kind: 'properties' }],
  sort: { field: { kind: 'event', name: 'id' }, descending: false },
  limit: 200,
  offset: 0,
};

rareTest('DuckdbEventStore: a page by another field is complete during a checkpoint', async (t) => {
  const path = join(temporaryDirectory(t), 'events.duckdb');
  const database = await AnalyticsDatabase.open(path, { readers: READERS, memoryLimit: '512MB' });
  t.after(() => database.close());
  const insert = (tenant: number, from: number, count: number) =>
    database.writer.run(
      `INSERT INTO hot (tenant, run, epoch, agent_id, event_name, timestamp, id, properties)
      SELECT ${tenant}, 0, 1, 'support', 'a', 0, format('{:09d}', range), json_object('number', range)
      FROM range(${from}, ${from + count})`,
    );
  const expected = Array.from({ length: PAGE.limit }, (_, number) => [`${number}`.padStart(9, '0'), { number }]);
  for (let round = 0; round < ROUNDS; round += 1) {
    await insert(REMOVED, 0, 2 * ROW_GROUP);
    // Of one time and more than a row group: each row number will belong to another event.
    await insert(KEPT, 0, 20_000);
    await database.writer.run(`DELETE FROM hot WHERE tenant = ${REMOVED}`);
    let isDone = false;
    const asking = Array.from({ length: READERS }, async () => {
      while (!isDone) {
        const { rows } = await database.read(
          (connection, { layout }) => answer(duckdbEngine(connection, { tenant: KEPT, paths: null, layout }), PAGE),
          { timeoutMs: 10_000 },
        );
        assert.deepEqual(rows, expected);
      }
    });
    await database.writer.run('CHECKPOINT').finally(() => {
      isDone = true;
    });
    await Promise.all(asking);
    await database.writer.run('TRUNCATE hot');
  }
});
