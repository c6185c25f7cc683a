import { Link } from '@tanstack/react-router';
import { useSession } from '../api/use-session.ts';
import { IconButton } from '../ui/button.tsx';
import { useLogout } from './use-logout.ts';

export function UserPanel() {
  const { user, tenant } = useSession();
  const logout = useLogout();
  return (
    <div className="row user-panel">
      <Link to="/account" className="user-link small">
        <span className="visually-hidden">Your account: </span>
        <span>{user.name}</span>
        <span className="muted">
          {user.role} · {tenant.name}
        </span>
      </Link>
      <IconButton icon="logout" label="Log out" disabled={logout.isPending} onClick={() => logout.mutate({})} />
    </div>
  );
}
