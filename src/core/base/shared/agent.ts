import { type Held, namesWithin } from '../filters/limits.ts';
import type { Caller } from './caller.ts';
import { invalid, outside } from './errors.ts';
import { ALL_AGENTS } from './name-schemas.ts';
import { listNames } from './names.ts';

/** The agent of what a credential that is bound to no agent writes. */
export const DEFAULT_AGENT = 'default';

type OfAgent = Pick<Caller, 'agentId' | 'limits'>;

/** Null for all agents of the tenant. */
export function agentToRead({ agentId: own }: OfAgent, named?: string | null | undefined): string | null {
  if (named === ALL_AGENTS) return null;
  return named === undefined ? own : named;
}

/**
 * The agent of a list that takes one or all (undefined). Throws `invalid` when the caller is held
 * to several and names none.
 */
export function agentWithin(held: Held, named: string | undefined): string | undefined {
  const within = namesWithin(held, 'agents');
  const asked = named === ALL_AGENTS ? undefined : named;
  if (within === null || asked !== undefined) return asked;
  if (within.length === 1) return within[0];
  throw invalid(`agentId: is required, since this credential is held to ${listNames(within)}`);
}

/** Throws `forbidden` for an agent outside of the caller's limits. */
export function agentToWrite(caller: OfAgent, named?: string | undefined): string {
  const agentId = agentOfWrites(caller, named);
  const within = namesWithin(caller, 'agents');
  if (within === null || within.includes(agentId)) return agentId;
  throw outside('agents', `the agent ${JSON.stringify(agentId)}`);
}

/** As `agentToWrite`, of what the runtime itself records: the limits do not bear on it. */
export function agentOfWrites(caller: OfAgent, named?: string | undefined): string {
  const within = namesWithin(caller, 'agents');
  return named ?? caller.agentId ?? (within?.length === 1 ? within[0]! : DEFAULT_AGENT);
}
