import { z } from 'zod';
import {
  changeProviderSchema,
  createProviderSchema,
  examinationSchema,
  offeredProvidersSchema,
  type ShownIdentityProvider,
  shownProviderSchema,
} from '../../../core/access/sso/schema.ts';
import { identityProviderVersion } from '../../../core/access/sso/service.ts';
import { addressesOf } from '../../../core/access/sso/store.ts';
import { type Route, type RouteContext, route } from '../../route.ts';
import { PORTAL } from './login-answer.ts';

const PROVIDERS = `${PORTAL}/identity-providers`;
const TAG = 'Portal: single sign-on';
const MAX_PROVIDER_BYTES = 256 * 1024;
const byId = z.strictObject({ id: z.string().describe('The id of the identity provider.') });
const NO_PROVIDER = 'There is no such identity provider.';
const UNSOUND = 'Members contradict each other; the message names them.';

const offeredQuery = z.strictObject({
  tenant: z
    .string()
    .min(1, 'must not be empty')
    .max(200)
    .optional()
    .describe('Name or id. Without it the only tenant of the installation, if there is one only.'),
});

type Context = Pick<RouteContext<unknown, unknown, unknown, unknown>, 'caller' | 'baseUrl'>;

/** Its addresses depend on that of the server. Members of installation-wide ones are left out. */
function shown(
  { tenantClaim: _, tenantMapping: __, ...provider }: ShownIdentityProvider,
  { caller, baseUrl }: Context,
) {
  return { ...provider, ...addressesOf({ tenantId: caller.tenantId, id: provider.id }, baseUrl) };
}

const ADMINISTRATOR = { access: 'portal:administrator', tag: TAG } as const;

export const identityProviderRoutes: Route[] = [
  route({
    method: 'get',
    path: `${PORTAL}/login/sso`,
    access: 'open',
    tag: TAG,
    summary: 'List the ways to log in',
    description:
      'The enabled identity providers of a tenant and of the whole installation, for the login page. A tenant that does not exist is answered as one without identity providers.',
    query: offeredQuery,
    responses: { 200: { description: 'The ways to log in.', schema: offeredProvidersSchema } },
    answer: ({ services, query }) => services.identityProviders.offered(query.tenant),
  }),
  route({
    method: 'get',
    path: PROVIDERS,
    ...ADMINISTRATOR,
    summary: 'List identity providers',
    description: 'The identity providers of the tenant, by id, never with their secrets.',
    responses: {
      200: {
        description: 'The identity providers.',
        schema: z.object({ identityProviders: z.array(shownProviderSchema).describe('The identity providers.') }),
      },
    },
    run: async ({ services, ...context }) => {
      const found = await services.identityProviders.list(context.caller.tenantId, context.caller);
      return { body: { identityProviders: found.map((provider) => shown(provider, context)) } };
    },
  }),
  route({
    method: 'post',
    path: PROVIDERS,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Create an identity provider',
    description:
      'An OpenID Connect provider with which users of the tenant log in to the portal. Register its `redirectUri` at the provider, then test it. docs/sso.md has the steps for Google, Microsoft Entra, Okta, Keycloak and authentik.',
    body: { schema: createProviderSchema, maxBytes: MAX_PROVIDER_BYTES },
    faults: { 409: 'The id is taken.', 422: UNSOUND },
    responses: { 201: { description: 'The identity provider is stored.', schema: shownProviderSchema } },
    run: async ({ services, body, ...context }) => {
      const created = await services.identityProviders.create(context.caller.tenantId, body, context.caller);
      return { status: 201, body: shown(created, context) };
    },
  }),
  route({
    method: 'get',
    path: `${PROVIDERS}/:id`,
    ...ADMINISTRATOR,
    summary: 'Get an identity provider',
    description: 'All its members but the secret.',
    params: byId,
    version: identityProviderVersion,
    faults: { 404: NO_PROVIDER },
    responses: { 200: { description: 'The identity provider.', schema: shownProviderSchema } },
    run: async ({ services, params, ...context }) => {
      const found = await services.identityProviders.get(context.caller.tenantId, params.id, context.caller);
      return { body: shown(found, context) };
    },
  }),
  route({
    method: 'patch',
    path: `${PROVIDERS}/:id`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Change an identity provider',
    description:
      'Send only what changes; lists are replaced as a whole. A new `issuer` needs the `clientSecret`, too. It holds for logins from the next one on; sessions stay.',
    params: byId,
    version: identityProviderVersion,
    body: { schema: changeProviderSchema, maxBytes: MAX_PROVIDER_BYTES },
    faults: {
      404: NO_PROVIDER,
      409: 'Password logins are switched off, and this is the only enabled identity provider.',
      422: UNSOUND,
    },
    responses: { 200: { description: 'The identity provider as it is now.', schema: shownProviderSchema } },
    run: async ({ services, params, body, ifMatch, ...context }) => {
      const { caller } = context;
      const changed = await services.identityProviders.change(caller.tenantId, params.id, body, caller, ifMatch);
      return { body: shown(changed, context) };
    },
  }),
  route({
    method: 'delete',
    path: `${PROVIDERS}/:id`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Remove an identity provider',
    description:
      'Users can no longer log in with this provider. Users and their sessions stay. The links between users and accounts of the provider are removed, and a new provider with the same id does not restore them.',
    params: byId,
    faults: {
      404: NO_PROVIDER,
      409: 'Password logins are switched off, and this is the only enabled identity provider.',
    },
    responses: { 204: { description: 'The identity provider is deleted.' } },
    run: ({ services, params, caller }) => services.identityProviders.remove(caller.tenantId, params.id, caller),
  }),
  route({
    method: 'post',
    path: `${PROVIDERS}/:id/test`,
    ...ADMINISTRATOR,
    summary: 'Test an identity provider',
    description:
      'Sends requests to the provider: discovery, keys, and a code that does not exist, whose refusal tells whether client id and secret are right.',
    params: byId,
    body: { schema: z.strictObject({}), maxBytes: 1_024, optional: true },
    faults: { 404: NO_PROVIDER },
    responses: { 200: { description: 'What was found.', schema: examinationSchema } },
    run: async ({ services, params, caller, baseUrl }) => {
      const { redirectUri } = addressesOf({ tenantId: caller.tenantId, id: params.id }, baseUrl);
      return { body: await services.identityProviders.examine(caller.tenantId, params.id, redirectUri, caller) };
    },
  }),
];
