import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { IconButton } from '../ui/button.tsx';
import { useLogout } from './use-logout.ts';

/** The user, once the session has been read: its room is kept until then. */
export function UserPanel() {
  const { data } = useQuery(sessionQuery);
  const [name, place] = data ? [data.user.name, `${data.user.role} · ${data.tenant.name}`] : ['…', '…'];
  const logout = useLogout();
  return (
    <div className="row user-panel">
      <Link to="/account" className="user-link small">
        <span className="visually-hidden">Your account: </span>
        <span title={name}>{name}</span>
        <span className="muted" title={place}>
          {place}
        </span>
      </Link>
      <IconButton icon="logout" label="Log out" disabled={logout.isPending} onClick={() => logout.mutate({})} />
    </div>
  );
}
