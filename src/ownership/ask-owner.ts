import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { OPERATIONS_PATH } from './owner.ts';
import type { Ownership } from './ownership.ts';
import { socketFetch } from './socket.ts';

const DEADLINE_MS = 15_000;

/** Throws `unavailable` when the owner ends before it responds: the outcome is unknown. */
export async function askOwner(
  ownership: Ownership,
  dataDir: string,
  operation: { name: string; input: unknown },
): Promise<Response> {
  const deadline = Date.now() + DEADLINE_MS;
  // No timeout: copying a large directory takes long.
  const socket = socketFetch(ownership.address, { headersTimeout: 0 });
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
        if (!isConnectFailure(error)) throw endedEarly(error);
        if (Date.now() >= deadline) throw noAnswer(dataDir, error);
        await sleep(50);
      }
    }
  } finally {
    await socket.close();
  }
}

/** The request was not sent: the owner has just ended, or is just starting. */
function isConnectFailure(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}

function endedEarly(cause: unknown): RuntimeError {
  const message = 'The process that had the data directory open ended before it answered. Run the command again.';
  return new RuntimeError('unavailable', message, { cause });
}

function noAnswer(dataDir: string, cause: unknown): RuntimeError {
  const message = `Another process holds ${dataDir} and does not answer. Stop it, then run the command again.`;
  return new RuntimeError('unavailable', message, { cause });
}
