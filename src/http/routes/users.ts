import { z } from 'zod';
import {
  changeAccountSchema,
  changePasswordSchema,
  createUserSchema,
  setPasswordSchema,
  updateUserSchema,
  userIdSchema,
  userSchema,
  usersQuerySchema,
} from '../../core/access/users/schema.ts';
import { userVersion } from '../../core/access/users/service.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './noun-routes.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './portal/login-answer.ts';

export const byUserId = z.strictObject({ id: userIdSchema });
export const NO_USER = 'There is no such user.';

export const updateUser = {
  method: 'patch',
  stepUp: true,
  tag: 'Users',
  summary: 'Change a user',
  description:
    'Send only what changes. phone and avatarUrl may be null. Roles up to ADMIN are granted by ADMIN and SUPER_ADMIN and by their ' +
    'keys with the scope *, SUPER_ADMIN by SUPER_ADMIN alone; a caller that may not grant the role of an administrator ' +
    'cannot change the email, isActive and role of that user. A tenant always has one active administrator.',
  params: byUserId,
  version: userVersion,
  body: { schema: updateUserSchema, maxBytes: MAX_PORTAL_BYTES },
  faults: {
    404: NO_USER,
    409: 'The tenant has the e-mail already, or the user is its last active administrator.',
  },
  responses: { 200: { description: 'The changed user.', schema: userSchema } },
} as const;

export const userRoutes: Route[] = [
  route({
    ...updateUser,
    path: '/api/v1/runtime/users/:id',
    access: 'users:write',
    answer: ({ services, caller, params, body, ifMatch }) => services.users.update(caller, params.id, body, ifMatch),
  }),
];

const USERS = `${PORTAL}/users`;
const ADMINISTRATOR = { access: 'portal:administrator', tag: 'Users' } as const;

export const portalUserRoutes: Route[] = [
  pagedRoute({
    path: USERS,
    ...ADMINISTRATOR,
    summary: 'List users',
    description:
      'The users of the tenant, newest first; with search those who have it in their name or e-mail. Every filter narrows the list.',
    query: usersQuerySchema,
    page: 'A page of them; total counts all that match.',
    member: ['users', z.array(userSchema).describe('The users.')],
    list: ({ services, caller, query }) => services.users.list(caller, query),
  }),
  route({
    method: 'post',
    path: USERS,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Make a user',
    description: 'ADMIN gives roles up to ADMIN. Without a password the user cannot log in until one is set.',
    body: { schema: createUserSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      409: 'The tenant has a user with this e-mail, in whatever case.',
      422: 'The password is easy to guess; the message says why.',
    },
    responses: { 201: { description: 'The new user.', schema: userSchema } },
    answer: ({ services, caller, body }) => services.users.create(caller.tenantId, body, caller),
  }),
  route({
    method: 'get',
    path: `${USERS}/:id`,
    ...ADMINISTRATOR,
    summary: 'Get a user',
    description: 'One user of the tenant, with what they and their keys have made in _count.',
    params: byUserId,
    version: userVersion,
    faults: { 404: NO_USER },
    responses: { 200: { description: 'The user.', schema: userSchema } },
    answer: ({ services, caller, params }) => services.users.get(caller, params.id),
  }),
  route({
    ...updateUser,
    path: `${USERS}/:id`,
    access: 'portal:administrator',
    answer: ({ services, caller, params, body, ifMatch }) => services.users.update(caller, params.id, body, ifMatch),
  }),
  route({
    method: 'put',
    path: `${USERS}/:id/password`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Set the password of a user',
    description: "12 to 200 characters. The user's sessions end. ADMIN cannot set the password of a SUPER_ADMIN.",
    params: byUserId,
    body: { schema: setPasswordSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 404: NO_USER, 422: 'The password is easy to guess; the message says why.' },
    responses: { 204: { description: 'The password is set.' } },
    run: async ({ services, caller, params, body }) => {
      await services.users.setPassword(params.id, body, caller);
    },
  }),
  route({
    method: 'patch',
    path: `${PORTAL}/me`,
    access: 'portal:user',
    tag: 'Users',
    summary: 'Change your own account',
    description: 'The language of your pages.',
    body: { schema: changeAccountSchema, maxBytes: MAX_PORTAL_BYTES },
    responses: { 204: { description: 'The account is changed.' } },
    run: ({ services, caller, body }) => services.users.changeAccount(caller, body),
  }),
  route({
    method: 'post',
    path: `${PORTAL}/me/password`,
    access: 'portal:user',
    tag: 'Users',
    summary: 'Change your own password',
    description:
      'Takes the current one, too. All your sessions end, this one among them: log in with the new password.',
    body: { schema: changePasswordSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 422: 'currentPassword is wrong, or the new one is easy to guess.' },
    responses: { 204: { description: 'The password is changed.' } },
    run: ({ services, caller, body }) => services.users.changePassword(caller, body),
  }),
];
