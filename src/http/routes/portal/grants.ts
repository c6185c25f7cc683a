import { z } from 'zod';
import {
  allowSchema,
  answeredSchema,
  authorizationRequestSchema,
  grantSchema,
} from '../../../core/access/oauth/schema.ts';
import { APPROVAL_COOKIE } from '../../oauth/address.ts';
import { type Route, route } from '../../route.ts';
import { setCookie } from '../../session-cookie.ts';
import { pagedRoute } from '../noun-routes.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const REQUEST = `${PORTAL}/authorizations/:id`;
const GRANTS = `${PORTAL}/grants`;

const byRequest = z.strictObject({
  id: z.string().min(1).max(100).describe('The last part of the address of the page, `/authorize/ID`.'),
});
const byGrant = z.strictObject({ id: z.guid('must be a UUID').toLowerCase().describe('Id of the grant.') });
const NO_REQUEST = 'The request was answered already, or has expired.';

const APPROVAL_SECONDS = 900;
const USER = { access: 'portal:user', tag: 'Portal: applications' } as const;

export const grantRoutes: Route[] = [
  route({
    method: 'get',
    path: REQUEST,
    ...USER,
    summary: 'Get an authorization request',
    description:
      'What an application that a person sent here by OAuth asks for; see docs/login.md. The page `/authorize/ID` shows it.',
    params: byRequest,
    faults: { 404: NO_REQUEST },
    responses: { 200: { description: 'The request.', schema: authorizationRequestSchema } },
    answer: ({ services, caller, params }) => services.consent.describe(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${REQUEST}/allow`,
    ...USER,
    stepUp: true,
    summary: 'Allow an authorization request',
    description:
      'Lets the application act for you, within what you allow and what your role has. The answer sets the cookie `ar_approval`, without which the browser cannot go on: only the browser in which the request began gets the code.',
    params: byRequest,
    body: { schema: allowSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 404: NO_REQUEST },
    responses: { 200: { description: 'Go on there.', schema: answeredSchema } },
    run: async ({ services, caller, params, body, secure, basePath }) => {
      const { continueAt, approval } = await services.consent.allow(caller, params.id, body);
      const cookie = setCookie(APPROVAL_COOKIE, approval, {
        path: `${basePath}oauth/authorize/${params.id}`,
        maxAgeSeconds: APPROVAL_SECONDS,
        secure,
      });
      return { body: { continueAt }, headers: { 'set-cookie': cookie } };
    },
  }),
  route({
    method: 'post',
    path: `${REQUEST}/refuse`,
    ...USER,
    summary: 'Refuse an authorization request',
    description: 'The application learns that you refused.',
    params: byRequest,
    body: { schema: z.strictObject({}), maxBytes: MAX_PORTAL_BYTES, optional: true },
    faults: { 404: NO_REQUEST },
    responses: { 200: { description: 'Go on there.', schema: answeredSchema } },
    answer: async ({ services, caller, params }) => ({ continueAt: await services.consent.refuse(caller, params.id) }),
  }),
  pagedRoute({
    path: GRANTS,
    ...USER,
    summary: 'List grants',
    description:
      'The applications that may act for people, newest first. Administrators see those of the tenant, others their own.',
    page: 'One page of grants; `total` counts at most 1,000.',
    member: ['grants', z.array(grantSchema).describe('The grants.')],
    list: ({ services, caller, query }) => services.grants.list(caller, query),
  }),
  route({
    method: 'delete',
    path: `${GRANTS}/:id`,
    ...USER,
    summary: 'End a grant',
    description: 'Every token of it is void at once. For the user who allowed it, and for administrators.',
    params: byGrant,
    faults: { 404: 'There is no such grant.' },
    responses: { 204: { description: 'The permission is ended.' } },
    run: ({ services, caller, params }) => services.grants.end(params.id, caller),
  }),
];
