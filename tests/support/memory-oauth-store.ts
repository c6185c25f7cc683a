import type {
  GrantOfUser,
  OAuthRecord,
  OAuthStore,
  StoredClient,
  StoredGrant,
  TokenFacts,
} from '../../src/core/access/oauth/store.ts';

type User = TokenFacts['user'] & { tenantId: string };

/** The port `OAuthStore` in memory, as the contract's second backend: plain enough to see that it is right. */
export class MemoryOAuthStore implements OAuthStore {
  private readonly users: readonly User[];
  private readonly stored = {
    clients: new Map<string, StoredClient>(),
    grants: new Map<string, StoredGrant>(),
    records: new Map<string, OAuthRecord>(),
  };

  constructor(users: readonly User[]) {
    this.users = users;
  }

  async putClient(client: StoredClient): Promise<void> {
    this.stored.clients.set(client.id, structuredClone(client));
  }

  async findClient(id: string): Promise<StoredClient | null> {
    return structuredClone(this.stored.clients.get(id) ?? null);
  }

  async clients({ kind, limit, offset }: Parameters<OAuthStore['clients']>[0]) {
    const matching = [...this.stored.clients.values()].filter((client) => kind === undefined || client.kind === kind);
    const newest = matching.toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1));
    return { items: structuredClone(newest.slice(offset, offset + limit)), total: matching.length };
  }

  async touchClient(id: string, at: number): Promise<void> {
    const client = this.stored.clients.get(id);
    if (client) client.lastUsedAt = at;
  }

  async removeClient(id: string, at: number) {
    const ended: StoredGrant[] = [];
    for (const grant of this.stored.grants.values()) {
      if (grant.clientId === id && (await this.endGrant(grant.id, at))) ended.push(structuredClone(grant));
    }
    return { removed: this.stored.clients.delete(id), ended };
  }

  async createGrant(grant: StoredGrant): Promise<void> {
    this.stored.grants.set(grant.id, structuredClone(grant));
  }

  async findGrant(id: string): Promise<StoredGrant | null> {
    return structuredClone(this.stored.grants.get(id) ?? null);
  }

  async grants(of: Parameters<OAuthStore['grants']>[0], { limit, offset }: Parameters<OAuthStore['grants']>[1]) {
    const live = [...this.stored.grants.values()].filter(
      ({ tenantId, userId, sessionVersion, activatedAt, endedAt, expiresAt }) =>
        this.users.find(({ id }) => id === userId)?.sessionVersion === sessionVersion &&
        (of.tenantId === null || tenantId === of.tenantId) &&
        (of.userId === null || userId === of.userId) &&
        activatedAt !== null &&
        endedAt === null &&
        expiresAt > of.now,
    );
    const newest = live.toSorted((one, other) => other.createdAt - one.createdAt || (one.id > other.id ? -1 : 1));
    const items = newest.slice(offset, offset + limit).map((grant): GrantOfUser => {
      return { ...structuredClone(grant), email: this.users.find(({ id }) => id === grant.userId)?.email ?? '' };
    });
    return { items, total: live.length };
  }

  async activateGrant(id: string, at: number): Promise<void> {
    const grant = this.stored.grants.get(id);
    if (grant) grant.activatedAt ??= at;
  }

  async touchGrant(id: string, at: number): Promise<void> {
    const grant = this.stored.grants.get(id);
    if (grant) grant.lastUsedAt = at;
  }

  async endGrant(id: string, at: number): Promise<boolean> {
    const grant = this.stored.grants.get(id);
    for (const [key, record] of this.stored.records) if (record.grantId === id) this.stored.records.delete(key);
    if (!grant || grant.endedAt !== null) return false;
    grant.endedAt = at;
    return true;
  }

  async put(record: OAuthRecord, keep: number): Promise<void> {
    this.stored.records.set(keyOf(record.kind, record.id), structuredClone(record));
    if (record.grantId === null) return;
    const same = [...this.stored.records.values()].filter(
      ({ kind, grantId }) => kind === record.kind && grantId === record.grantId,
    );
    const newestFirst = same.toSorted((one, other) => other.createdAt - one.createdAt);
    for (const { kind, id } of newestFirst.slice(keep)) this.stored.records.delete(keyOf(kind, id));
  }

  async find(kind: string, id: string): Promise<OAuthRecord | null> {
    return structuredClone(this.stored.records.get(keyOf(kind, id)) ?? null);
  }

  async consume(kind: string, id: string, at: number): Promise<boolean> {
    const record = this.stored.records.get(keyOf(kind, id));
    if (!record || record.consumedAt !== null) return false;
    record.consumedAt = at;
    return true;
  }

  async remove(kind: string, id: string): Promise<void> {
    this.stored.records.delete(keyOf(kind, id));
  }

  async removeOfGrant(grantId: string, kind: string): Promise<void> {
    for (const [key, record] of this.stored.records) {
      if (record.grantId === grantId && record.kind === kind) this.stored.records.delete(key);
    }
  }

  async findToken(token: string): Promise<TokenFacts | null> {
    const record = this.stored.records.get(keyOf('AccessToken', token));
    const grant = this.stored.grants.get(record?.grantId ?? '');
    const user = this.users.find(({ id, tenantId }) => id === grant?.userId && tenantId === grant.tenantId);
    if (!record || !grant || !user) return null;
    const { tenantId: _, ...facts } = user;
    const { resource, createdAt, activatedAt, ...ofGrant } = grant;
    return structuredClone({
      grant: ofGrant,
      content: record.content,
      expiresAt: record.expiresAt,
      user: facts,
      timezone: 'UTC',
    });
  }

  async prune(before: Parameters<OAuthStore['prune']>[0]): Promise<void> {
    const { clients, grants, records } = this.stored;
    for (const [key, { expiresAt }] of records) if (expiresAt < before.records) records.delete(key);
    for (const [id, { expiresAt, endedAt, activatedAt, createdAt }] of grants) {
      const isOver = expiresAt < before.grants || (endedAt !== null && endedAt < before.grants);
      if (isOver || (activatedAt === null && createdAt < before.unusedGrants)) grants.delete(id);
    }
    const inUse = new Set([...grants.values()].map(({ clientId }) => clientId));
    for (const [id, { kind, lastUsedAt, createdAt }] of clients) {
      const isIdle = lastUsedAt === null ? createdAt < before.unusedClients : lastUsedAt < before.idleClients;
      if (kind === 'registered' && isIdle && !inUse.has(id)) clients.delete(id);
    }
  }
}

const keyOf = (kind: string, id: string) => `${kind} ${id}`;
