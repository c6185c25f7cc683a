import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { EventStore } from '../../../../../src/core/analytics/events/store.ts';
import type { Clickhouse } from '../../../../../src/storage/events/clickhouse/client.ts';
import type { Stage } from '../../../../../src/storage/events/clickhouse/observer.ts';
import { FLUSH_LEASE, Flusher } from '../../../../../src/storage/events/clickhouse/write/flusher.ts';
import { appendBatches } from '../../../../../src/storage/events/clickhouse/write/spool.ts';
import { NO_OBSERVER } from '../../../../../src/storage/events/shared/observer.ts';
import { packBatch } from '../../../../../src/storage/events/shared/packed-batch.ts';
import { openPostgres } from '../../../../../src/storage/state/postgres/database.ts';
import { takeLease } from '../../../../../src/storage/state/postgres/leases.ts';
import { CONTEXT, storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { eventually } from '../../../../support/process.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openNode, type Place, skip, startEngines, useEngines } from '../places.ts';

const engines = useEngines();

async function count(store: EventStore, eventName = 'a'): Promise<number> {
  return (await store.query('t', planTable(tableQuestion({ eventName, mode: 'aggregate' }), CONTEXT))).matched;
}

async function late(store: EventStore, tenantId = 't'): Promise<{ lateSince: number } | null> {
  const plan = planTable(tableQuestion({ eventName: 'a', mode: 'aggregate' }), CONTEXT);
  const { lateSince } = await store.query(tenantId, plan);
  return lateSince === undefined ? null : { lateSince };
}

function hold(at: Stage) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    onStage: async (stage: Stage) => {
      if (stage !== at || isHeld) return;
      isHeld = true;
      reached.resolve();
      await released.promise;
    },
  };
}

/** Rows of the table itself, also those that are not visible. */
async function rowsOf({ clickhouseUrl }: Place): Promise<number> {
  const [[rows]] = (await (
    await engines()
  ).clickhouse.rows(clickhouseUrl, 'SELECT count() FROM {database}.events')) as [[number]];
  return Number(rows);
}

async function opened(t: TestContext, place: Place, ...options: [object?, object?]) {
  const store = await openNode(place, ...options);
  t.after(() => store.close());
  return store;
}

for (const [stage, define] of [
  ['flush:marked', test],
  ['flush:inserted', rareTest],
] as const) {
  define(`Flusher: a node that lost its lease at ${stage} changes nothing when it goes on`, { skip }, async (t) => {
    const place = await (await engines()).place();
    const held = hold(stage);
    const faults: unknown[] = [];
    const onFault = (error: unknown) => faults.push(error);
    // Its lease ends soon, as that of a process that sleeps.
    const zombie = await opened(t, place, { leaseMs: 60 }, { onStage: held.onStage, onFault });
    await zombie.append('t', [storedEvent(), storedEvent(), storedEvent({ threadId: 'erased' })]);
    await held.reached;
    const other = await opened(t, place);
    await other.settle();
    assert.equal(await count(other), 3);
    await other.erase('t', { threadId: 'erased' });
    await other.append('t', [storedEvent()]);
    await other.settle();
    held.release();
    const { receipt } = await zombie.append('t', [storedEvent()]);
    assert.equal(await zombie.waitFor(receipt, 10_000), true);
    assert.deepEqual([await count(other), await count(zombie), await rowsOf(place)], [4, 4, 4]);
    assert.equal((await other.knownEvents('t', null))[0]?.events, 4);
    assert.deepEqual(faults, []);
  });
}

