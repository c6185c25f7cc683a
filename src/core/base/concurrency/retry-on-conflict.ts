import { RuntimeError } from '../shared/errors.ts';

const MAX_ATTEMPTS = 5;

/**
 * Optimistic concurrency: runs a change again while it returns null, because the stored revision
 * differs. Throws `conflict` after five attempts.
 */
export async function retryOnConflict<Result>(what: string, change: () => Promise<Result | null>): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const result = await change();
    if (result !== null) return result;
  }
  throw new RuntimeError('conflict', `The ${what} was changed at the same time. Try again.`);
}
