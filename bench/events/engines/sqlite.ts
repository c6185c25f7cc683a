import { join } from 'node:path';
import { sizeOf } from '../dataset.ts';
import { sqlite } from '../dialect.ts';
import { loadSqlite, openSqlite } from '../feed.ts';
import type { SourceEvent } from '../source-rows.ts';
import type { Engine, Texts } from './engine.ts';

/** JSON text in rows, with the indexes of the feed and of an event's range. */
export async function openSqliteJson({ scratch }: Texts, events: AsyncIterable<SourceEvent[]>): Promise<Engine> {
  const path = join(scratch, 'events.sqlite');
  await loadSqlite(path, events);
  const database = openSqlite(path);
  database.exec('CREATE INDEX named ON events (tenant_id, event_name, ts); ANALYZE');
  return {
    name: 'SQLite',
    dialect: sqlite,
    rowsOf: async (statements) => statements.map((sql) => database.prepare<[], unknown[]>(sql).raw().all()),
    diskBytes: sizeOf(path),
    close: async () => void database.close(),
  };
}
