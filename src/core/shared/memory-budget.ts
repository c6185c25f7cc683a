import { RuntimeError } from './errors.ts';

/**
 * How much of what is sent, loaded for it or to be recorded of it all requests together may hold: what is made of it in
 * memory is several times as large. One tenant may hold half of it, so that its slow senders leave room for the others.
 */
export class MemoryBudget {
  private readonly limit: number;
  private readonly heldBy = new Map<string, number>();
  private held = 0;

  /** Bytes after decompression, or whatever else is counted. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Throws `unavailable` when there is no room for so many bytes more. */
  reserve(tenantId: string, bytes: number): void {
    if (this.tryReserve(tenantId, bytes)) return;
    throw new RuntimeError('unavailable', 'Too much is being sent at once; nothing was done. Try again.', {
      retryAfter: 1,
    });
  }

  /** Whether there was room for so many bytes more. */
  tryReserve(tenantId: string, bytes: number): boolean {
    const ofTenant = (this.heldBy.get(tenantId) ?? 0) + bytes;
    if (this.held + bytes > this.limit || ofTenant > this.limit / 2) return false;
    this.held += bytes;
    this.heldBy.set(tenantId, ofTenant);
    return true;
  }

  release(tenantId: string, bytes: number): void {
    this.held -= bytes;
    const left = (this.heldBy.get(tenantId) ?? 0) - bytes;
    if (left > 0) this.heldBy.set(tenantId, left);
    else this.heldBy.delete(tenantId);
  }
}
