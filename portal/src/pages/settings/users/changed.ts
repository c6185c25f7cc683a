import { invalidate } from '../../../api/session.ts';
import { INVITATIONS, USERS } from './users.ts';

/** Answers about users are read again: the session, too, since the user may be the one who looks. */
export function usersChanged(): Promise<void> {
  return invalidate((path) => path.startsWith(USERS) || path === INVITATIONS || path === '/api/v1/portal/me');
}
