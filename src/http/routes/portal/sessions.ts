import { loggedInSchema, loginSchema, sessionSchema } from '../../../core/auth/schema.ts';
import { type Route, route } from '../../route.ts';
import { MAX_BYTES, PORTAL } from './support.ts';

export const sessionRoutes: Route[] = [
  route({
    method: 'post',
    path: `${PORTAL}/login`,
    access: 'open',
    tag: 'Portal: session',
    summary: 'Log in',
    description:
      'Gives a token for twelve hours, to be sent as `Authorization: Bearer <token>`. Ten failures for an e-mail from one address within 15 minutes, or a hundred for an e-mail or from an address, and attempts are refused for a while.',
    body: { schema: loginSchema, maxBytes: MAX_BYTES },
    faults: {
      401: 'The e-mail or the password is wrong, or this user may not log in: it is not told which.',
      429: 'Too many failures; see Retry-After.',
    },
    responses: { 200: { description: 'Logged in.', schema: loggedInSchema } },
    run: async ({ services, body, address }) => ({ body: await services.sessions.login(body, address) }),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/me`,
    access: 'portal:user',
    tag: 'Portal: session',
    summary: 'Who am I?',
    description: 'The user of the token with role and tenant as they are now, and what the role allows.',
    responses: { 200: { description: 'User, tenant and scopes.', schema: sessionSchema } },
    run: async ({ services, caller }) => ({ body: await services.sessions.session(caller) }),
  }),
];
