import { z } from 'zod';
import { providerTestSchema, testProviderSchema } from '../../../core/agents/chat/provider-test-schema.ts';
import { modelProviderVersion } from '../../../core/agents/providers/definitions.ts';
import {
  knownModelSchema,
  modelProviderSchema,
  modelProvidersSchema,
  modelsQuerySchema,
  putModelProviderSchema,
  vendorSchema,
} from '../../../core/agents/providers/shown.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './login-answer.ts';

const PROVIDERS = `${PORTAL}/providers`;
const TAG = 'Portal: providers';
const MAX_DEFINITION_BYTES = 2 * 1024 * 1024;
const MAX_TEST_BYTES = 1_024;
const byName = z.strictObject({ name: z.string().describe('The name that requests use as `providerName`.') });
const byVendor = z.strictObject({ vendor: vendorSchema.exclude(['custom']).describe('The vendor.') });
const NO_PROVIDER = 'There is no such provider.';
const TEST_FAULTS = { 429: 'Too many tests, or a budget of the tenant has no room. See Retry-After.' };
const TESTED = { 200: { description: 'Whether it works, and if not, why.', schema: providerTestSchema } };
const TEST =
  'Asks a model for a few tokens, without fallbacks and default members of the definition. It is a chat like any other: budgets count it, an execution of the project `provider-test` records it, and the audit log has it. 10 at once, then 6 a minute in a tenant.';

const MODELS = {
  access: 'portal:administrator',
  tag: TAG,
  description:
    'Chat models that the public price table knows at this address, by id, with their prices. The key may not allow all, and the vendor may have newer ones.',
  query: modelsQuerySchema,
  page: 'A page of them; none for an address that the table does not know.',
  member: ['models', z.array(knownModelSchema).describe('The models.')] as [string, z.ZodArray],
} as const;

const ADMINISTRATOR = { access: 'portal:administrator', tag: TAG } as const;

export const modelProviderRoutes: Route[] = [
  route({
    method: 'get',
    path: PROVIDERS,
    ...ADMINISTRATOR,
    summary: 'List LLM providers',
    description:
      'The seven vendors, each with the source of its key, and the definitions of the tenant. No secret is ever shown.',
    responses: { 200: { description: 'Vendors and definitions.', schema: modelProvidersSchema } },
    answer: ({ services, caller }) => services.providerDefinitions.overview(caller),
  }),
  route({
    method: 'get',
    path: `${PROVIDERS}/:name`,
    ...ADMINISTRATOR,
    summary: 'Get an LLM provider',
    description: 'The whole definition; secrets are `set` or `{"env": "NAME"}`.',
    params: byName,
    version: modelProviderVersion,
    faults: { 404: NO_PROVIDER },
    responses: { 200: { description: 'The provider.', schema: modelProviderSchema } },
    answer: ({ services, caller, params }) => services.providerDefinitions.get(caller, params.name),
  }),
  pagedRoute({
    path: `${PROVIDERS}/:name/models`,
    params: byName,
    faults: { 404: NO_PROVIDER },
    ...MODELS,
    summary: 'List the models of an LLM provider',
    list: ({ services, caller, params, query }) => services.providerDefinitions.models(caller, params.name, query),
  }),
  pagedRoute({
    path: `${PROVIDERS}/vendors/:vendor/models`,
    params: byVendor,
    ...MODELS,
    summary: 'List the models of a vendor',
    list: ({ services, caller, params, query }) =>
      services.providerDefinitions.modelsOfVendor(caller, params.vendor, query),
  }),
  route({
    method: 'put',
    path: `${PROVIDERS}/:name`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Put an LLM provider',
    description:
      'A definition takes the place of the one of this name as a whole; only secrets that are left out stay, unless `baseUrl` or `provider` changes. One that reads the environment of the server, uses its AWS credentials or allows private networks is for the operator alone: a SUPER_ADMIN of the only tenant, or the command line. Chats use it within a second.',
    params: byName,
    version: modelProviderVersion,
    headers: { 'if-none-match': '`*`: only if there is none of this name yet; otherwise 412.' },
    body: { schema: putModelProviderSchema, maxBytes: MAX_DEFINITION_BYTES },
    faults: { 422: 'A stored secret would go to another address or vendor, or none is stored; or too many providers.' },
    responses: {
      200: { description: 'The provider as it is now.', schema: modelProviderSchema },
      201: { description: 'The provider is new.', schema: modelProviderSchema },
    },
    run: async ({ services, caller, params, body, ifMatch, header }) => {
      const expected = { version: ifMatch, absent: header('if-none-match')?.trim() === '*' };
      const { isNew, provider } = await services.providerDefinitions.put(caller, params.name, body, expected);
      return { status: isNew ? 201 : 200, body: provider };
    },
  }),
  route({
    method: 'delete',
    path: `${PROVIDERS}/:name`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Remove an LLM provider',
    description: 'Chats that name it are refused within a second. Its key is deleted with it.',
    params: byName,
    faults: { 404: NO_PROVIDER, 409: 'Others fall back on it.' },
    responses: { 204: { description: 'The provider is deleted.' } },
    run: ({ services, caller, params }) => services.providers.remove(caller.tenantId, params.name, caller),
  }),
  route({
    method: 'post',
    path: `${PROVIDERS}/:name/test`,
    ...ADMINISTRATOR,
    summary: 'Test an LLM provider',
    description: TEST,
    params: byName,
    body: { schema: testProviderSchema, maxBytes: MAX_TEST_BYTES, optional: true },
    faults: { 404: NO_PROVIDER, ...TEST_FAULTS },
    responses: TESTED,
    answer: ({ services, caller, params, body, signal }) =>
      services.providerTests.ofDefinition(caller, params.name, body?.model, signal),
  }),
  route({
    method: 'post',
    path: `${PROVIDERS}/vendors/:vendor/test`,
    ...ADMINISTRATOR,
    summary: "Test a vendor's key of the environment",
    description: TEST,
    params: byVendor,
    body: { schema: testProviderSchema, maxBytes: MAX_TEST_BYTES, optional: true },
    faults: TEST_FAULTS,
    responses: TESTED,
    answer: ({ services, caller, params, body, signal }) =>
      services.providerTests.ofVendor(caller, params.vendor, body?.model, signal),
  }),
];
