import { join } from 'node:path';
import type { EventStore, StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { AnalyticsDatabase } from '../../../../src/storage/events/duckdb/database.ts';
import { EVENTS_FILE } from '../../../../src/storage/installation/names.ts';

/** Enough to be sorted with the next flush. */
export const MANY = 125_000;
export const FEW = 100;
const RUNS = 10;
export const LARGE = 150_000;
export const SMALL = 30_000;

export interface Filling {
  directory: string;
  open(): Promise<EventStore>;
  /** The first event of the tenant, which the written events copy. */
  first: { tenantId: string; event: StoredEvent };
}

export async function fillArrivals(filling: Filling): Promise<number> {
  await fill(filling, [insert('hot', '0', MANY)]);
  return MANY;
}

export async function fillRuns(filling: Filling): Promise<number> {
  const run = 'SELECT run FROM last_run';
  await fill(
    filling,
    Array.from({ length: RUNS }, () => [
      'UPDATE last_run SET run = run + 1',
      `INSERT INTO runs SELECT run, ${FEW}, 1 FROM last_run`,
      insert('cold', `(${run})`, FEW),
    ]).flat(),
  );
  return RUNS * FEW;
}

export async function fillBehindHole(filling: Filling): Promise<number> {
  await fillRun(filling, LARGE);
  await fillRun(filling, SMALL);
  const larger = '(SELECT run - 1 FROM last_run)';
  await fill(filling, [
    `DELETE FROM cold WHERE run = ${larger}`,
    `DELETE FROM runs WHERE run = ${larger}`,
    'CHECKPOINT',
  ]);
  return SMALL;
}

/** Adds one large run: some 190 bytes for each event. Returns the number of added events. */
export async function fillRun(filling: Filling, events: number): Promise<number> {
  await fill(filling, [
    'UPDATE last_run SET run = run + 1',
    `INSERT INTO runs SELECT run, ${events}, 1 FROM last_run`,
    insert('cold', '(SELECT run FROM last_run)', events, RANDOM),
    'CHECKPOINT',
  ]);
  return events;
}

/** Random hexadecimal digits, which can be compressed by half and no more. */
const RANDOM = `{"text":"' || ${Array(10).fill('uuid()::VARCHAR').join(' || ')} || '"}`;

/** Copies of the tenant's first event, each with its own id and time. */
function insert(table: string, run: string, count: number, properties = '{}'): string {
  return `INSERT INTO ${table} (tenant, run, epoch, agent_id, event_name, timestamp, id, properties)
    SELECT number, ${run}, 1, first.agent_id, first.event_name, range, '${table} ' || range, '${properties}'
    FROM range(${count}), (SELECT number, agent_id, event_name FROM known_events JOIN tenants ON number = tenant
      WHERE tenant_id = $1 LIMIT 1) AS first`;
}

async function fill({ directory, open, first }: Filling, statements: string[]): Promise<void> {
  const store = await open();
  if ((await store.knownEvents(first.tenantId, null)).length === 0) await store.append(first.tenantId, [first.event]);
  await store.close();
  const path = join(directory, EVENTS_FILE);
  const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: 512e6 });
  try {
    for (const sql of statements) await database.writer.run(sql, sql.includes('$1') ? [first.tenantId] : []);
    // Counts of names are counts of events.
    await database.writer.run(`UPDATE known_events SET events = counted.events FROM
      (SELECT tenant, agent_id, event_name, count(*) AS events FROM
        (SELECT tenant, agent_id, event_name FROM hot UNION ALL SELECT tenant, agent_id, event_name FROM cold)
        GROUP BY tenant, agent_id, event_name) AS counted
      WHERE counted.tenant = known_events.tenant AND counted.agent_id = known_events.agent_id
        AND counted.event_name = known_events.event_name`);
  } finally {
    await database.close();
  }
}
