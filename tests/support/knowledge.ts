import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { load as loadVectors } from 'sqlite-vec';
import { eventually } from './process.ts';

export const VECTORS = '/api/v1/runtime/v1/vectors';
export const INGEST = `${VECTORS}/files/ingest`;
export const JOBS = `${VECTORS}/ingestion-jobs`;
export const storePath = (name: string) => `${VECTORS}/stores/${name}`;

/** Where files are sent to, and with which key. */
export interface Desk {
  url: string;
  key: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

export async function ask({ url, key }: Desk, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answerOf(response);
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

export interface SentFile {
  name: string;
  content: string | Buffer;
}

/** Sends a file as any client does; the store is `manuals` unless the fields name another. */
export async function send({ url, key }: Desk, file: SentFile, fields: Record<string, string> = {}): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ vectorStore: 'manuals', ...fields })) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(Buffer.from(file.content))]), file.name);
  return answerOf(await fetch(`${url}${INGEST}`, { method: 'POST', headers: { 'x-api-key': key }, body: form }));
}

/** The job of a file that must be accepted. */
export async function accepted(desk: Desk, file: SentFile, fields?: Record<string, string>): Promise<string> {
  const { status, body } = await send(desk, file, fields);
  if (status !== 202) throw new Error(`the file was answered ${status}: ${JSON.stringify(body)}`);
  return body.jobId;
}

export async function jobOf(desk: Desk, jobId: string): Promise<Answer['body']> {
  const { status, body } = await ask(desk, 'GET', `${JOBS}/${jobId}`);
  if (status !== 200) throw new Error(`the job was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The job once it has ended. */
export async function ended(desk: Desk, jobId: string, timeoutMs = 30_000): Promise<Answer['body']> {
  const { found } = await eventually(
    `job ${jobId} ends`,
    async () => {
      const job = await jobOf(desk, jobId);
      return (job.status === 'completed' || job.status === 'failed') && job;
    },
    timeoutMs,
  );
  return found;
}

/** The job of a file that must be ingested. */
export async function ingested(desk: Desk, file: SentFile, fields?: Record<string, string>) {
  const job = await ended(desk, await accepted(desk, file, fields));
  if (job.status !== 'completed') throw new Error(`the file was not ingested: ${job.error}`);
  return job;
}

export async function search(desk: Desk, store: string, query: string, more: object = {}): Promise<Answer['body']> {
  const { status, body } = await ask(desk, 'POST', `${storePath(store)}/search`, { query, ...more });
  if (status !== 200) throw new Error(`the search was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export interface KeptChunk {
  seq: number;
  row: number | null;
  text: string;
  /** Null: it has none. */
  vector: Buffer | null;
}

/** What a directory that nobody serves holds of a store, straight from its tables. */
export function keptIn(dataDir: string, vectorStore: string): { chunks: KeptChunk[]; strayVectors: number } {
  const database = new BetterSqlite3(join(dataDir, 'knowledge.sqlite'), { readonly: true });
  try {
    loadVectors(database);
    const { id, dimensions } = database
      .prepare('SELECT id, dimensions FROM stores WHERE name = ? AND dropped_at IS NULL')
      .get(vectorStore) as { id: number; dimensions: number | null };
    const vectors = new Map(
      dimensions === null
        ? []
        : (database.prepare(`SELECT rowid, embedding FROM vectors_${id}`).raw().all() as [number, Buffer][]),
    );
    const rows = database
      .prepare(
        `SELECT c.id, c.seq, c."row", c.text FROM chunks c JOIN documents d ON d.id = c.document
          WHERE d.store = ? AND d.completed_at IS NOT NULL AND d.removed_at IS NULL ORDER BY d.id, c.seq`,
      )
      .all(id) as (Omit<KeptChunk, 'vector'> & { id: number })[];
    const chunks = rows.map(({ id: chunkId, ...row }) => ({ ...row, vector: vectors.get(chunkId) ?? null }));
    for (const row of rows) vectors.delete(row.id);
    return { chunks, strayVectors: vectors.size };
  } finally {
    database.close();
  }
}
