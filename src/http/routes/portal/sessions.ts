import { z } from 'zod';
import {
  endedSessionsSchema,
  linkLoginSchema,
  loggedInSchema,
  loginSchema,
  MAX_COUNTED_SESSIONS,
  sessionOfUserSchema,
  sessionSchema,
  sessionsOfAllQuerySchema,
  shownSessionSchema,
} from '../../../core/access/auth/schema.ts';
import { neededSchema } from '../../../core/access/second-factor/schema.ts';
import { type Route, type RouteAnswer, route } from '../../route.ts';
import { endedSession, requireOwnPage } from '../../session-cookie.ts';
import { pagedRoute } from '../noun-routes.ts';
import { byUserId, NO_USER } from '../users.ts';
import { clientOf, LOGIN, loggedIn, MAX_PORTAL_BYTES, NO_OWN_PAGE, PORTAL } from './login-answer.ts';

const bySessionId = z.strictObject({ id: z.guid('must be a UUID').toLowerCase().describe('The UUID of the session.') });

const endQuery = z.strictObject({
  all: z.boolean('must be true or false').optional().describe('`true` ends the session that asks, too.'),
});

const ENDED = { 200: { description: 'How many were ended.', schema: endedSessionsSchema } };
const USER = { access: 'portal:user', tag: 'Portal: session' } as const;
const ADMINISTRATOR = { access: 'portal:administrator', tag: 'Portal: session' } as const;

