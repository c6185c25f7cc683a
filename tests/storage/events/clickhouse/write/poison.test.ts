import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { openPostgres } from '../../../../../src/storage/state/postgres/database.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openNode, skip, useEngines } from '../places.ts';

/*
 * Rows that ingestion never writes, between valid ones in the spool: a manual edit, an older
 * version.
 */

const engines = useEngines();

const good = (event: Partial<StoredEvent> = {}) => storedEvent({ properties: '{"good":1}', ...event });
const bad = (members: Record<string, unknown>) => ({ ...storedEvent({ properties: '{"bad":1}' }), ...members });

const REFUSED: unknown[] = [
  null,
  'text',
  bad({ id: undefined }),
  bad({ id: 7 }),
  bad({ eventName: null }),
  bad({ threadId: {} }),
  bad({ timestamp: 1.5 }),
  bad({ timestamp: 1e300 }),
  bad({ properties: '{"bad":' }),
  bad({ properties: '[1]' }),
  bad({ properties: { bad: 1 } }),
  bad({ properties: '{"bad":"\\ud800"}' }),
  bad({ properties: '{"\\ud800":1}' }),
];

const thousand = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key ${index}`, index]));

/** Unusual, but valid events. */
const ACCEPTED: StoredEvent[] = [
  good({ properties: JSON.stringify({ ['k'.repeat(65_536)]: 1, good: 1 }) }),
  good({ properties: JSON.stringify({ ...thousand, good: 1 }) }),
  good({ properties: '{"huge":123456789012345678901234567890,"good":1}' }),
  good({ timestamp: -8e15 }),
  good({ properties: JSON.stringify({ good: 1, list: Array.from({ length: 5_000 }, (_, index) => index) }) }),
];

const EVERYTHING: RawPlan = {
  kind: 'raw',
  selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
  columns: [{ kind: 'property', paths: [['good']] }, { kind: 'event', name: 'id' }, { kind: 'properties' }],
  sort: { field: { kind: 'event', name: 'timestamp' }, descending: true },
  limit: 1_000,
  offset: 0,
};

test('Quarantine: events that the engine would refuse are set aside and block none', { skip }, async (t) => {
  const place = await (await engines()).place();
  const notices: unknown[] = [];
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 2 });
  t.after(close);
  const spool = (tenantId: string, events: string) =>
    pool.query(`INSERT INTO event_spool (tenant_id, arrived_at, size, left_out, events) VALUES ($1, 0, 1, '{}', $2)`, [
      tenantId,
      events,
    ]);
  await spool('t', JSON.stringify([good(), ...REFUSED, good()]));
  await spool('t', 'not JSON, of "the thread"');
  await spool('t', '{"an":"object"}');
  await spool('t', JSON.stringify(ACCEPTED));
  await spool('other', JSON.stringify([REFUSED[1], good({ threadId: 'the thread' })]));
  const store = await openNode(place, {}, { onNotice: (notice) => notices.push(notice) });
  t.after(() => store.close());
  await store.settle();
  const { rows } = await store.query('t', EVERYTHING);
  assert.equal(rows.length, ACCEPTED.length + 2);
  assert.ok(
    rows.every(([value]) => value === 1),
    'only the valid ones',
  );
  assert.equal((await store.query('other', EVERYTHING)).rows.length, 1);
  const [known] = await store.knownEvents('t', null);
  assert.equal(known?.events, ACCEPTED.length + 2);
  const keys = (await store.knownProperties('t', null, ['a'])).map(({ key }) => key);
  assert.ok(!keys.includes('bad'), 'no key of a refused event is listed');
  const { quarantined, backlog } = await store.stats();
  assert.deepEqual([quarantined, backlog.batches], [REFUSED.length + 3, 0]);
  const noticed = notices.filter((one) => (one as { kind: string }).kind === 'quarantined') as { events: number }[];
  assert.equal(
    noticed.reduce((sum, { events }) => sum + events, 0),
    quarantined,
  );
  const { rows: kept } = await pool.query<{ content: string }>(
    `SELECT content FROM event_quarantine WHERE tenant_id = 't' ORDER BY id LIMIT 3`,
  );
  assert.deepEqual(
    kept.map(({ content }) => JSON.parse(content)),
    JSON.parse(JSON.stringify(REFUSED.slice(0, 3))),
  );
  assert.equal(await store.erase('t', { threadId: 'the thread' }), 1, 'the batch that is not JSON');
  await store.erase('t', {});
  assert.equal((await store.stats()).quarantined, 1, 'of the other tenant');
});

for (const isFound of [true, false]) {
  const define = isFound ? test : rareTest;
  define(
    `Quarantine: the engine refuses an event, which the trial ${isFound ? 'finds' : 'does not find'}`,
    {
      skip,
    },
    async (t) => {
      const { clickhouse, place: newPlace } = await engines();
      const place = await newPlace();
      const first = await openNode(place);
      await first.append('t', [good()]);
      await first.close();
      const alter = (statement: string) => clickhouse.rows(place.clickhouseUrl, statement);
      await alter(`ALTER TABLE {database}.events ADD CONSTRAINT refused CHECK NOT startsWith(id, 'refused')`);
      if (isFound) {
        await alter('DROP TABLE {database}.events_trial');
        await alter('CREATE TABLE {database}.events_trial AS {database}.events ENGINE = Null');
      }
      const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 2 });
      t.after(close);
      const batches = Array.from({ length: 8 }, (_, batch) =>
        Array.from({ length: 5 }, (_, at) =>
          good({ id: `${batch === 5 && at === 2 ? 'refused' : 'taken'} ${batch} ${at}` }),
        ),
      );
      // In one flush.
      await pool.query(
        `INSERT INTO event_spool (tenant_id, arrived_at, size, left_out, events) SELECT 't', 0, 1, '{}', events FROM unnest($1::text[]) AS t(events)`,
        [batches.map((batch) => JSON.stringify(batch))],
      );
      const store = await openNode(place);
      t.after(() => store.close());
      const { receipt } = await store.append('t', [good()]);
      assert.equal(await store.waitFor(receipt, 30_000), true);
      const refused = isFound ? 1 : 5;
      assert.equal((await store.query('t', EVERYTHING)).rows.length, 42 - refused);
      assert.equal((await store.stats()).quarantined, refused);
      assert.equal((await store.knownEvents('t', null))[0]?.events, 42 - refused);
    },
  );
}
