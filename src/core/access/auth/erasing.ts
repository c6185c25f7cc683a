import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicTask } from '../../base/concurrency/timers.ts';
import type { Tenant } from './schema.ts';
import type { TenantStore } from './store.ts';

interface ErasingParts {
  store: TenantStore;
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
  private readonly renewals = new Map<string, PeriodicTask>();

  constructor(parts: ErasingParts) {
    this.parts = parts;
  }

  /**
   * Refuses keys, logins and writes of the tenant in every process. Earlier writes of this one may
   * still run. Returns whether an earlier erasure was interrupted, or goes on elsewhere.
   */
  async begin(tenantId: string): Promise<boolean> {
    const { store, isShared, onError } = this.parts;
    this.block(tenantId);
    const isRepeated = await store.markErasing(tenantId);
    const run = () => store.markErasing(tenantId);
    this.renewals.set(tenantId, new PeriodicTask({ everyMs: RENEW_MS, run, onError }));
    if (isShared) await sleep(ERASURE_VISIBLE_AFTER_MS);
    return isRepeated;
  }

  /** `isErased`: nothing of the tenant may come back; else it is let in again. */
  async end(tenantId: string, { isErased }: { isErased: boolean }): Promise<void> {
    await this.renewals.get(tenantId)?.close();
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

  /** Notes the state of a tenant that was just read. */
  note({ id, isBeingErased }: Pick<Tenant, 'id' | 'isBeingErased'>): void {
    if (isBeingErased) this.elsewhere.add(id);
    else this.elsewhere.delete(id);
  }

  /**
   * For the only process, at its start: erasures that it finds were interrupted. Returns the ids of
   * the tenants.
   */
  unmarkInterrupted(): Promise<string[]> {
    return this.parts.store.unmarkInterrupted();
  }

  /** Where other processes erase, too: knows of it within a second. Returns how to stop. */
  watch(): PeriodicTask {
    return new PeriodicTask({ everyMs: WATCH_MS, run: () => this.look(), onError: this.parts.onError });
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
