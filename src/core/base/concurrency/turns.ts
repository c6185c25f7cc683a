export interface Turn {
  tenantId: string;
  /** Tasks that it may begin. */
  count: number;
}

export interface TurnLimits {
  /** Tasks at once. */
  all: number;
  ofTenant: number;
}

/**
 * Which tenants begin a task next: those with the fewest running tasks, then the least recently
 * served.
 */
export class Turns {
  private readonly limits: TurnLimits;
  /** Least recently served first. */
  private readonly served = new Set<string>();

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** `running` has one entry for each task: its tenant. */
  next(tenants: readonly string[], running: readonly string[]): Turn[] {
    const counts = new Map<string, number>();
    for (const tenantId of running) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    const turns = new Map<string, number>();
    const order = this.inOrder(tenants);
    for (let free = this.limits.all - running.length; free > 0; free -= 1) {
      const [first] = order
        .filter((tenantId) => (counts.get(tenantId) ?? 0) < this.limits.ofTenant)
        .sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
      if (first === undefined) break;
      counts.set(first, (counts.get(first) ?? 0) + 1);
      turns.set(first, (turns.get(first) ?? 0) + 1);
    }
    for (const tenantId of turns.keys()) {
      this.served.delete(tenantId);
      this.served.add(tenantId);
    }
    return [...turns].map(([tenantId, count]) => ({ tenantId, count }));
  }

  /** Tenants that were never served come first. */
  private inOrder(tenants: readonly string[]): string[] {
    const known = new Set(tenants);
    for (const tenantId of this.served) if (!known.has(tenantId)) this.served.delete(tenantId);
    const unserved = tenants.filter((tenantId) => !this.served.has(tenantId));
    return [...unserved, ...this.served];
  }
}
