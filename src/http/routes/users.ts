import { z } from 'zod';
import { updateUserSchema, userIdSchema, userSchema } from '../../core/access/users/schema.ts';
import { type Route, route } from '../route.ts';

export const MAX_BYTES = 16 * 1024;

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
  body: { schema: updateUserSchema, maxBytes: MAX_BYTES },
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
    answer: ({ services, caller, params, body }) => services.users.update(caller, params.id, body),
  }),
];
