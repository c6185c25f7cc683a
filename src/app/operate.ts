import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Config } from '../config.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { OwnerOperations } from '../http/owner-operations.ts';
import { createLog, type Log } from '../logging/log.ts';
import { OPERATIONS_PATH } from '../ownership/owner.ts';
import { Ownership } from '../ownership/ownership.ts';
import { socketFetch } from '../ownership/socket.ts';

const DEADLINE_MS = 15_000;

type Input<Name extends keyof OwnerOperations> = z.input<OwnerOperations[Name]['input']>;
type Output<Name extends keyof OwnerOperations> = Awaited<ReturnType<OwnerOperations[Name]['run']>>;

/** Commands that write nothing into the directory. */
const COPYING = new Set(['backup', 'export']);

/** A starting `serve` takes over. Loads the server only when this process owns the directory. */
export function ownershipForCommand(
  config: Config,
  log: Log,
  command: string,
  onError = (error: unknown) => log.error({ err: error }, 'the data directory could not be opened'),
): Ownership {
  return new Ownership({
    dataDir: config.dataDir,
    yields: true,
    info: () => ({ command, pid: process.pid }),
    open: async () => {
      const { openServer } = await import('./server.ts');
      return openServer(config, log, undefined, undefined, { isForCopy: COPYING.has(command) });
    },
    onError,
  });
}

/** Runs an operation in the owner. Without an owner, this process becomes it. */
export async function operate<Name extends keyof OwnerOperations>(
  config: Config,
  { command, name, input }: { command: string; name: Name; input: Input<Name> },
): Promise<Output<Name>> {
  const ownership = ownershipForCommand(config, createLog(config.logLevel), command);
  try {
    const response = await askOwner(ownership, config.dataDir, { name, input });
    const [{ OPERATION_HEADER }, { errorOfBody }] = await Promise.all([
      import('../http/owner-operations.ts'),
      import('../http/errors.ts'),
    ]);
    if (response.status === 404 && response.headers.get(OPERATION_HEADER) !== name) throw await tooOld(ownership);
    const body: unknown = await response.json();
    if (response.ok) return body as Output<Name>;
    throw errorOfBody(body);
  } finally {
    await ownership.close();
  }
}

async function tooOld(ownership: Ownership): Promise<RuntimeError> {
  const owner = await ownership.owner();
  const holder = owner ? `${owner.command}, process ${owner.pid}` : 'unknown';
  const message = `The process that has the data directory open (${holder}) runs an older version without this operation: restart it with this version, then run the command again.`;
  return new RuntimeError('unavailable', message);
}

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
