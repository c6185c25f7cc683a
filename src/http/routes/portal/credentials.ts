import { z } from 'zod';
import {
  putCredentialSchema,
  setOutcomeSchema,
  shownCredentialSchema,
} from '../../../core/agents/connectors/credentials/schema.ts';
import { pageOf } from '../../../core/base/shared/paging.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './support.ts';

const CREDENTIALS = `${PORTAL}/credentials`;
const MAX_CREDENTIAL_BYTES = 32 * 1024;
const byName = z.strictObject({ name: z.string().describe('The name that definitions and calls use.') });

export const credentialRoutes: Route[] = [
  pagedRoute({
    path: CREDENTIALS,
    access: 'portal:administrator',
    tag: 'Portal: credentials',
    summary: 'List credentials',
    description: 'The credentials of the tenant, by name, never with their secrets.',
    page: 'One page of credentials.',
    member: ['credentials', z.array(shownCredentialSchema).describe('The credentials.')],
    list: async ({ services, caller, query }) => pageOf(await services.credentials.list(caller.tenantId), query),
  }),
  route({
    method: 'put',
    path: `${CREDENTIALS}/:name`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: credentials',
    summary: 'Set a credential',
    description:
      'Replaces the credential of this name as a whole, which is how a secret is rotated. `hosts` is required for a new credential; left out, the hosts of the replaced credential stay. No answer ever shows the secret. Calls use it within a second.',
    params: byName,
    body: { schema: putCredentialSchema, maxBytes: MAX_CREDENTIAL_BYTES },
    responses: {
      200: { description: 'The credential was replaced.', schema: setOutcomeSchema },
      201: { description: 'The credential is new.', schema: setOutcomeSchema },
    },
    run: async ({ services, caller, params, body }) => {
      const set = await services.credentials.set(caller.tenantId, { ...body, name: params.name }, caller);
      return { status: set.outcome === 'created' ? 201 : 200, body: set };
    },
  }),
  route({
    method: 'delete',
    path: `${CREDENTIALS}/:name`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Portal: credentials',
    summary: 'Remove a credential',
    description: 'Deletes the credential for good; calls lose it within a second.',
    params: byName,
    faults: { 404: 'There is no such credential.', 409: 'A connector lists it.' },
    responses: { 204: { description: 'The credential is deleted.' } },
    run: ({ services, caller, params }) => services.credentials.remove(caller.tenantId, params.name, caller),
  }),
];
