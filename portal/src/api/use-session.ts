import { useSuspenseQuery } from '@tanstack/react-query';
import { allows, type Scope, type Session, sessionQuery } from './session.ts';

interface Rights {
  can(scope: Scope): boolean;
  /** True for users who may do what endpoints ask of an administrator. */
  isAdministrator: boolean;
}

/** For pages within the shell, which loads the session first. */
export function useSession(): Session & Rights {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, can: (scope: Scope) => allows(data, scope), isAdministrator: data.scopes.includes('*') };
}
