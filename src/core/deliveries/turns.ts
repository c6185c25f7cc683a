/** Attempts at once. */
const MAX_AT_ONCE = 8;
const MAX_OF_TENANT = 2;

export interface Turn {
  tenantId: string;
  /** Deliveries that it may begin. */
  count: number;
}

/** Which tenants send next: those with the fewest running attempts, then the least recently served. */
export class Turns {
  /** Least recently served first. */
  private readonly served = new Set<string>();

  /** `running` has one entry for each attempt: its tenant. */
  next(tenants: readonly string[], running: readonly string[]): Turn[] {
    const counts = new Map<string, number>();
    for (const tenantId of running) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    const turns = new Map<string, number>();
    const order = this.inOrder(tenants);
    for (let free = MAX_AT_ONCE - running.length; free > 0; free -= 1) {
      const [first] = order
        .filter((tenantId) => (counts.get(tenantId) ?? 0) < MAX_OF_TENANT)
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
