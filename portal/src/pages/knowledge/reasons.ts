import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';

/** Why the user may change nothing in stores; undefined: they may. */
export function useWriteReason(): string | undefined {
  const { can, user } = useSession();
  if (can('knowledge:write')) return undefined;
  return t('Your role, {role}, lets you search vector stores, not change them.', { role: roleLabel(user.role) });
}
