import { setPriority } from 'node:os';
import { move } from 'piscina';
import { hashEmbedding } from '../core/knowledge/hash-embedding.ts';
import { type Position, type Prepared, type ReadOptions, UnreadableDocument } from '../core/knowledge/reader.ts';
import { csvColumns } from './formats/csv.ts';
import { prepare, readSlice } from './slices.ts';

export type Task =
  | { kind: 'columns'; path: string; options: ReadOptions }
  | { kind: 'prepare'; path: string; options: ReadOptions }
  | { kind: 'read'; prepared: Prepared; from: Position | null; options: ReadOptions }
  | { kind: 'embed'; texts: readonly string[]; dimensions: number };

/** Vectors are moved, not copied. Failures are values: errors lose their class in transit. */
export type Answer = Float32Array | { value: unknown } | { unreadable: string } | { unavailable: string };

const PRIORITY = 10;
// On Linux this is the priority of this thread only: requests come before documents.
if (process.platform === 'linux') setPriority(PRIORITY);

export default async function work(task: Task): Promise<Answer> {
  if (task.kind === 'embed') return embed(task.texts, task.dimensions);
  try {
    return { value: await answer(task) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { unreadable: error.message };
    if (DISK_FULL_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return { unavailable: DISK_FULL_MESSAGE };
    throw error;
  }
}

/** Unpacked and decoded text is written next to the upload. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const DISK_FULL_MESSAGE = 'There is not enough room on the disk to read the document.';

async function answer(task: Exclude<Task, { kind: 'embed' }>): Promise<unknown> {
  switch (task.kind) {
    case 'columns':
      return csvColumns(task.path, task.options);
    case 'prepare':
      return prepare(task.path, task.options);
    case 'read':
      return readSlice(task.prepared, task.from, task.options);
  }
}

function embed(texts: readonly string[], dimensions: number): Float32Array {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries()) {
    hashEmbedding(text, vectors.subarray(index * dimensions, (index + 1) * dimensions));
  }
  return move(vectors) as Float32Array;
}
