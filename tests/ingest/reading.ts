import {
  type Chunk,
  type DocumentReader,
  type ReadOptions,
  UnreadableDocument,
} from '../../src/core/knowledge/reader.ts';
import { prepare, readSlice } from '../../src/workers/slices.ts';
import type { Outcome } from '../support/golden-folder.ts';

export async function read(
  reader: Pick<DocumentReader, 'prepare' | 'read'>,
  path: string,
  options: ReadOptions,
  signal = new AbortController().signal,
): Promise<Outcome> {
  try {
    const task = { tenantId: 'one', options, signal };
    const prepared = kept(await reader.prepare(path, task));
    const chunks: Chunk[] = [];
    for (let from: unknown = null; ; ) {
      const slice = await reader.read(prepared, from, task);
      for (const chunk of slice.chunks) chunks.push(chunk);
      if (slice.next === null) return chunks;
      from = kept(slice.next);
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) return { error: error.message };
    throw error;
  }
}

/** Reads without threads, in slices of this many chunks. */
export function readerOfSlices(enough: number): Pick<DocumentReader, 'prepare' | 'read'> {
  return {
    prepare: (path, { options }) => prepare(path, options),
    read: (prepared, from, { options }) => readSlice(prepared, from, options, enough),
  };
}

function kept<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
