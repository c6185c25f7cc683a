import type { Agent } from 'undici';
import type { CallPolicy } from '../core/connectors/call/transport.ts';

/** More tenants than call within the half minute that an idle connection is kept; a pool without connections is small. */
const MAX_POOLS = 1_000;

/** Connections for calls of connectors: one pool for each tenant and each set of networks that it may reach. */
export class CallPools {
  private readonly make: (networks: readonly string[]) => Agent;
  private readonly limit: number;
  /** The one that was asked for longest ago comes first. */
  private readonly pools = new Map<string, Agent>();

  constructor(make: (networks: readonly string[]) => Agent, limit = MAX_POOLS) {
    this.make = make;
    this.limit = limit;
  }

  /** To be used at once: a pool that nothing runs on may be closed when another one is asked for. */
  poolFor({ tenantId, allowPrivateNetworks }: CallPolicy): Agent {
    const key = `${tenantId} ${nameOf(allowPrivateNetworks)}`;
    const pool = this.pools.get(key) ?? this.add(allowPrivateNetworks);
    this.pools.delete(key);
    this.pools.set(key, pool);
    return pool;
  }

  /** Forgets all pools, and hands them over. */
  clear(): Agent[] {
    const all = [...this.pools.values()];
    this.pools.clear();
    return all;
  }

  private add(networks: readonly string[]): Agent {
    if (this.pools.size >= this.limit) this.closeOldestIdle();
    return this.make(networks);
  }

  /** Where all are in use there are more than the limit for a while. */
  private closeOldestIdle(): void {
    for (const [key, pool] of this.pools) {
      if (!isIdle(pool)) continue;
      this.pools.delete(key);
      void pool.close();
      return;
    }
  }
}

/** The lists of definitions stay as they are, and each call asks. */
const names = new WeakMap<readonly string[], string>();

/** The same for the same networks in another order. */
function nameOf(networks: readonly string[]): string {
  const name = names.get(networks) ?? JSON.stringify([...new Set(networks)].sort());
  names.set(networks, name);
  return name;
}

/** Whether no request runs on it or waits for a connection. */
function isIdle(pool: Agent): boolean {
  return Object.values(pool.stats).every(({ size }) => size === 0);
}
