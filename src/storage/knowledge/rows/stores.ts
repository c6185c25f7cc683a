import type { KnowledgeStore, VectorStore } from '../../../core/knowledge/store.ts';
import { STORE_ID } from './documents.ts';
import { FOUND, insertRow, OPEN, type RowsClient, type RowsEngine } from './engine.ts';
import { endJobs } from './leases.ts';
import type { JobRow } from './records.ts';

const OF_STORE = `FROM knowledge_documents documents WHERE documents.store = stores.id AND ${FOUND}`;
const STORES = `SELECT name, embedder, dimensions, created_at AS "createdAt",
    (SELECT count(*) ${OF_STORE}) AS documents, (SELECT coalesce(sum(chunks), 0) ${OF_STORE}) AS chunks
  FROM knowledge_stores stores WHERE tenant_id = $1 AND dropped_at IS NULL`;

type StoreMethods = Pick<
  KnowledgeStore,
  'createStore' | 'renameStore' | 'listStores' | 'storeSizes' | 'findStore' | 'dropStore'
>;

interface NewStore {
  name: string;
  embedder: string;
  now: number;
}

/** Jobs are locked before documents, which prevents deadlocks. */
export function storeMethods(engine: RowsEngine): StoreMethods {
  const { database, sql } = engine;
  return {
    createStore: (tenantId, store) =>
      database.transaction(async (client) => {
        await engine.lockTenant?.(client, tenantId);
        const { rows } = await client.query(STORE_ID, [tenantId, store.name]);
        if (rows[0]) return false;
        await insertStore(engine, client, tenantId, store);
        return true;
      }),
    renameStore: (tenantId, name, next) =>
      database.transaction(async (client) => {
        await engine.lockTenant?.(client, tenantId);
        const { rows: stores } = await client.query<{ id: number }>(STORE_ID, [tenantId, name]);
        if (!stores[0]) return 'unknown';
        const { rows: taken } = await client.query(STORE_ID, [tenantId, next]);
        if (taken[0]) return 'taken';
        const { id } = stores[0];
        await client.query('UPDATE knowledge_stores SET name = $2 WHERE id = $1', [id, next]);
        await client.query('UPDATE knowledge_jobs SET vector_store = $3 WHERE store = $1 AND tenant_id = $2', [
          ...[id, tenantId, next],
        ]);
        return 'renamed';
      }),
    storeSizes: async (tenantId, names) => {
      const { rows } = await database.query<{ name: string; size: number }>(
        `SELECT stores.name, sum(documents.size) AS size FROM knowledge_stores stores
          JOIN knowledge_documents documents ON documents.store = stores.id AND ${FOUND}
          WHERE tenant_id = $1 AND dropped_at IS NULL AND stores.name IN ${sql.texts('$2')} GROUP BY stores.name`,
        [tenantId, names],
      );
      return Object.fromEntries(rows.map(({ name, size }) => [name, size]));
    },
    listStores: async (tenantId) => (await database.query<VectorStore>(`${STORES} ORDER BY name`, [tenantId])).rows,
    findStore: async (tenantId, name) =>
      (await database.query<VectorStore>(`${STORES} AND name = $2`, [tenantId, name])).rows[0] ?? null,
    dropStore: (tenantId, name, now) =>
      database.transaction(async (client) => {
        await engine.lockTenant?.(client, tenantId);
        const { rows: stores } = await client.query<{ id: number }>(STORE_ID, [tenantId, name]);
        if (!stores[0]) return false;
        const { id } = stores[0];
        const { rows } = await client.query<JobRow>(
          `SELECT job_id FROM knowledge_jobs WHERE store = $1 AND tenant_id = $2 AND ${OPEN} ORDER BY ${sql.number} ${sql.forUpdate}`,
          [id, tenantId],
        );
        await client.query('UPDATE knowledge_stores SET dropped_at = $2 WHERE id = $1', [id, now]);
        await client.query('UPDATE knowledge_documents SET removed_at = $2 WHERE store = $1 AND removed_at IS NULL', [
          ...[id, now],
        ]);
        const jobs = rows.map(({ job_id }) => job_id);
        await endJobs(engine, client, jobs, { status: 'failed', error: 'The vector store was deleted.', now });
        return true;
      }),
  };
}

export async function insertStore(
  engine: RowsEngine,
  client: RowsClient,
  tenantId: string,
  { name, embedder, now }: NewStore,
): Promise<{ id: number; embedder: string }> {
  const store = { tenant_id: tenantId, name, embedder, created_at: now };
  const made = await insertRow<{ id: number; embedder: string }>(client, 'knowledge_stores', store);
  engine.createIndexes?.(made.id);
  return made;
}
