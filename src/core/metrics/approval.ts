import type { Caller } from '../shared/caller.ts';
import { RuntimeError } from '../shared/errors.ts';
import { administers } from '../shared/roles.ts';

/** People take away what people approved. Null: the operator. */
export function mayApprove(by: Caller | null): boolean {
  return by === null || administers(by.role);
}

export function onlyApprovers(reason: string): RuntimeError {
  const who = 'only an administrator in the portal, or the operator, takes that away';
  return new RuntimeError('forbidden', `${reason}: ${who}. Propose a new version of the metric instead.`);
}
