import { administers, type Role } from '../../base/shared/caller.ts';

/** Who of a tenant needs a second factor to log in. */
export const REQUIREMENTS = ['optional', 'administrators', 'everyone'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export function requiresSecondFactor(requirement: Requirement, role: Role): boolean {
  return requirement === 'everyone' || (requirement === 'administrators' && administers(role));
}
