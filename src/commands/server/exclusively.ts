import type { Config } from '../../config.ts';
import { conflict, type RuntimeError } from '../../core/base/shared/errors.ts';
import type { OwnedServer, OwnerInfo } from '../../ownership/owner.ts';
import { Ownership } from '../../ownership/ownership.ts';

export interface ExclusiveWork {
  command: string;
  doing: string;
  undone: string;
}

/** Throws `conflict` when another process has the directory open. */
export async function exclusively<Result>(
  { dataDir }: Config,
  { command, doing, undone }: ExclusiveWork,
  work: () => Promise<Result>,
): Promise<Result> {
  const ownership = new Ownership({
    dataDir,
    yields: false,
    info: () => ({ command, pid: process.pid }),
    open: async () => refusingServer(doing),
  });
  try {
    if (!(await ownership.tryOwn())) throw inUse(dataDir, await ownership.owner(), undone);
    return await work();
  } finally {
    await ownership.close();
  }
}

function refusingServer(doing: string): OwnedServer {
  return {
    listener: (_request, response) => {
      const body = { statusCode: 503, message: `${doing}. Try again.`, error: 'Service Unavailable' };
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(JSON.stringify(body));
    },
    close: async () => undefined,
  };
}

function inUse(dataDir: string, owner: OwnerInfo | null, undone: string): RuntimeError {
  const who = owner ? `${owner.command}, process ${owner.pid}` : 'a process that does not answer';
  return conflict(`${dataDir} is in use (${who}). Stop that first; ${undone}.`);
}
