import type { MemoryBudget } from '../core/base/concurrency/memory-budget.ts';

/** Most responses are smaller; the rest is reserved as it arrives. */
const FIRST_BYTES = 64 * 1024;

export class BudgetShare {
  private readonly budget: MemoryBudget;
  private readonly tenantId: string;
  private reserved: number;
  private used = 0;

  /** Throws `unavailable` when the budget has too little left. */
  constructor(budget: MemoryBudget, tenantId: string, maxBytes: number) {
    this.budget = budget;
    this.tenantId = tenantId;
    this.reserved = Math.min(FIRST_BYTES, maxBytes);
    budget.reserve(tenantId, this.reserved);
  }

  tryReserve(bytes: number): boolean {
    const missing = Math.max(this.used + bytes - this.reserved, 0);
    if (!this.budget.tryReserve(this.tenantId, missing)) return false;
    this.reserved += missing;
    this.used += bytes;
    return true;
  }

  release(): void {
    this.budget.release(this.tenantId, this.reserved);
  }
}
