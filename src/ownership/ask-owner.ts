import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeError } from '../core/shared/errors.ts';
import { OPERATIONS_PATH } from './owner.ts';
import type { Ownership } from './ownership.ts';
import { socketFetch } from './socket.ts';

const DEADLINE_MS = 15_000;

/**
 * Asks the owner of the directory for an operation, having this process become it when nobody is. It is asked once: an
 * owner that ends halfway is reported (`unavailable`), not replaced, for nobody knows how far it came.
 */
export async function askOwner(
  ownership: Ownership,
  dataDir: string,
  operation: { name: string; input: unknown },
): Promise<Response> {
  const deadline = Date.now() + DEADLINE_MS;
  // A large directory takes its time to be copied: no limit but that of the connection.
  const socket = socketFetch(ownership.socketPath, { headersTimeout: 0 });
  try {
    for (;;) {
      await ownership.tryOwn();
      try {
        const response = await socket.fetch(`http://localhost${OPERATIONS_PATH}${operation.name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(operation.input),
        });
        return new Response(await response.text(), { status: response.status, headers: [...response.headers] });
      } catch (error) {
        if (!isNobodyThere(error)) throw endedHalfway(error);
        if (Date.now() >= deadline) throw nobodyAnswers(dataDir, error);
        await sleep(50);
      }
    }
  } finally {
    await socket.close();
  }
}

/** Nothing was sent: the owner has just ended, or is just starting. */
function isNobodyThere(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}

function endedHalfway(cause: unknown): RuntimeError {
  const message = 'The process that had the data directory open ended before it answered. Run the command again.';
  return new RuntimeError('unavailable', message, { cause });
}

function nobodyAnswers(dataDir: string, cause: unknown): RuntimeError {
  const message = `Another process holds ${dataDir} and does not answer. Stop it, then run the command again.`;
  return new RuntimeError('unavailable', message, { cause });
}
