import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from './schema.ts';
import type { TenantStore } from './store.ts';

interface ErasingParts {
  store: Pick<TenantStore, 'markErasing' | 'unmarkErasing' | 'erasing' | 'find'>;
  /** Other processes serve the same tenants. */
  isShared: boolean;
  onError: (error: unknown) => void;
}

/** How old may be what a process knows of erasures elsewhere. */
const WATCH_MS = 1_000;
/** Until every other process knows, and what it had begun before has reached the stores. */
const ERASURE_VISIBLE_AFTER_MS = 3 * WATCH_MS;
const RENEW_MS = 10_000;

/**
 * Tenants that are being erased, by this process or another one. They are refused as if they did
 * not exist.
 */
export class ErasingTenants {
  private readonly parts: ErasingParts;
  /** Erased ones stay, so that what is under way cannot write behind the erasure. */
  private readonly blocked = new Set<string>();
  private readonly elsewhere = new Set<string>();
  /** How to stop them. */
  private readonly renewals = new Map<string, () => Promise<void>>();

  constructor(parts: ErasingParts) {
    this.parts = parts;
  }

  async begin(tenantId: string): Promise<boolean> {
    const { store, isShared, onError } = this.parts;
    this.block(tenantId);
    const isRepeated = await store.markErasing(tenantId);
    let renewing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = store.markErasing(tenantId).catch(onError);
    }, RENEW_MS).unref();
    this.renewals.set(tenantId, async () => {
      clearInterval(timer);
      await renewing;
    });
    if (isShared) await sleep(ERASURE_VISIBLE_AFTER_MS);
    return isRepeated;
  }

  async end(tenantId: string, isErased: boolean): Promise<void> {
    await this.renewals.get(tenantId)?.();
    this.renewals.delete(tenantId);
    if (isErased) return;
    this.unblock(tenantId);
    // If this fails, too, the mark is void after a while.
    await this.parts.store.unmarkErasing(tenantId).catch(this.parts.onError);
  }

  block(tenantId: string): void {
    this.blocked.add(tenantId);
  }

  unblock(tenantId: string): void {
    this.blocked.delete(tenantId);
    this.elsewhere.delete(tenantId);
  }

  isBlocked(tenantId: string): boolean {
    return this.blocked.has(tenantId) || this.elsewhere.has(tenantId);
  }

  /** What was read of the tenant now. */
  note({ id, isBeingErased }: Pick<Tenant, 'id' | 'isBeingErased'>): void {
    if (isBeingErased) this.elsewhere.add(id);
    else this.elsewhere.delete(id);
  }

  watch(): () => void {
    let isRunning = false;
    const look = async () => {
      if (isRunning) return;
      isRunning = true;
      await this.look().catch(this.parts.onError);
      isRunning = false;
    };
    const timer = setInterval(look, WATCH_MS).unref();
    return () => clearInterval(timer);
  }

  async look(): Promise<void> {
    const { store } = this.parts;
    const erasing = new Set(await store.erasing());
    for (const id of erasing) this.elsewhere.add(id);
    for (const id of this.elsewhere) {
      if (erasing.has(id)) continue;
      this.elsewhere.delete(id);
      if ((await store.find(id)) === null) this.blocked.add(id);
    }
  }
}
