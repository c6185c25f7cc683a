import type { Config } from '../../config.ts';
import type { Scope } from '../../core/shared/caller.ts';
import type { Destination } from '../../importing/send.ts';
import { createLog } from '../../logging/log.ts';
import { Ownership } from '../../ownership/ownership.ts';
import { announceNew } from './options.ts';

const DAY_MS = 86_400_000;

/** What a command does at a server. */
export interface Errand {
  /** Its name; the label of its key, too. */
  command: string;
  /** Whose data it works on: name or id. A key for a server elsewhere says that itself. */
  tenant: string;
  agentId?: string | null | undefined;
  /** Which it needs; the first is the one to be named. */
  scopes: [Scope, ...Scope[]];
}

/** A server elsewhere, or the owner of the data directory: this process itself if there is none. */
export async function withDestination<Result>(
  config: Config,
  errand: Errand,
  work: (destination: Destination) => Promise<Result>,
): Promise<Result> {
  const { command, tenant, agentId = null, scopes } = errand;
  if (config.url !== undefined) {
    if (config.apiKey === undefined) {
      throw new Error(`Set AGENT_RUNTIME_API_KEY to a key with the scope ${scopes.join(' and ')}.`);
    }
    return work({ url: config.url.replace(/\/$/, ''), apiKey: config.apiKey, fetch });
  }
  announceNew(config.dataDir);
  const log = createLog(config.logLevel);
  const ownership = new Ownership({
    dataDir: config.dataDir,
    yields: true,
    info: () => ({ command, pid: process.pid }),
    // The operator's own work is not held up by a limit meant for callers.
    open: async () => (await import('../../app/server.ts')).openServer({ ...config, rateLimit: 0 }, log),
    onError: (error) => log.error({ err: error }, 'the data directory could not be opened'),
  });
  const { openState } = await import('../../app/state.ts');
  const state = await openState(config);
  try {
    // A directory that cannot be opened is known before anything is read.
    await ownership.tryOwn();
    void ownership.watch();
    // A key for this command alone: the operator's way in is the same door that everybody uses.
    const { id: tenantId } = await state.auth.tenant(tenant);
    const { id, key } = await state.auth.createKey(
      tenantId,
      { agentId, label: command, scopes, expiresAt: Date.now() + DAY_MS },
      null,
    );
    try {
      return await work({ url: 'http://localhost', apiKey: key, fetch: ownership.fetch });
    } finally {
      await state.auth.revokeKey(id);
    }
  } finally {
    await ownership.close();
    await state.close();
  }
}
