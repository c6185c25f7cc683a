import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { RawPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { answer } from '../../../../../src/storage/events/duckdb/read/answer.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { rareTest } from '../../../../support/rare.ts';

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
          (connection, layout) => answer(connection, { tenant: KEPT, paths: null, layout }, PAGE),
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
