import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { messageOf } from '../api/errors.ts';
import { queryClient } from '../api/session.ts';
import { announce } from '../ui/toast.tsx';

/** Ends the session on the server and shows the login page, which goes on to `to`. */
export function useLogout(to?: string) {
  const navigate = useNavigate();
  return api.useMutation('post', '/api/v1/portal/logout', {
    onSuccess: async () => {
      await navigate({ to: '/login', search: to === undefined ? {} : { to } });
      queryClient.clear();
    },
    onError: (error) => announce(messageOf(error)),
  });
}
