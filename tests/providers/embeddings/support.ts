import assert from 'node:assert/strict';
import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import type { Connection } from '../../../src/core/agents/chat/provider.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import type { Embedded, Embedder } from '../../../src/core/knowledge/embedder.ts';
import type { EmbedderOptions } from '../../../src/providers/embeddings/embedder.ts';
import { embedderOf } from '../../../src/providers/embeddings/index.ts';
import { connectionTo, type VectorServer } from './vector-server.ts';

/** Never aborted. */
export const STAYS = new AbortController().signal;

const PROVIDER_OF: Record<string, Vendor> = { compatible: 'custom' };

/** Records the pauses without waiting. The clock advances by as much. */
export function instantRetry() {
  const pauses: number[] = [];
  let now = 0;
  const retry = {
    now: () => now,
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
    },
    random: () => 1,
  };
  return { pauses, retry };
}

export interface Asked extends EmbedderOptions {
  dimensions?: number | null;
  connection?: Partial<Connection>;
}

/** An embedder for a local server that retries without waiting. */
export function embedderAt(server: VectorServer, name: string, asked: Asked = {}): Embedder {
  const { dimensions = null, connection, ...options } = asked;
  const [prefix = ''] = name.split('/');
  return embedderOf(
    { name, dimensions },
    () => connectionTo(PROVIDER_OF[prefix] ?? (prefix as Vendor), server.url, connection),
    { retry: instantRetry().retry, ...options },
  );
}

export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof RuntimeError, String(error));
    assert.equal(error.code, 'upstream');
    assert.equal(error.cause, undefined, 'a cause would stand in the log with all that it holds');
    return error.message;
  }
  throw new Error('It did not fail.');
}

export function rowsOf({ vectors, dimensions }: Embedded): number[][] {
  return Array.from({ length: vectors.length / dimensions }, (_, index) => [
    ...vectors.subarray(index * dimensions, (index + 1) * dimensions),
  ]);
}

/** Asserts that vectors are those of `numbered` texts, in order and of length 1. */
export function assertNumbered(embedded: Embedded, count: number): void {
  assert.equal(embedded.vectors.length, count * embedded.dimensions);
  for (const [index, row] of rowsOf(embedded).entries()) {
    assert.ok(Math.abs(row[0]! / row[1]! - index) < 1e-3 * (index + 1), `${index}: ${row}`);
    assert.ok(Math.abs(Math.hypot(...row) - 1) < 1e-6);
  }
}
