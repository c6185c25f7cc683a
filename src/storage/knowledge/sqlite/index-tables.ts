import type { Database } from 'better-sqlite3';

/* Row ids of these tables are chunk ids. */

/** Vectors per block. A store allocates a whole first block, so large ones waste space. */
const BLOCK_VECTORS = 64;

export const wordsTable = (store: number) => `words_${store}`;
export const vocabularyTable = (store: number) => `vocabulary_${store}`;
export const vectorsTable = (store: number) => `vectors_${store}`;

export function createWords(database: Database, store: number): void {
  const words = wordsTable(store);
  database.exec(`CREATE VIRTUAL TABLE ${words} USING fts5(headings, text,
    content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'")`);
  database.exec(`CREATE VIRTUAL TABLE ${vocabularyTable(store)} USING fts5vocab(${words}, 'row')`);
}

/** With the document, so that a search can skip hidden ones. */
export function createVectors(database: Database, store: number, dimensions: number): void {
  database.exec(`CREATE VIRTUAL TABLE ${vectorsTable(store)} USING vec0(
    embedding float[${dimensions}] distance_metric=cosine, document integer, chunk_size=${BLOCK_VECTORS})`);
}

export function dropIndexes(database: Database, store: number): void {
  for (const table of [vocabularyTable(store), wordsTable(store), vectorsTable(store)]) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}
