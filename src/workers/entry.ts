import { setPriority } from 'node:os';
import { move } from 'piscina';
import { hashEmbedding } from '../core/knowledge/hash-embedding.ts';
import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { csvColumns } from './formats/csv.ts';
import type { Answer, Task } from './protocol.ts';
import { prepare, readSlice } from './text/slices.ts';

/* The entry of threads that read documents, where work may take long or never end. */

const PRIORITY = 10;
// On Linux this sets the priority of this thread only: requests come before documents.
if (process.platform === 'linux') setPriority(PRIORITY);

export default async function work(task: Task): Promise<Answer> {
  if (task.kind === 'embed') return embed(task.texts, task.dimensions);
  try {
    return { value: await answer(task) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { unreadable: error.message };
    if (NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '')) return { unavailable: FULL };
    throw error;
  }
}

/** Unpacked and decoded text is written next to the upload. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const FULL = 'There is not enough room on the disk to read the document.';

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

/** All vectors in one array, which is moved rather than copied. */
function embed(texts: readonly string[], dimensions: number): Float32Array {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries()) {
    hashEmbedding(text, vectors.subarray(index * dimensions, (index + 1) * dimensions));
  }
  return move(vectors) as Float32Array;
}
