import BetterSqlite3, { type Database } from 'better-sqlite3';
import { type FeedQuery, feedQuerySchema } from '../../src/core/analytics/events/schema.ts';
import type { Bench } from './bench.ts';
import { medianTimes, sameAnswer } from './measure.ts';
import { caller } from './own-store.ts';
import type { Line } from './report.ts';
import { type SourceEvent, sourceEvents } from './source-rows.ts';

const PART = 'feed';

/** The newest page with its total, against SQLite with the ideal index. */
export async function benchFeed({ options, datasets, report }: Bench): Promise<void> {
  const source = await datasets.source(options.rows);
  const path = await datasets.file(options.rows, 'feed.sqlite', (file) => loadSqlite(file, sourceEvents(source)));
  const { store } = await datasets.own(options.rows);
  const sqlite = openSqlite(path);
  const askSqlite = feedOf(sqlite);
  const lines: Line[] = [];
  for (const offset of [0, 10_000]) {
    const input = feedQuerySchema.parse({ agentId: 'agent_0', limit: 50, offset });
    const askOwn = () => store.runtime.events.feed(caller(store, 't1'), input);
    const [own, theirs] = [await askOwn(), askSqlite(input)];
    const ids = (total: number, events: { id: string; properties: unknown }[]) => [
      total,
      events.map(({ id, properties }) => [id, JSON.stringify(properties)]),
    ];
    const parsed = own.events.map((text) => JSON.parse(text) as { id: string; properties: unknown });
    if (!sameAnswer(ids(own.total, parsed), ids(theirs.total, theirs.events))) {
      report.failure(PART, `pages at ${offset} differ: totals ${own.total} and, of SQLite, ${theirs.total}`);
    }
    const times = await medianTimes({ sqlite: async () => askSqlite(input), own: askOwn }, options.rounds);
    lines.push({
      what: `50 events at ${offset} and total`,
      values: { 'SQLite ms': times.sqlite, 'ours ms': times.own, ratio: times.own / times.sqlite },
      demanded: { of: 'ratio', atMost: 1 },
    });
  }
  sqlite.close();
  await store.runtime.close();
  report.table(PART, `${options.rows.toLocaleString('en-US')} events, against an indexed SQLite table`, lines);
}

function feedOf(sqlite: Database) {
  const where = 'WHERE tenant_id = ? AND agent_id = ?';
  const page = sqlite.prepare<
    [string, string, number, number],
    { id: string; event_name: string; ts: number; thread_id: string; execution_id: string; properties: string }
  >(
    `SELECT id, event_name, ts, thread_id, execution_id, properties FROM events ${where} ORDER BY ts DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const count = sqlite.prepare<[string, string], number>(`SELECT count(*) FROM events ${where}`).pluck();
  return ({ agentId = '', limit, offset }: FeedQuery) => ({
    total: count.get('t1', agentId) ?? 0,
    events: page.all('t1', agentId, limit, offset).map((row) => ({
      id: row.id,
      eventName: row.event_name,
      properties: JSON.parse(row.properties) as Record<string, unknown>,
      threadId: row.thread_id,
      executionId: row.execution_id,
      timestamp: new Date(row.ts).toISOString(),
    })),
  });
}

/** With the memory limit of the product's engine. */
export function openSqlite(path: string): Database {
  const database = new BetterSqlite3(path);
  database.pragma('cache_size = -1000000');
  database.pragma('mmap_size = 30000000000');
  return database;
}

/** The events with their properties as JSON text and the index of the feed. */
export async function loadSqlite(path: string, events: AsyncIterable<SourceEvent[]>): Promise<void> {
  const database = new BetterSqlite3(path);
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.exec(`CREATE TABLE events (tenant_id TEXT, agent_id TEXT, event_name TEXT, ts INTEGER, id TEXT,
    thread_id TEXT, execution_id TEXT, properties TEXT)`);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertAll = database.transaction((some: SourceEvent[]) => {
    for (const { tenant, event } of some) {
      const { agentId, eventName, timestamp, id, threadId, executionId, properties } = event;
      insert.run(tenant, agentId, eventName, timestamp, id, threadId, executionId, properties);
    }
  });
  for await (const some of events) insertAll(some);
  database.exec('CREATE INDEX feed ON events (tenant_id, agent_id, ts DESC, id DESC); ANALYZE');
  database.close();
}
