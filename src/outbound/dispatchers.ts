import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Connection } from '../core/chat/provider.ts';
import type { CallPolicy } from '../core/connectors/call/transport.ts';
import { LIMITS } from '../core/connectors/definition/limits.ts';
import { isWithin } from '../core/shared/addresses.ts';
import { isPublicAddress } from './addresses.ts';
import { CallPools } from './call-pools.ts';
import { guardAgent, guardedConnector, type MayReach } from './guard.ts';

export { BlockedAddress } from './guard.ts';

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** To one origin, for one tenant: as many as one connector may have calls, and some for tokens. */
const CALL_CONNECTIONS = LIMITS.concurrent.maximum + 12;

/** Whether addresses that are not public may be reached. */
export type NetworkPolicy = Pick<Connection, 'allowPrivateNetwork'>;

/** For whoever takes the agents of Node.js and not a `fetch`. */
export interface NodeAgents {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
}

/** The connections to other servers: one pool per policy, made when first asked for and shared by all. */
export interface Dispatchers {
  /** For undici. Has no time-outs but for connecting: who asks knows how long an answer may take. */
  dispatcherFor(policy: NetworkPolicy): Dispatcher;
  /** For calls of connectors: no tenant gets a connection of another one, nor one to a network that its policy has not. */
  callDispatcherFor(policy: CallPolicy): Dispatcher;
  /** As agents. Whoever destroys them breaks off what all others have running. */
  nodeAgentsFor(policy: NetworkPolicy): NodeAgents;
  /** Breaks off every connection. What is asked for later is made anew. */
  closeDispatchers(): Promise<void>;
}

export interface DispatcherOptions {
  lookup?: LookupFunction;
  /** Which addresses may be reached where the private network may not. */
  mayReach?: MayReach;
  /** How many pools for calls there are before idle ones are closed. */
  maxCallPools?: number;
}

/** Connections of their own; the server has one such set, `dispatchers`. */
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
    // The time-out ends connections that nobody uses; those in use only hear of it.
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
    // A second request on a connection would wait for the end of the first one's stream.
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

/** The server's own. */
export const dispatchers = makeDispatchers();
export const { dispatcherFor, nodeAgentsFor, closeDispatchers } = dispatchers;
