import { formatUtc } from '../events/time.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import { notFound, RuntimeError } from '../shared/errors.ts';
import type { Page } from '../shared/paging.ts';
import { administers } from '../shared/roles.ts';
import type { UserStore } from '../users/store.ts';
import { mayGiveRole, mayGrant } from './rights.ts';
import type { ApiKey, IssuedKey, PageQuery, RequestKey, ShownKey } from './schema.ts';
import type { AuthService } from './service.ts';
import type { AgentStore, KeyStore } from './store.ts';

export interface KeyParts {
  auth: AuthService;
  keys: KeyStore;
  agents: AgentStore;
  users: UserStore;
}

/**
 * API keys in the hands of portal users: administrators have those of their tenant, others those that they made. Nobody
 * comes by a key that may do more than they may themselves.
 */
export class KeyService {
  private readonly parts: KeyParts;

  constructor(parts: KeyParts) {
    this.parts = parts;
  }

  /** Newest first, revoked ones too. */
  async list(caller: Caller, query: PageQuery): Promise<Page<ShownKey>> {
    requirePortal(caller, 'user');
    const createdBy = administers(caller.role) ? null : caller.userId;
    const { items, total } = await this.parts.keys.page(caller.tenantId, createdBy, query);
    return { items: items.map(shownKey), total };
  }

  /** Throws `forbidden` for scopes that the caller lacks. */
  async create(caller: Caller, input: RequestKey): Promise<IssuedKey> {
    requirePortal(caller, 'user');
    if (input.agentId !== null && !administers(caller.role)) await this.requireAgent(caller.tenantId, input.agentId);
    return this.parts.auth.createKey(caller.tenantId, input, caller);
  }

  /** A new secret, for those who might have made such a key. */
  async rotate(caller: Caller, id: string): Promise<IssuedKey> {
    const key = await this.keyOf(caller, id);
    const excess = key.scopes.filter((scope) => !mayGrant(caller, scope));
    if (excess.length > 0) {
      throw new RuntimeError('forbidden', `You cannot have a key with scopes that you lack: ${excess.join(', ')}.`);
    }
    if (key.scopes.includes('*') && !mayGiveRole(caller, null, await this.ceilingOf(key))) {
      throw new RuntimeError(
        'forbidden',
        'This key may make super administrators. Only one of them, or the operator at the command line, may rotate it.',
      );
    }
    return this.parts.auth.rotateKey(id, caller);
  }

  /** The key, void from now on; one that was revoked before stays as it is. */
  async revoke(caller: Caller, id: string): Promise<ShownKey> {
    await this.keyOf(caller, id);
    return shownKey(await this.parts.auth.revokeKey(id, caller));
  }

  /** Every valid key that a user made, void from now on: for administrators, and for the user. */
  async revokeOf(caller: Caller, createdBy: string): Promise<ShownKey[]> {
    requirePortal(caller, 'user');
    if (!administers(caller.role) && createdBy !== caller.userId) {
      throw new RuntimeError('forbidden', "Only an administrator of the tenant revokes somebody else's keys.");
    }
    return (await this.parts.auth.revokeKeysOf(caller.tenantId, createdBy, caller)).map(shownKey);
  }

  /** The highest role that a key with `*` may make of others: its maker's. */
  private async ceilingOf({ createdBy }: ApiKey) {
    if (createdBy === null) return 'SUPER_ADMIN';
    return (await this.parts.users.find(createdBy))?.role ?? 'SUPER_ADMIN';
  }

  private async keyOf(caller: Caller, id: string): Promise<ApiKey> {
    requirePortal(caller, 'user');
    const key = await this.parts.auth.key(id);
    if (key.tenantId !== caller.tenantId) {
      throw new RuntimeError('forbidden', 'This API key belongs to another tenant.');
    }
    if (administers(caller.role) || key.createdBy === caller.userId) return key;
    throw new RuntimeError('forbidden', "This API key is somebody else's; an administrator of the tenant may.");
  }

  /** An agent comes with a key's first use too, which only those may who create agents. */
  private async requireAgent(tenantId: string, name: string): Promise<void> {
    if ((await this.parts.agents.list(tenantId)).some((agent) => agent.name === name)) return;
    throw notFound(`There is no agent ${JSON.stringify(name)}. An administrator of the tenant can create it.`);
  }
}

/** A key without its secret. */
export function shownKey(key: ApiKey): ShownKey {
  const { id, tenantId, agentId, label, scopes, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = key;
  const iso = (time: number | null) => (time === null ? null : formatUtc(time));
  return {
    ...{ id, tenantId, agentId, label, scopes },
    createdAt: formatUtc(createdAt),
    createdBy,
    expiresAt: iso(expiresAt),
    lastUsedAt: iso(lastUsedAt),
    revokedAt: iso(revokedAt),
  };
}
