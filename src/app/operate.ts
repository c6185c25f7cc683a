import type { z } from 'zod';
import type { Config } from '../config.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { OwnerOperations } from '../http/owner-operations.ts';
import { createLog } from '../logging/log.ts';
import { askOwner } from '../ownership/ask-owner.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { joinDirectory } from './join-directory.ts';

type Input<Name extends keyof OwnerOperations> = z.input<OwnerOperations[Name]['input']>;
type Output<Name extends keyof OwnerOperations> = Awaited<ReturnType<OwnerOperations[Name]['run']>>;

/** Runs an operation in the owner. Without an owner, this process becomes it. */
export async function operate<Name extends keyof OwnerOperations>(
  config: Config,
  { command, name, input }: { command: string; name: Name; input: Input<Name> },
): Promise<Output<Name>> {
  const ownership = joinDirectory(config, createLog(config.logLevel), command);
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
