import type { Caller } from './caller.ts';

/** The agent of what a credential that is bound to no agent writes. */
export const DEFAULT_AGENT = 'default';

/** In place of an agent's name in queries and lists. */
export const ALL_AGENTS = '*';

type OfAgent = Pick<Caller, 'agentId'>;

/** Null for all agents of the tenant. */
export function agentToRead({ agentId: own }: OfAgent, named?: string | null | undefined): string | null {
  if (named === ALL_AGENTS) return null;
  return named === undefined ? own : named;
}

export function agentToWrite({ agentId: own }: OfAgent, named?: string | undefined): string {
  return named ?? own ?? DEFAULT_AGENT;
}
