import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { messageOf } from '../api/errors.ts';
import { queryClient } from '../api/session.ts';
import { useSession } from '../api/use-session.ts';
import { IconButton } from '../ui/button.tsx';
import { announce } from '../ui/toast.tsx';

export function UserPanel() {
  const { user, tenant } = useSession();
  const navigate = useNavigate();
  const logout = api.useMutation('post', '/api/v1/portal/logout', {
    onSuccess: async () => {
      await navigate({ to: '/login', search: {} });
      queryClient.clear();
    },
    onError: (error) => announce(messageOf(error)),
  });
  return (
    <div className="row">
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
