import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { MetadataTest } from '../../../../../src/core/knowledge/filter.ts';
import type { NewJob } from '../../../../../src/core/knowledge/store.ts';
import { openRows } from '../../../../../src/storage/knowledge/rows/store.ts';
import { BitsUpkeep } from '../../../../../src/storage/knowledge/sqlite/bits/upkeep.ts';
import { openForSearch, openKnowledge, SqliteClient } from '../../../../../src/storage/knowledge/sqlite/client.ts';
import { sqliteEngine } from '../../../../../src/storage/knowledge/sqlite/engine.ts';
import { Search } from '../../../../../src/storage/knowledge/sqlite/search.ts';
import { batch, chunk, EMBEDDER, leaseOf, newJob, plan, ROOM } from '../../../../contracts/knowledge/backend.ts';
import { temporaryDirectory } from '../../../../support/app.ts';

/** Makes the tables those of version 2. */
export const BEFORE_BITS = `DROP TABLE bits; ALTER TABLE stores DROP COLUMN bits; ALTER TABLE stores DROP COLUMN candidates;
  ALTER TABLE stores DROP COLUMN recall; ALTER TABLE stores DROP COLUMN measured; PRAGMA user_version = 2;`;

export interface Entry {
  text: string;
  vector: number[];
  metadata: Record<string, unknown>;
}

export interface Asked {
  vector: number[];
  limit: number;
  tests?: MetadataTest[];
}

/** A store in this thread, whose bits are made when a test says so, and a search of its file. */
export function openWithBits(t: TestContext, exactVectors: number, path = newPath(t)) {
  const database = openKnowledge(path);
  t.after(() => database.close());
  const client = new SqliteClient(database);
  const upkeep = new BitsUpkeep(client, exactVectors);
  const { store } = openRows(
    sqliteEngine(database, client, (grown) => upkeep.grew(grown)),
    { onFault: (error) => assert.fail(error as Error) },
  );
  t.after(() => store.close());
  const searching = (options: { exactVectors: number; keptBitsBytes: number }) => {
    const reader = openForSearch(path);
    t.after(() => reader.close());
    const search = new Search(reader, options);
    return ({ vector, limit, tests = [] }: Asked) =>
      search.search('one', plan({ vector: Float32Array.from(vector), limit, tests }))!;
  };
  const started = async (entries: Entry[], members: Partial<NewJob>) => {
    const job = newJob({ embedder: EMBEDDER, ...members });
    await store.createJob('one', job, ROOM);
    const lease = leaseOf((await store.claim({ now: 1, leaseMs: 1_000_000 }))!);
    const chunks = entries.map(({ text, metadata }) => chunk(text, { metadata }));
    const vectors = Float32Array.from(entries.flatMap(({ vector }) => vector));
    const dimensions = entries[0]!.vector.length;
    await store.commit(lease, batch(chunks, { embedded: { vectors, dimensions } }));
    return { job, lease };
  };
  return {
    ...{ path, store, database, started },
    added: async (entries: Entry[], members: Partial<NewJob> = {}) => {
      const { job, lease } = await started(entries, members);
      await store.complete(lease, 1);
      return job.documentId;
    },
    indexed: async () => {
      while (await upkeep.step());
    },
    byBits: searching({ exactVectors, keptBitsBytes: 10_000_000 }),
    /** It keeps no bits in memory. */
    byBitsRead: searching({ exactVectors, keptBitsBytes: 0 }),
    exact: searching({ exactVectors: Number.POSITIVE_INFINITY, keptBitsBytes: 0 }),
  };
}

export function newPath(t: TestContext): string {
  return join(temporaryDirectory(t), 'knowledge.sqlite');
}

export function similarity(one: number[], other: number[]): number {
  const product = (first: number[], second: number[]) =>
    first.reduce((sum, value, index) => sum + Math.fround(value) * Math.fround(second[index]!), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}

/** The generator of Park and Miller: from 0 to 1. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
