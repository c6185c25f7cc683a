import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { roleLabel } from '../api/roles.ts';
import { sessionQuery } from '../api/session.ts';
import { IconButton } from '../ui/button.tsx';

/** The user, once the session has been read: its room is kept until then. */
export function UserPanel() {
  const { data } = useQuery(sessionQuery);
  const isHeld = data !== undefined && data.limits.length > 0;
  const [name, place] = data
    ? [data.user.name, `${roleLabel(data.user.role)} · ${isHeld ? 'a part of ' : ''}${data.tenant.name}`]
    : ['…', '…'];
  const navigate = useNavigate();
  return (
    <div className="row user-panel">
      <Link to="/account" className="user-link small">
        <span className="visually-hidden">Your account: </span>
        <span title={name}>{name}</span>
        <span className="muted" title={place}>
          {place}
        </span>
      </Link>
      <IconButton icon="logout" label="Log out" onClick={() => void navigate({ to: '/logout' })} />
    </div>
  );
}
