import { z } from 'zod';
import {
  apiKeySchema,
  issuedKeySchema,
  keysQuerySchema,
  requestKeySchema,
  rotatedKeySchema,
  rotateKeySchema,
} from '../../../core/access/auth/schema.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const KEYS = `${PORTAL}/keys`;
const byId = z.strictObject({
  id: z.string().describe('The part of the key between `ar_` and the second underscore.'),
});
const NO_KEY = 'There is no such key.';
const USER = { access: 'portal:user', tag: 'Portal: API keys' } as const;

export const keyRoutes: Route[] = [
  pagedRoute({
    path: KEYS,
    ...USER,
    summary: 'List API keys',
    description:
      'Newest first, revoked ones too unless `state` leaves them out, never with their secrets. Administrators see those of the tenant, others those that they made.',
    query: keysQuerySchema,
    page: 'One page of keys.',
    member: ['keys', z.array(apiKeySchema).describe('The keys.')],
    list: ({ services, caller, query }) => services.keys.list(caller, query),
  }),
  route({
    method: 'post',
    path: KEYS,
    ...USER,
    stepUp: true,
    summary: 'Create an API key',
    description:
      'The key is shown in this answer alone. It may have scopes that you hold yourself, no others. One that is bound to an agent makes the agent if you are an administrator.',
    body: { schema: requestKeySchema, maxBytes: MAX_PORTAL_BYTES },
    faults: {
      404: 'There is no such agent, and you may not create it.',
      409: 'You, or the tenant, have as many active keys as there may be.',
      429: 'Too many requests, or too many keys made at once. See Retry-After.',
    },
    responses: { 201: { description: 'The key is there.', schema: issuedKeySchema } },
    answer: ({ services, caller, body }) => services.keys.create(caller.tenantId, body, caller),
  }),
  route({
    method: 'post',
    path: `${KEYS}/:id/rotate`,
    ...USER,
    stepUp: true,
    summary: 'Rotate an API key',
    description:
      'A new secret for the same key, shown in this answer alone. The old one is void at once, or with `overlapSeconds` after that time; a second rotation voids the older one, a revocation both. Only for keys with scopes that you hold yourself. Whoever rotates a key with the scope `*` counts as its maker.',
    params: byId,
    body: { schema: rotateKeySchema, maxBytes: MAX_PORTAL_BYTES, optional: true },
    faults: { 404: NO_KEY, 409: 'The key is revoked.' },
    responses: { 200: { description: 'The key with its new secret.', schema: rotatedKeySchema } },
    answer: ({ services, caller, params, body }) => services.keys.rotate(params.id, caller, body),
  }),
  route({
    method: 'delete',
    path: `${KEYS}/:id`,
    ...USER,
    stepUp: true,
    summary: 'Revoke an API key',
    description: 'The key is void immediately and for good. Revoking it again changes nothing.',
    params: byId,
    faults: { 404: NO_KEY },
    responses: { 200: { description: 'The key with `revokedAt`.', schema: apiKeySchema } },
    answer: ({ services, caller, params }) => services.keys.revoke(params.id, caller),
  }),
  route({
    method: 'delete',
    path: KEYS,
    ...USER,
    stepUp: true,
    summary: "Revoke a user's API keys",
    description:
      'Every valid key that a user made is void at once and for good; keys that were revoked before stay as they are. For administrators, and for the user. Deactivate a user who leaves first: who can log in can make new keys.',
    query: z.strictObject({ createdBy: z.string().min(1).max(100).describe('Id of the user who made the keys.') }),
    responses: {
      200: {
        description: 'The keys that were valid, with `revokedAt`.',
        schema: z.object({ revoked: z.array(apiKeySchema).describe('Newest first; empty where there was none.') }),
      },
    },
    answer: async ({ services, caller, query }) => ({
      revoked: await services.keys.revokeOf(caller.tenantId, query.createdBy, caller),
    }),
  }),
];
