import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Connection } from '../core/agents/chat/provider.ts';
import type { CallPolicy } from '../core/agents/connectors/call/transport.ts';
import { CONNECTOR_LIMITS } from '../core/agents/connectors/definition/resource-schema.ts';
import { isWithin } from '../core/base/network/addresses.ts';
import {
  BlockedAddress,
  guardAgent,
  guardedLookup,
  isBlockedLiteral,
  isPublicAddress,
  type MayReach,
} from './guard.ts';

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** Per origin and tenant: the most concurrent calls of one connector, and some for tokens. */
const CALL_CONNECTIONS = CONNECTOR_LIMITS.concurrent.maximum + 12;

export type NetworkPolicy = Pick<Connection, 'allowPrivateNetwork'>;

/** For clients that take Node's agents instead of a `fetch`. */
export interface NodeAgents {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
}

/** One pool per policy, created on first use and shared. */
export interface Dispatchers {
  /** Only connecting has a timeout. */
  dispatcherFor(policy: NetworkPolicy): Dispatcher;
  /** Tenants share no connections; a pool reaches only its policy's networks. */
  callDispatcherFor(policy: CallPolicy): Dispatcher;
  /** Shared: destroying an agent aborts the requests of all its users. */
  nodeAgentsFor(policy: NetworkPolicy): NodeAgents;
  /** Aborts every connection. Later requests open new ones. */
  closeDispatchers(): Promise<void>;
}

export interface DispatcherOptions {
  lookup?: LookupFunction;
  mayReach?: MayReach;
  maxCallPools?: number;
}

/** For tests; the server uses `dispatchers`. */
export function makeDispatchers(options: DispatcherOptions = {}): Dispatchers {
  const { lookup = dns.lookup as LookupFunction, mayReach = isPublicAddress } = options;
  const pools = new Map<boolean, Agent>();
  const callPools = new CallPools(makeCallDispatcher, options.maxCallPools);
  const agents = new Map<boolean, NodeAgents>();

  function makeDispatcher(allowPrivateNetwork: boolean): Agent {
    return agentOf(
      allowPrivateNetwork
        ? buildConnector({ lookup, timeout: CONNECT_MS })
        : guardedConnector(lookup, mayReach, CONNECT_MS),
    );
  }

  function makeCallDispatcher(networks: readonly string[]): Agent {
    const mayCall: MayReach = (address) => mayReach(address) || isWithin(address, networks);
    return agentOf(guardedConnector(lookup, mayCall, CONNECT_MS), CALL_CONNECTIONS);
  }

  function makeNodeAgents(allowPrivateNetwork: boolean): NodeAgents {
    // Closes idle connections only; active requests merely get an event.
    const settings = { keepAlive: true, timeout: IDLE_MS, lookup };
    const [httpAgent, httpsAgent] = [new http.Agent(settings), new https.Agent(settings)];
    if (allowPrivateNetwork) return { httpAgent, httpsAgent };
    return {
      httpAgent: guardAgent(httpAgent, lookup, mayReach),
      httpsAgent: guardAgent(httpsAgent, lookup, mayReach),
    };
  }

  return {
    dispatcherFor: ({ allowPrivateNetwork }) => remembered(pools, allowPrivateNetwork, makeDispatcher),
    callDispatcherFor: (policy) => callPools.poolFor(policy),
    nodeAgentsFor: ({ allowPrivateNetwork }) => remembered(agents, allowPrivateNetwork, makeNodeAgents),
    async closeDispatchers() {
      const [openPools, openAgents] = [[...pools.values(), ...callPools.clear()], [...agents.values()]];
      pools.clear();
      agents.clear();
      for (const { httpAgent, httpsAgent } of openAgents) {
        httpAgent.destroy();
        httpsAgent.destroy();
      }
      await Promise.all(openPools.map((pool) => pool.destroy()));
    },
  };
}

function agentOf(connect: buildConnector.connector, connections: number | null = null): Agent {
  return new Agent({
    connect,
    connections,
    // A second request would wait for the end of the first one's stream.
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function remembered<V>(made: Map<boolean, V>, key: boolean, make: (key: boolean) => V): V {
  const value = made.get(key) ?? make(key);
  made.set(key, value);
  return value;
}

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

  /** Use the pool immediately: the next call may close an idle one. */
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

/** An undici connector behind the SSRF guard. */
export function guardedConnector(
  lookup: LookupFunction,
  mayReach: MayReach,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(lookup, mayReach), timeout: timeoutMs });
  return (options, callback) => {
    // In the next tick: undici has yet to queue the request.
    if (isBlockedLiteral(options.hostname, mayReach)) {
      process.nextTick(callback, new BlockedAddress(options.hostname), null);
    } else {
      connect(options, callback);
    }
  };
}

export const dispatchers = makeDispatchers();
export const { dispatcherFor, nodeAgentsFor, closeDispatchers } = dispatchers;
