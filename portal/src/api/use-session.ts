import { useSuspenseQuery } from '@tanstack/react-query';
import { allows, type Scope, type Session, sessionQuery } from './session.ts';

/** For pages within the shell, which loads the session first. */
export function useSession(): Session & { can(scope: Scope): boolean } {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, can: (scope: Scope) => allows(data, scope) };
}
