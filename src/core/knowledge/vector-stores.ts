import type { AuditLog } from '../base/audit/log.ts';
import { reaches } from '../base/filters/limits.ts';
import { alikeNames } from '../base/shared/alike-names.ts';
import { type Caller, requireScope } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { conflict, notFound, outside, type RuntimeError, tooMany } from '../base/shared/errors.ts';
import { listNames } from '../base/shared/names.ts';
import { pageOf } from '../base/shared/paging.ts';
import { formatUtc } from '../base/time/time.ts';
import type { Embedders } from './embedder.ts';
import type { ShownStore } from './schema.ts';
import type { KnowledgeStore, VectorStore } from './store.ts';

export interface VectorStoreParts {
  store: KnowledgeStore;
  embedders: Embedders;
  ingestion: { wake(): void };
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const MAX_STORES = 1_000;

/** The vector stores of a tenant, within the limits of the caller. */
export class VectorStoreService {
  private readonly parts: VectorStoreParts;

  constructor(parts: VectorStoreParts) {
    this.parts = parts;
  }

  async list(
    caller: Caller,
    page: { limit: number; offset: number },
  ): Promise<{ stores: ShownStore[]; total: number }> {
    requireScope(caller, 'knowledge:read');
    const { items, total } = pageOf(await this.of(caller), page);
    return { stores: await this.shown(caller, items), total };
  }

  async get(caller: Caller, name: string): Promise<ShownStore> {
    requireScope(caller, 'knowledge:read');
    const [shown] = await this.shown(caller, [await this.own(caller, name)]);
    return shown!;
  }

  /**
   * Throws `conflict` where there is one, and `unprocessable` where the embedder is not set up, or
   * the tenant has as many as it can.
   */
  async create(caller: Caller, name: string): Promise<ShownStore> {
    requireScope(caller, 'knowledge:write');
    requireReach(caller, name);
    const { store, embedders, effects, audit } = this.parts;
    const { configured: embedder } = embedders;
    // Only checks the configuration.
    embedders.of(embedder, null);
    // Each has tables of its own, whose number slows all tenants.
    if ((await store.listStores(caller.tenantId)).length >= MAX_STORES) throw tooMany('vector stores', MAX_STORES);
    if (!(await store.createStore(caller.tenantId, { name, embedder, now: effects.now() }))) throw taken(name);
    await audit.record(caller, caller.tenantId, 'vector_store.created', name);
    return this.get(caller, name);
  }

  /** Throws `conflict` where the new name is taken. */
  async rename(caller: Caller, name: string, next: string): Promise<ShownStore> {
    requireScope(caller, 'knowledge:write');
    await this.own(caller, name);
    requireReach(caller, next);
    if (next !== name) {
      const outcome = await this.parts.store.renameStore(caller.tenantId, name, next);
      if (outcome === 'unknown') throw await this.unknown(caller, name);
      if (outcome === 'taken') throw taken(next);
      await this.parts.audit.record(caller, caller.tenantId, 'vector_store.renamed', next, { from: name });
    }
    return this.get(caller, next);
  }

  async drop(caller: Caller, name: string): Promise<void> {
    requireScope(caller, 'knowledge:write');
    const { store, effects, ingestion, audit } = this.parts;
    const isDropped =
      reaches(caller, 'vectorStores', name) && (await store.dropStore(caller.tenantId, name, effects.now()));
    if (!isDropped) throw await this.unknown(caller, name);
    ingestion.wake();
    await audit.record(caller, caller.tenantId, 'vector_store.deleted', name);
  }

  async of(caller: Caller): Promise<VectorStore[]> {
    const all = await this.parts.store.listStores(caller.tenantId);
    return all.filter(({ name }) => reaches(caller, 'vectorStores', name));
  }

  /** Throws `not_found` with the existing names. */
  async own(caller: Caller, name: string): Promise<VectorStore> {
    const found = reaches(caller, 'vectorStores', name) && (await this.parts.store.findStore(caller.tenantId, name));
    if (!found) throw await this.unknown(caller, name);
    return found;
  }

  async unknown(caller: Caller, name: string): Promise<RuntimeError> {
    const names = (await this.of(caller)).map((store) => store.name);
    const near = alikeNames(name, names);
    const known = names.length === 0 ? 'There is none yet.' : `There are ${listNames(near.length > 0 ? near : names)}.`;
    return notFound(`There is no vector store ${JSON.stringify(name)}. ${known}`);
  }

  private async shown(caller: Caller, stores: readonly VectorStore[]): Promise<ShownStore[]> {
    const names = stores.map(({ name }) => name);
    const sizes = names.length === 0 ? {} : await this.parts.store.storeSizes(caller.tenantId, names);
    return stores.map((store) => ({
      ...store,
      size: Object.hasOwn(sizes, store.name) ? sizes[store.name]! : 0,
      createdAt: formatUtc(store.createdAt),
    }));
  }
}

/** Throws `forbidden`, naming the limit. */
export function requireReach(caller: Caller, name: string): void {
  if (!reaches(caller, 'vectorStores', name)) throw outside('vectorStores', `the vector store ${JSON.stringify(name)}`);
}

function taken(name: string): RuntimeError {
  return conflict(`There is a vector store ${JSON.stringify(name)} already. Choose another name.`);
}
