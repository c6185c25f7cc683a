import type { MemoryBudget } from '../core/shared/memory-budget.ts';

/** Taken before anything is sent: most answers are smaller, and find their room once the API has done its work. */
const FIRST_BYTES = 64 * 1024;

/** What one answer has of the room for all. */
export class BudgetShare {
  private readonly room: MemoryBudget;
  private readonly tenantId: string;
  private taken: number;
  private needed = 0;

  /** Throws `unavailable` when there is no room for an answer. */
  constructor(room: MemoryBudget, tenantId: string, maxBytes: number) {
    this.room = room;
    this.tenantId = tenantId;
    this.taken = Math.min(FIRST_BYTES, maxBytes);
    room.reserve(tenantId, this.taken);
  }

  /** Whether there is room for so many bytes more. */
  grow(bytes: number): boolean {
    const missing = Math.max(this.needed + bytes - this.taken, 0);
    if (!this.room.tryReserve(this.tenantId, missing)) return false;
    this.taken += missing;
    this.needed += bytes;
    return true;
  }

  release(): void {
    this.room.release(this.tenantId, this.taken);
  }
}
