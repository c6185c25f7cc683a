import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';

/** Why the user may not send events; undefined if they may. */
export function useSendReason(): string | undefined {
  const { can, user } = useSession();
  return can('events:write')
    ? undefined
    : t('Your role, {role}, may not send events. Ask an administrator of the workspace.', {
        role: roleLabel(user.role),
      });
}
