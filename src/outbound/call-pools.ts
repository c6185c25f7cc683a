import type { Agent } from 'undici';
import type { CallPolicy } from '../core/agents/connectors/call/transport.ts';

/** More tenants than call within 30 s, when idle connections close. */
const MAX_POOLS = 1_000;

/** One connection pool per tenant and set of allowed networks. */
export class CallPools {
  private readonly make: (networks: readonly string[]) => Agent;
  private readonly limit: number;
  /** Least recently used first. */
  private readonly pools = new Map<string, Agent>();

  constructor(make: (networks: readonly string[]) => Agent, limit = MAX_POOLS) {
    this.make = make;
    this.limit = limit;
  }

  /** Use the pool at once: the next call may close an idle one. */
  poolFor({ tenantId, allowPrivateNetworks }: CallPolicy): Agent {
    const key = `${tenantId} ${nameOf(allowPrivateNetworks)}`;
    const pool = this.pools.get(key) ?? this.add(allowPrivateNetworks);
    this.pools.delete(key);
    this.pools.set(key, pool);
    return pool;
  }

  clear(): Agent[] {
    const all = [...this.pools.values()];
    this.pools.clear();
    return all;
  }

  private add(networks: readonly string[]): Agent {
    if (this.pools.size >= this.limit) this.closeOldestIdle();
    return this.make(networks);
  }

  /** If every pool is in use, the limit is exceeded for a while. */
  private closeOldestIdle(): void {
    for (const [key, pool] of this.pools) {
      if (!isIdle(pool)) continue;
      this.pools.delete(key);
      void pool.close();
      return;
    }
  }
}

const names = new WeakMap<readonly string[], string>();

/** Independent of the order of the networks. */
function nameOf(networks: readonly string[]): string {
  const name = names.get(networks) ?? JSON.stringify([...new Set(networks)].sort());
  names.set(networks, name);
  return name;
}

function isIdle(pool: Agent): boolean {
  return Object.values(pool.stats).every(({ size }) => size === 0);
}