test('Flusher: a retry finds what it inserted though the engine forgot its token', { skip }, async (t) => {
  const place = await (await engines()).place();
  const first = await opened(t, place);
  await first.append('t', [storedEvent()]);
  await first.settle();
  await (await engines()).clickhouse.rows(
    place.clickhouseUrl,
    'ALTER TABLE {database}.events MODIFY SETTING non_replicated_deduplication_window = 0',
  );
  await first.close();
  let fails = true;
  const failing = await opened(
    t,
    place,
    {},
    {
      onStage: (stage: Stage) => {
        if (stage === 'flush:inserted' && fails) throw new Error('Ended here.');
      },
    },
  );
  await failing.append('t', [storedEvent(), storedEvent()]);
  await eventually('the failure is noticed', async () => (await failing.stats()).failingSince !== null, 10_000);
  assert.equal(await count(failing), 1, 'what is not finished is not visible');
  const { lateSince } = (await eventually('the answer says so', () => late(failing), 10_000)).found;
  assert.ok(Math.abs(Date.now() - lateSince) < 20_000);
  assert.ok(await late(failing, 'a tenant without events'), 'its first ones may be what waits');
  fails = false;
  const { receipt } = await failing.append('t', [storedEvent()]);
  assert.equal(await failing.waitFor(receipt, 20_000), true);
  assert.deepEqual([await count(failing), await rowsOf(place)], [4, 4]);
  assert.equal((await failing.knownEvents('t', null))[0]?.events, 4);
  assert.equal(await late(failing), null);
});

rareTest('Flusher: while ClickHouse is away events are accepted, and questions unavailable', async (t) => {
  const away = await startEngines(t);
  const place = await away.place();
  const store = await opened(t, place);
  await store.append('t', [storedEvent()]);
  await store.settle();
  await away.clickhouse.stop();
  const { receipt } = await store.append('t', [storedEvent({ id: 'mine', idFromCaller: true })]);
  await assert.rejects(count(store), { code: 'unavailable' });
  await assert.rejects(store.settle(), { code: 'unavailable' });
  assert.equal((await store.append('t', [storedEvent({ id: 'mine', idFromCaller: true })])).duplicates, 1);
  // A node may start meanwhile.
  const other = await openNode(place);
  t.after(() => other.close());
  await other.append('t', [storedEvent()]);
  assert.equal((await other.stats()).backlog.batches, 2);
  await away.clickhouse.start();
  assert.equal(await store.waitFor(receipt, 30_000), true);
  await other.settle();
  assert.deepEqual([await count(store), await count(other)], [3, 3]);
});

rareTest('Flusher: PostgreSQL may restart in the middle of a flush', async (t) => {
  const away = await startEngines(t);
  const held = hold('flush:inserted');
  const store = await opened(t, await away.place(), {}, { onStage: held.onStage });
  const ids = Array.from({ length: 50 }, (_, index) => `id ${index}`);
  const events = ids.map((id) => storedEvent({ id, idFromCaller: true }));
  const { receipt } = await store.append('t', events);
  await held.reached;
  await away.postgres.stop();
  held.release();
  await assert.rejects(store.append('t', [storedEvent()]), { code: 'unavailable' });
  await assert.rejects(count(store), { code: 'unavailable' });
  await away.postgres.start();
  assert.equal(await store.waitFor(receipt, 30_000), true);
  assert.equal((await store.append('t', events)).duplicates, 50);
  assert.equal(await count(store), 50);
});

test('Flusher: a long backlog refuses appends at every node until it is flushed', { skip }, async (t) => {
  const place = await (await engines()).place();
  const held = hold('flush:marked');
  const store = await opened(t, place, { backlogLimit: 1_000 }, { onStage: held.onStage });
  const large = storedEvent({ properties: JSON.stringify({ text: 'x'.repeat(2_000) }) });
  await store.append('t', [large]);
  await held.reached;
  const other = await opened(t, place, { backlogLimit: 1_000 });
  for (const node of [store, other]) {
    await assert.rejects(node.append('t', [storedEvent()]), { code: 'unavailable', message: /nothing was stored/ });
  }
  held.release();
  const accepted = async () => other.append('t', [storedEvent()]).catch(() => null);
  const { found } = await eventually('the backlog is flushed', accepted, 10_000);
  assert.equal(await other.waitFor(found.receipt, 10_000), true);
  assert.equal(await count(store), 2);
});

