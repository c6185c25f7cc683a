import { z } from 'zod';
import { loggedInSchema, pageQuerySchema } from '../../../core/access/auth/schema.ts';
import {
  acceptInvitationSchema,
  describedInvitationSchema,
  invitationSecretSchema,
  invitedSchema,
  inviteSchema,
  joinedSchema,
  openInvitationsSchema,
} from '../../../core/access/invitations/schema.ts';
import { neededSchema } from '../../../core/access/second-factor/schema.ts';
import { type Route, route } from '../../route.ts';
import { requireOwnPage } from '../../session-cookie.ts';
import { clientOf, loggedIn, MAX_PORTAL_BYTES, NO_OWN_PAGE, PORTAL } from './login-answer.ts';

const INVITATIONS = `${PORTAL}/invitations`;
const TAG = 'Users';
const GONE = 'The invitation was used or revoked, has expired or never was valid; the response does not say which.';
const TOO_OFTEN = 'Too many failures of this address; see Retry-After.';
const ADMINISTRATOR = { access: 'portal:administrator', tag: TAG } as const;

export const invitationRoutes: Route[] = [
  route({
    method: 'get',
    path: INVITATIONS,
    ...ADMINISTRATOR,
    summary: 'List invitations',
    description: 'Those that are open, newest first, never with their links: used, revoked and expired ones are gone.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of them.', schema: openInvitationsSchema } },
    answer: async ({ services, caller, query }) => {
      const { items: invitations, total } = await services.invitations.list(caller, query);
      return { invitations, mail: services.invitations.sendsMail, total, ...query };
    },
  }),
  route({
    method: 'post',
    path: INVITATIONS,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Invite somebody',
    description:
      'Makes a link with which a person becomes a user of the tenant, once and within seven days. It takes the place of an open invitation of the same e-mail. ADMIN invites for roles up to ADMIN.',
    body: { schema: inviteSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      409: 'The tenant has a user with this e-mail, in whatever case, or too many open invitations.',
      422: 'With `mail`: the server sends no e-mail, or not to this address. Nothing was made.',
    },
    responses: { 201: { description: 'The invitation with its link.', schema: invitedSchema } },
    answer: ({ services, caller, body, baseUrl }) =>
      services.invitations.create(caller, body, (secret) => `${baseUrl}invitation#${secret}`),
  }),
  route({
    method: 'post',
    path: `${INVITATIONS}/describe`,
    access: 'open',
    tag: TAG,
    summary: 'Look at an invitation',
    description: 'Who invites whom to which tenant, for the person who has the link. The invitation stays open.',
    body: { schema: invitationSecretSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 410: GONE, 429: TOO_OFTEN },
    responses: { 200: { description: 'The invitation.', schema: describedInvitationSchema } },
    answer: ({ services, body, ...context }) => services.invitations.describe(body.secret, clientOf(context)),
  }),
  route({
    method: 'post',
    path: `${INVITATIONS}/accept`,
    access: 'open',
    tag: TAG,
    summary: 'Accept an invitation',
    description:
      'Makes the user and opens a session as `POST /api/v1/portal/login` does. A user who needs a second factor gets 202 and a ticket. Where the tenant has switched password logins off, no password is taken, and 201 says where to log in.',
    body: { schema: acceptInvitationSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      403: NO_OWN_PAGE,
      409: 'The tenant has a user with this e-mail by now: log in.',
      410: GONE,
      422: 'The password is easy to guess; the message says why. The invitation stays open.',
      429: TOO_OFTEN,
    },
    responses: {
      200: { description: 'The user is made and logged in.', schema: loggedInSchema },
      201: { description: 'Log in with an identity provider of the tenant.', schema: joinedSchema },
      202: { description: 'The user is made, and a second factor is needed.', schema: neededSchema },
    },
    run: async ({ services, body, ...context }) => {
      if (body.session === 'cookie') requireOwnPage('POST', context.header);
      const result = await services.invitations.accept(body, clientOf(context));
      if ('loginUrl' in result) return { status: 201, body: result };
      return 'secondFactor' in result ? { status: 202, body: result } : loggedIn(result, body.session, context);
    },
  }),
  route({
    method: 'delete',
    path: `${INVITATIONS}/:id`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Revoke an invitation',
    description: 'The link is void at once. ADMIN cannot revoke one for the role SUPER_ADMIN.',
    params: z.strictObject({ id: z.guid('must be a UUID').toLowerCase().describe('The UUID of the invitation.') }),
    faults: { 404: 'There is no such open invitation.' },
    responses: { 204: { description: 'The invitation is revoked.' } },
    run: ({ services, caller, params }) => services.invitations.revoke(caller, params.id),
  }),
];
