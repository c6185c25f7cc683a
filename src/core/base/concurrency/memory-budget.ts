import { RuntimeError } from '../shared/errors.ts';

/** Limits the bytes that all requests hold together. One tenant may hold half of them. */
export class MemoryBudget {
  private readonly limit: number;
  private readonly byTenant = new Map<string, number>();
  private reserved = 0;

  /** Bytes after decompression, or another unit of the caller. */
  constructor(limit: number) {
    this.limit = limit;
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
    if (this.reserved + bytes > this.limit || ofTenant > this.limit / 2) return false;
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
