import { useSuspenseQuery } from '@tanstack/react-query';
import { allows, type Scope, type Session, sessionQuery } from './session.ts';

/** Of a page within the shell, where the session is known. */
export function useSession(): Session & { can(scope: Scope): boolean } {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, can: (scope: Scope) => allows(data, scope) };
}
