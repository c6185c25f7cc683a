import type { z } from 'zod';
import type { Config } from '../config.ts';
import { RuntimeError } from '../core/shared/errors.ts';
import type { OwnerOperations } from '../http/owner-operations.ts';
import { createLog } from '../logging/log.ts';
import { askOwner } from '../ownership/ask-owner.ts';
import { Ownership } from '../ownership/ownership.ts';

type Input<Name extends keyof OwnerOperations> = z.input<OwnerOperations[Name]['input']>;
type Output<Name extends keyof OwnerOperations> = Awaited<ReturnType<OwnerOperations[Name]['run']>>;

/**
 * Has the owner of the data directory do something; this process is the owner for the while when no other is. Throws the
 * owner's own errors.
 */
export async function operate<Name extends keyof OwnerOperations>(
  config: Config,
  { command, name, input }: { command: string; name: Name; input: Input<Name> },
): Promise<Output<Name>> {
  const log = createLog(config.logLevel);
  const ownership = new Ownership({
    dataDir: config.dataDir,
    // To a `serve` that starts meanwhile, as soon as the operation is done.
    yields: true,
    info: () => ({ command, pid: process.pid }),
    open: async () => (await import('./server.ts')).openServer(config, log),
  });
  try {
    const response = await askOwner(ownership, config.dataDir, { name, input });
    // Loaded when asked: what only one command needs must not make every other one start more slowly.
    const [{ OPERATION_HEADER: ANSWERED_BY }, { errorOfBody }] = await Promise.all([
      import('../http/owner-operations.ts'),
      import('../http/errors.ts'),
    ]);
    if (response.status === 404 && response.headers.get(ANSWERED_BY) !== name) throw await tooOld(ownership);
    const body: unknown = await response.json();
    if (response.ok) return body as Output<Name>;
    throw errorOfBody(body);
  } finally {
    await ownership.close();
  }
}

async function tooOld(ownership: Ownership): Promise<RuntimeError> {
  const owner = await ownership.owner();
  const who = owner ? `${owner.command}, process ${owner.pid}` : 'the process';
  const message = `What has the data directory open (${who}) is of an older version, which cannot do this: restart it with this version, then run the command again.`;
  return new RuntimeError('unavailable', message);
}
