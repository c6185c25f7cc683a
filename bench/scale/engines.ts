import type { TestContext } from 'node:test';
import { ClickhouseEventStore } from '../../src/storage/events/clickhouse/store.ts';
import { openPostgres } from '../../src/storage/state/postgres/database.ts';
import { type Clickhouse, startClickhouse } from '../../tests/support/clickhouse.ts';
import { startPostgres } from '../../tests/support/postgres.ts';

export interface ScaleEngines {
  clickhouse: Clickhouse;
  /** A store on an empty place, which has its last URL. */
  open(): Promise<{ store: ClickhouseEventStore; clickhouseUrl: string; close(): Promise<void> }>;
  stop(): Promise<void>;
}

/** PostgreSQL and ClickHouse as the tests start them: PostgreSQL writes to disk as the files do. */
export async function startEngines(): Promise<ScaleEngines> {
  const ends: (() => unknown)[] = [];
  const scope = { after: (end: () => unknown) => ends.push(end) } as unknown as Pick<TestContext, 'after'>;
  const [postgres, clickhouse] = await Promise.all([startPostgres(scope), startClickhouse(scope)]);
  await postgres.rows('ALTER SYSTEM SET fsync = on');
  await postgres.rows('SELECT pg_reload_conf()');
  return {
    clickhouse,
    open: async () => {
      const clickhouseUrl = await clickhouse.database();
      const database = await openPostgres({ url: await postgres.database(), connections: 10 });
      const store = await ClickhouseEventStore.open({
        pool: database.pool,
        clickhouseUrl,
        dedupWindowMs: 1e9,
        queryTimeoutMs: 300_000,
        backlogLimit: 4e9,
      });
      const close = async () => {
        await store.close();
        await database.close();
      };
      return { store, clickhouseUrl, close };
    },
    stop: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
}
