import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { roleLabel } from '../api/roles.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { t } from '../language/index.ts';
import { IconButton } from '../ui/button.tsx';

/** The user, once the session has been read: its room is kept until then. */
export function UserPanel() {
  const { data } = useQuery(sessionQuery);
  const [name, place] = data ? [data.user.name, placeOf(data)] : ['…', '…'];
  const navigate = useNavigate();
  return (
    <div className="row user-panel">
      <Link to="/account" className="user-link small">
        <span className="visually-hidden">{t('Your account:')} </span>
        <span title={name}>{name}</span>
        <span className="muted" title={place}>
          {place}
        </span>
      </Link>
      <IconButton icon="logout" label={t('Log out')} onClick={() => void navigate({ to: '/logout' })} />
    </div>
  );
}

/** The user's role, and where it applies. */
function placeOf({ user, tenant, limits }: Session): string {
  const place = { role: roleLabel(user.role), tenant: tenant.name };
  return limits.length > 0 ? t('{role} · a part of {tenant}', place) : `${place.role} · ${place.tenant}`;
}
