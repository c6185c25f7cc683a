import { redirect } from '@tanstack/react-router';
import { answerOf, client } from '../api/client.ts';
import { messageOf, statusOf } from '../api/errors.ts';
import { forgetDrafts } from '../ui/stored.ts';
import { announce } from '../ui/toast.tsx';

/** Ends the session on the server and goes on to the login page, which leads to `to`. */
export async function logOut(to: string | undefined): Promise<never> {
  try {
    await answerOf(client.POST('/api/v1/portal/logout'));
  } catch (error) {
    if (statusOf(error) !== 401) {
      announce(messageOf(error));
      throw redirect({ to: '/' });
    }
  }
  forgetDrafts();
  throw redirect({ to: '/login', search: to === undefined ? {} : { to } });
}
