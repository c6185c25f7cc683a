import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';

/** Why the user has no part in what concerns the whole installation; undefined: they have. */
export function useOperatorReason(verb: 'do' | 'see' = 'do'): string | undefined {
  const { operates, user } = useSession();
  if (operates) return undefined;
  if (user.role === 'SUPER_ADMIN') {
    return verb === 'see'
      ? t('This installation has several workspaces: its operator sees this at the command line.')
      : t('This installation has several workspaces: its operator does this at the command line.');
  }
  const role = { role: roleLabel(user.role) };
  return verb === 'see'
    ? t('Only a super administrator of the only workspace sees this. Your role is {role}.', role)
    : t('Only a super administrator of the only workspace may do this. Your role is {role}.', role);
}

/** Why the user has no part in what is for administrators of the workspace; undefined: they have. */
export function useAdministratorReason(verb: 'do' | 'see' = 'do'): string | undefined {
  const { isAdministrator, user } = useSession();
  if (isAdministrator) return undefined;
  const role = { role: roleLabel(user.role) };
  return verb === 'see'
    ? t('Only administrators see this. Your role is {role}.', role)
    : t('Only administrators may do this. Your role is {role}.', role);
}
