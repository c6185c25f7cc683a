import { useSession } from '../../api/session.ts';

/** Why the user may not do what concerns the whole installation; undefined: they may. */
export function useOperatorReason(): string | undefined {
  const { operates, user } = useSession();
  if (operates) return undefined;
  return user.role === 'SUPER_ADMIN'
    ? 'This installation has several workspaces: its operator does this at the command line.'
    : `Only a SUPER_ADMIN of the only workspace may do this. Your role is ${user.role}.`;
}

/** Why the user may not change settings of the workspace; undefined: they may. */
export function useAdministratorReason(): string | undefined {
  const { isAdministrator, user } = useSession();
  return isAdministrator ? undefined : `Only administrators may do this. Your role is ${user.role}.`;
}
