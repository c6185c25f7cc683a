import { RuntimeError } from '../shared/errors.ts';
import type { MemoryGuard } from './memory-guard.ts';

/** The part that requests may hold while the process has no room: small ones pass. */
const SHARE_WITHOUT_ROOM = 1 / 32;

/** Limits the bytes that all requests hold together. One tenant may hold half of them. */
export class MemoryBudget {
  private readonly full: number;
  private readonly guard: Pick<MemoryGuard, 'isExhausted'> | null;
  private readonly byTenant = new Map<string, number>();
  private reserved = 0;

  /** Bytes after decompression, or another unit of the caller. */
  constructor(limit: number, guard: Pick<MemoryGuard, 'isExhausted'> | null = null) {
    this.full = limit;
    this.guard = guard;
  }

  /** Throws `unavailable` when the budget is exhausted. */
  reserve(tenantId: string, bytes: number): void {
    if (this.tryReserve(tenantId, bytes)) return;
    throw new RuntimeError('unavailable', 'Too much is being sent at once; nothing was done. Try again.', {
      retryAfter: 1,
    });
  }

  tryReserve(tenantId: string, bytes: number): boolean {
    const ofTenant = (this.byTenant.get(tenantId) ?? 0) + bytes;
    const limit = this.guard?.isExhausted ? this.full * SHARE_WITHOUT_ROOM : this.full;
    if (this.reserved + bytes > limit || ofTenant > limit / 2) return false;
    this.reserved += bytes;
    this.byTenant.set(tenantId, ofTenant);
    return true;
  }

  release(tenantId: string, bytes: number): void {
    this.reserved -= bytes;
    const left = (this.byTenant.get(tenantId) ?? 0) - bytes;
    if (left > 0) this.byTenant.set(tenantId, left);
    else this.byTenant.delete(tenantId);
  }
}
