import { ownershipForCommand } from '../../app/operate.ts';
import type { Config } from '../../config.ts';
import type { Scope } from '../../core/base/shared/caller.ts';
import type { Destination } from '../../importing/send.ts';
import { createLog } from '../../logging/log.ts';
import { announceNew } from './administer.ts';

const DAY_MS = 86_400_000;

export interface Access {
  /** The command, which is also the label of its key. */
  command: string;
  /** Name or id. At a remote server, the key decides. */
  tenant: string;
  agentId?: string | null | undefined;
  scopes: [Scope, ...Scope[]];
}

export async function withDestination<Result>(
  config: Config,
  access: Access,
  work: (destination: Destination) => Promise<Result>,
): Promise<Result> {
  const { command, tenant, agentId = null, scopes } = access;
  if (config.url !== undefined) {
    if (config.apiKey === undefined) {
      throw new Error(`Set AGENT_RUNTIME_API_KEY to a key with the scope ${scopes.join(' and ')}.`);
    }
    return work({ url: config.url.replace(/\/$/, ''), apiKey: config.apiKey, fetch });
  }
  await announceNew(config);
  // Rate limits are for callers, not for the operator.
  const ownership = ownershipForCommand({ ...config, rateLimit: 0 }, createLog(config.logLevel), command);
  const { openState } = await import('../../app/state.ts');
  const state = await openState(config);
  try {
    // Fails early when the directory cannot be opened.
    await ownership.tryOwn();
    void ownership.watch();
    const { id: tenantId } = await state.tenants.get(tenant);
    const { id, key } = await state.keys.create(
      tenantId,
      { agentId, label: command, scopes, expiresAt: Date.now() + DAY_MS },
      null,
    );
    try {
      return await work({ url: 'http://localhost', apiKey: key, fetch: ownership.fetch });
    } finally {
      await state.keys.revoke(id, null);
    }
  } finally {
    await ownership.close();
    await state.close();
  }
}
