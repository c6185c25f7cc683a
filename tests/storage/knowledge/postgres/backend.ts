import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import {
  openPostgresKnowledge,
  type PostgresKnowledgeOptions,
} from '../../../../src/storage/knowledge/postgres/store.ts';
import { openPostgres } from '../../../../src/storage/state/postgres/database.ts';
import { PostgresPool } from '../../../../src/storage/state/postgres/pool.ts';
import type { KnowledgeBackend } from '../../../contracts/knowledge/backend.ts';
import { startPglite } from '../../../support/pglite.ts';
import { startPostgres } from '../../../support/postgres.ts';

export interface PostgresBackend extends KnowledgeBackend {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  openWith(options: Partial<PostgresKnowledgeOptions>): ReturnType<typeof openKnowledge>;
}

type Scope = Pick<TestContext, 'after'>;

/** A real server, without pgvector. */
export const postgresKnowledge = (): PostgresBackend =>
  backendOf({ name: 'PostgreSQL', covers: 'without vectors' }, async (scope) =>
    (await startPostgres(scope)).database(),
  );

export const pgliteKnowledge = (covers: 'everything' | 'vectors only' = 'vectors only'): PostgresBackend =>
  backendOf({ name: 'PGlite with pgvector', covers }, async (scope) => (await startPglite(scope)).url);

function backendOf(
  what: Pick<KnowledgeBackend, 'name' | 'covers'>,
  start: (scope: Scope) => Promise<string>,
): PostgresBackend {
  const ends: (() => unknown)[] = [];
  let url: string;
  let pool: PostgresPool;
  before(async () => {
    url = await start({ after: (end: unknown) => ends.push(end as () => unknown) } as never);
    await (await openPostgres({ url, connections: 1 })).close();
    pool = await PostgresPool.open({ url, connections: 1 });
  });
  after(async () => {
    await pool?.end();
    for (const end of ends) await end();
  });
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  return {
    ...{ ...what, isShared: true, bytes: null, query },
    place: async () => {
      const tables = await query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'knowledge%'`,
      );
      await query(`TRUNCATE ${tables.map((table) => table.name).join(', ')}, leases RESTART IDENTITY`);
      return url;
    },
    open: (place) => openKnowledge(place, {}),
    openWith: (options) => openKnowledge(url, options),
    passTime: async (_place, ms) => {
      await query(`UPDATE knowledge_jobs SET lease_until = lease_until - $1 * interval '1 millisecond'`, [ms]);
    },
  };
}

async function openKnowledge(url: string, options: Partial<PostgresKnowledgeOptions>) {
  const { pool, close } = await openPostgres({ url, connections: 4 });
  const store = openPostgresKnowledge(pool, { onFault: (error) => assert.fail(error as Error), ...options });
  return {
    ...store,
    close: async () => {
      await store.close();
      await close();
    },
  };
}