test('Flusher: the lease can be renewed while columns are made', { skip }, async (t) => {
  const place = await (await engines()).place();
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 4 });
  t.after(close);
  const lease = await takeLease(pool, FLUSH_LEASE, { holder: 'this', ms: 60_000 });
  const properties = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`key ${key}`, 'x'])));
  await appendBatches(pool, [packBatch('t', [storedEvent({ properties })])], 60_000);
  const isLocked = async () => {
    const { rows } = await pool.query('SELECT 1 AS free FROM leases WHERE name = $1 FOR UPDATE SKIP LOCKED', [
      FLUSH_LEASE,
    ]);
    return rows.length === 0;
  };
  const locked: boolean[] = [];
  const clickhouse = {
    command: async () => void locked.push(await isLocked()),
    insert: async () => void locked.push(await isLocked()),
  } as unknown as Clickhouse;
  const flusher = new Flusher({ pool, clickhouse, tables: { events: 'events', trial: 'trial' } }, NO_OBSERVER);
  assert.equal((await flusher.flush(lease!.fence))?.events, 1);
  assert.ok(locked.length > 1 && !locked.includes(true), String(locked));
});

test('Flusher: renewals that wait take one connection', { skip }, async (t) => {
  const place = await (await engines()).place();
  const store = await opened(t, place, { leaseMs: 30 });
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 1 });
  t.after(close);
  await pool.transaction(async (transaction) => {
    await transaction.query('SELECT 1 FROM leases WHERE name = $1 FOR UPDATE', [FLUSH_LEASE]);
    for (let appended = 0; appended < 100; appended += 1) await store.append('t', [storedEvent()]);
  });
  await store.settle();
  assert.equal(await count(store), 100);
});

test('Caller ids: old ones are forgotten while a flush is under way', { skip }, async (t) => {
  const place = await (await engines()).place();
  const first = await opened(t, place);
  await first.append('t', [storedEvent({ id: 'known', idFromCaller: true })]);
  await first.close();
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 1 });
  t.after(close);
  await pool.query(
    `INSERT INTO event_ids (key, arrived_at) SELECT decode(lpad(to_hex(n), 40, '0'), 'hex'), 1 FROM generate_series(1, 12000) AS n`,
  );
  const held = hold('flush:marked');
  const store = await opened(t, place, {}, { onStage: held.onStage });
  await store.append('t', [storedEvent()]);
  await held.reached;
  const forgotten = async () => {
    const { rows } = await pool.query<{ ids: number }>('SELECT count(*) AS ids FROM event_ids');
    return rows[0]!.ids === 1;
  };
  await eventually('expired ids are forgotten', forgotten, 10_000);
  held.release();
});

test('Flusher: keys beyond the typed columns are answered from maps', { skip }, async (t) => {
  const store = await opened(t, await (await engines()).place());
  const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
  for (const [turn, part] of [keys.slice(0, 30), keys].entries()) {
    const values = part.flatMap((key, index) => [
      [key, `text ${turn}`],
      [`${key} n`, index + turn],
      [`${key} b`, turn === 1],
      [`${key} list`, [turn, 'x']],
    ]);
    await store.append('t', [storedEvent({ properties: JSON.stringify(Object.fromEntries(values)) })]);
    await store.settle();
  }
  const matching = async (propertyKey: string, operator: string, value: unknown) => {
    const filters = [{ propertyKey, operator, value }];
    const question = tableQuestion({ eventName: 'a', mode: 'aggregate', filters } as never);
    return (await store.query('t', planTable(question, CONTEXT))).matched;
  };
  for (const [index, key] of [...keys.entries()].filter(([at]) => at % 12 === 5)) {
    assert.equal(await matching(key, 'in', ['text 0', 'text 1']), index < 30 ? 2 : 1, key);
    assert.equal(await matching(`${key} n`, 'gte', index + 1), 1, key);
    assert.equal(await matching(`${key} b`, 'eq', true), 1, key);
    assert.equal(await matching(`${key} list`, 'contains', 'x'), index < 30 ? 2 : 1, key);
  }
  assert.equal(await matching('key 60', 'exists', undefined), 0);
});
