import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';

/** Why the user has no part in what concerns the whole installation; undefined: they have. */
export function useOperatorReason(verb: 'may do' | 'sees' = 'may do'): string | undefined {
  const { operates, user } = useSession();
  if (operates) return undefined;
  return user.role === 'SUPER_ADMIN'
    ? `This installation has several workspaces: its operator ${verb === 'sees' ? 'sees' : 'does'} this at the command line.`
    : `Only a super administrator of the only workspace ${verb} this. Your role is ${roleLabel(user.role)}.`;
}

/** Why the user has no part in what is for administrators of the workspace; undefined: they have. */
export function useAdministratorReason(verb: 'may do' | 'see' = 'may do'): string | undefined {
  const { isAdministrator, user } = useSession();
  return isAdministrator ? undefined : `Only administrators ${verb} this. Your role is ${roleLabel(user.role)}.`;
}
