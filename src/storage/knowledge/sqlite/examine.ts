import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KNOWLEDGE_FILE } from '../../installation/names.ts';
import type { StoreIdentity } from '../../installation/unusable.ts';
import { examineSqlite, type Forms } from '../../state/sqlite/examine/examine.ts';
import { EXACT_VECTORS, type VectorSearch } from '../rows/recall.ts';
import { VERSION_OF_BITS, versionOf } from './schema.ts';

export interface KnowledgeFound {
  stores: number;
  documents: number;
  unfinished: number;
  /** Jobs or removals that an earlier process has left. */
  hasWork: boolean;
  /** Stores that have more vectors than are searched exactly; counted by a thorough examination. */
  large: VectorSearch[];
}

const FORMS: Forms = {
  documents: { metadata: 'json' },
  chunks: { headings: 'json', metadata: 'json' },
  jobs: { options: 'json', metadata: 'json', checkpoint: 'json' },
};

const LEFT = [
  'jobs WHERE settled = 0',
  'documents WHERE removed_at IS NOT NULL',
  'stores WHERE dropped_at IS NOT NULL',
];

/** Null without a database. Throws UnusableFile for a damaged one. */
export function examineKnowledge(
  directory: string,
  examination: { thorough: boolean; identity?: StoreIdentity | undefined; onProgress?: (share: number) => void },
): Promise<KnowledgeFound | null> {
  return examineSqlite(join(directory, KNOWLEDGE_FILE), {
    ...examination,
    forms: FORMS,
    mustHoldSomething: () => false,
    read: (database) => {
      const version = versionOf(database);
      if (version === 0) return { stores: 0, documents: 0, unfinished: 0, hasWork: false, large: [] };
      const count = (what: string) =>
        database.prepare<[], { count: number }>(`SELECT count(*) AS count FROM ${what}`).get()?.count ?? 0;
      return {
        stores: count('stores WHERE dropped_at IS NULL'),
        documents: count('documents WHERE completed_at IS NOT NULL AND removed_at IS NULL'),
        unfinished: count("jobs WHERE status IN ('queued', 'processing')"),
        hasWork: LEFT.some((rows) => count(rows) > 0),
        // A file of before has no columns for it until the next start.
        large: examination.thorough && version >= VERSION_OF_BITS ? largeStores(database) : [],
      };
    },
  });
}

function largeStores(database: Database): VectorSearch[] {
  return database
    .prepare<[number], VectorSearch>(
      `SELECT tenant_id AS tenant, name AS store, vectors, iif(candidates IS NULL, 'exact', 'bits') AS search, bits, candidates, recall
        FROM stores JOIN (SELECT store, sum(chunks) AS vectors FROM documents GROUP BY store) ON store = stores.id
        WHERE dropped_at IS NULL AND dimensions IS NOT NULL AND vectors > ? ORDER BY tenant, name`,
    )
    .all(EXACT_VECTORS);
}
