import { useSession } from '../api/use-session.ts';
import { IconButton } from '../ui/button.tsx';
import { useLogout } from './use-logout.ts';

export function UserPanel() {
  const { user, tenant } = useSession();
  const logout = useLogout();
  return (
    <div className="row user-panel">
      <div className="small">
        <div>{user.name}</div>
        <div className="muted">
          {user.role} · {tenant.name}
        </div>
      </div>
      <IconButton icon="logout" label="Log out" disabled={logout.isPending} onClick={() => logout.mutate({})} />
    </div>
  );
}
