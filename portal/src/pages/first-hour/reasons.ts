import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';

/** Why the user may not send events; undefined if they may. */
export function useSendReason(): string | undefined {
  const { can, user } = useSession();
  return can('events:write')
    ? undefined
    : `Your role, ${roleLabel(user.role)}, may not send events. Ask an administrator of the workspace.`;
}