export const sessionRoutes: Route[] = [
  route({
    method: 'post',
    path: LOGIN,
    access: 'open',
    tag: 'Portal: session',
    summary: 'Log in',
    description:
      'Opens a session: a token for twelve hours, to be sent as `Authorization: Bearer <token>`. The answer also sets the ' +
      'cookie `ar_device`, which marks the browser as known to the user. With `session: "cookie"`, for pages of this server, it ' +
      'also sets the cookie `ar_session` with the token (docs/portal.md). After too many failures logins are refused ' +
      'for a while; failures are counted for an e-mail from one address, from all addresses, and from a known browser. A user with a ' +
      'second factor, or who needs one, gets 202 and a ticket for `POST /api/v1/portal/login/second-factor` (docs/second-factor.md).',
    body: { schema: loginSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      401: 'The e-mail or the password is wrong, or this user may not log in; the response does not say which.',
      403: NO_OWN_PAGE,
      429: 'Too many failures; see Retry-After.',
    },
    responses: {
      200: { description: 'Logged in.', schema: loggedInSchema },
      202: { description: 'E-mail and password are right, and a second factor is needed.', schema: neededSchema },
    },
    run: async ({ services, body, ...context }) => {
      if (body.session === 'cookie') requireOwnPage('POST', context.header);
      const result = await services.loginSteps.login(body, clientOf(context));
      return 'secondFactor' in result ? { status: 202, body: result } : loggedIn(result, body.session, context);
    },
  }),
  route({
    method: 'post',
    path: `${LOGIN}/link`,
    access: 'open',
    tag: 'Portal: session',
    summary: 'Log in with a link',
    description:
      'Opens a session with the secret of a login link, which is then void, and sets the cookie `ar_session`. Only for pages of this server: the ' +
      'request needs `x-requested-with: portal` (docs/portal.md).',
    body: { schema: linkLoginSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      401: 'The link was used already, has expired or never was valid, or its user may not log in.',
      403: NO_OWN_PAGE,
      429: 'Too many failures of this address; see Retry-After.',
    },
    responses: { 200: { description: 'Logged in.', schema: loggedInSchema } },
    run: async ({ services, body, ...context }) => {
      requireOwnPage('POST', context.header);
      return loggedIn(await services.logins.loginWithLink(body.secret, clientOf(context)), 'cookie', context);
    },
  }),
  route({
    method: 'post',
    path: `${PORTAL}/logout`,
    ...USER,
    summary: 'Log out',
    description:
      'Ends the session of the token or cookie: it is refused from the next request on. The browser stays known.',
    body: { schema: z.strictObject({}), maxBytes: MAX_PORTAL_BYTES, optional: true },
    responses: { 204: { description: 'The session is ended.' } },
    run: async ({ services, caller, header, basePath, secure }) => {
      await services.sessions.logout(caller);
      const isByCookie = header('authorization') === undefined;
      const headers: RouteAnswer['headers'] = isByCookie ? { 'set-cookie': endedSession({ basePath, secure }) } : {};
      return { status: 204, headers };
    },
  }),
  route({
    method: 'get',
    path: `${PORTAL}/me`,
    ...USER,
    summary: 'Who am I?',
    description: 'The user of the token with role and tenant as they are now, and what the role allows.',
    responses: { 200: { description: 'User, tenant and scopes.', schema: sessionSchema } },
    answer: ({ services, caller }) => services.sessions.session(caller),
  }),
  pagedRoute({
    path: `${PORTAL}/sessions`,
    ...USER,
    summary: 'List your sessions',
    description: 'Active sessions, newest first; `current` marks the session of this request.',
    page: 'A page of them.',
    member: ['sessions', z.array(shownSessionSchema).describe('The sessions.')],
    list: ({ services, caller, query }) => services.sessions.list(caller, query),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/sessions`,
    ...USER,
    summary: 'End your sessions',
    description: 'Ends all your sessions except that of this request; with `all=true` that one too.',
    query: endQuery,
    responses: ENDED,
    answer: ({ services, caller, query }) => services.sessions.endAll(caller, { all: query.all ?? false }),
  }),
  pagedRoute({
    path: `${PORTAL}/sessions/all`,
    ...ADMINISTRATOR,
    summary: 'List the sessions of everybody',
    description:
      'Active sessions of all users of the tenant, newest first; `current` marks the session of this request.',
    query: sessionsOfAllQuerySchema,
    page: `A page of them; \`total\` counts at most ${MAX_COUNTED_SESSIONS}.`,
    member: ['sessions', z.array(sessionOfUserSchema).describe('The sessions.')],
    list: ({ services, caller, query }) => services.sessions.listOfAll(caller, query),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/sessions/all`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'End the sessions of everybody',
    description:
      'Ends the sessions of all users of the tenant but yours. ADMIN ends none of a SUPER_ADMIN. Whoever may log in can do so again.',
    responses: ENDED,
    answer: ({ services, caller }) => services.sessions.endOfAll(caller),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/sessions/:id`,
    ...USER,
    summary: 'End a session',
    description: 'Ends one session of yours: its token is refused from the next request on.',
    params: bySessionId,
    faults: { 404: 'You have no such session, or it has ended.' },
    responses: { 204: { description: 'The session is ended.' } },
    run: ({ services, caller, params }) => services.sessions.end(caller, params.id),
  }),
  pagedRoute({
    path: `${PORTAL}/users/:id/sessions`,
    ...ADMINISTRATOR,
    summary: 'List the sessions of a user',
    description: 'Active sessions of a user of the tenant, newest first.',
    params: byUserId,
    faults: { 404: NO_USER },
    page: 'A page of them.',
    member: ['sessions', z.array(shownSessionSchema).describe('The sessions.')],
    list: ({ services, caller, params, query }) => services.sessions.listOfUser(caller, params.id, query),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/users/:id/sessions/:sessionId`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'End a session of a user',
    description: 'Ends one session of a user of the tenant. ADMIN cannot end those of a SUPER_ADMIN.',
    params: byUserId.extend({ sessionId: bySessionId.shape.id }),
    faults: { 404: 'There is no such user, or no such session of the user, or it has ended.' },
    responses: { 204: { description: 'The session is ended.' } },
    run: ({ services, caller, params }) => services.sessions.endOneOfUser(caller, params.id, params.sessionId),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/users/:id/sessions`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'End the sessions of a user',
    description:
      'Ends every session of a user of the tenant. ADMIN cannot end those of a SUPER_ADMIN. The user may log in again: to ' +
      'prevent that, deactivate them or set another password.',
    params: byUserId,
    faults: { 404: NO_USER },
    responses: ENDED,
    answer: ({ services, caller, params }) => services.sessions.endOfUser(caller, params.id),
  }),
];
