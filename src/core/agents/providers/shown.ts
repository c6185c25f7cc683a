import { z } from 'zod';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { VENDORS } from '../chat/capabilities.ts';
import { providerMembersSchema } from './schema.ts';
import { ENVIRONMENT_VARIABLE, headerNamesSchema, SECRET_JSON_SCHEMA, secretSchema } from './secret-schema.ts';

const { shape: members } = providerMembersSchema;

export const vendorSchema = z.enum(VENDORS);

/** For a route with the name in its path. The service checks the definition as a whole. */
export const putModelProviderSchema = providerMembersSchema.extend({
  name: members.name.optional().describe('As in the path, or left out.'),
  apiKey: secretSchema
    .nullable()
    .optional()
    .describe('The key; left out or `set`, the stored one stays; null removes it. {"env": "NAME"} is the operator\'s.'),
  headers: headerNamesSchema
    .meta({ type: 'object', additionalProperties: SECRET_JSON_SCHEMA })
    .pipe(z.record(z.string(), secretSchema))
    .optional()
    .describe('Sent with every request. Left out, the stored ones stay; a value `set` keeps the stored one.'),
});
requestSchemas.add(putModelProviderSchema, { id: 'PutModelProvider' });
export type PutModelProvider = z.output<typeof putModelProviderSchema>;

const shownSecretSchema = z.union([
  z.literal('set').describe('It is stored, and never shown.'),
  z
    .object({ env: z.string().regex(ENVIRONMENT_VARIABLE).describe('The variable.') })
    .describe("A variable of the server's environment."),
]);

const dollars = z.number().nullable();

export const modelsQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 200 }),
  offset: offsetSchema.describe('How many to pass over.'),
  search: z.string().max(200).optional().describe('A part of the id or the name, in whatever case.'),
});
export type ModelsQuery = z.output<typeof modelsQuerySchema>;

export const knownModelSchema = z.object({
  id: z.string().describe('What a request names it by.'),
  name: z.string().nullable().describe('Its name for people.'),
  contextTokens: z.number().nullable().describe('The most tokens of a conversation; null: unknown.'),
  inputPerMillion: dollars.describe('US dollars for a million input tokens; null: unknown.'),
  outputPerMillion: dollars.describe('US dollars for a million output tokens; null: unknown.'),
});
responseSchemas.add(knownModelSchema, { id: 'KnownModel' });
export type KnownModel = z.output<typeof knownModelSchema>;

const known = {
  testModel: z.string().nullable().describe('The cheap model of a test that names none; null: name one.'),
};

export const modelProviderSchema = z.object({
  definition: providerMembersSchema
    .extend({
      apiKey: shownSecretSchema.optional().describe('Whether one is stored, or where it is read.'),
      headers: z.record(z.string(), shownSecretSchema).optional().describe('Names of headers, without their values.'),
    })
    .describe('The whole definition, in the form that a PUT takes; without secrets.'),
  ...known,
  createdAt: z.iso.datetime().describe('When it was first stored.'),
  updatedAt: z.iso.datetime().describe('When it was last changed.'),
});
responseSchemas.add(modelProviderSchema, { id: 'ModelProvider' });
export type ModelProvider = z.output<typeof modelProviderSchema>;

const vendorStateSchema = z.object({
  provider: vendorSchema.describe('The vendor, as requests name it.'),
  key: z
    .enum(['environment', 'stored', 'none'])
    .describe(
      "environment: a variable of the server has it, for all tenants; stored: only the tenant's definitions have one.",
    ),
  variable: z.string().nullable().describe('The variable that is set; never its value.'),
  problem: z.string().nullable().describe('Why the variable cannot be used.'),
  variables: z.array(z.string()).describe('The variables that are looked for, in this order.'),
  providerNames: z.array(z.string()).describe("The tenant's definitions with this vendor's API."),
  ...known,
});

export const modelProvidersSchema = z.object({
  vendors: z.array(vendorStateSchema).describe('The seven vendors.'),
  providers: z.array(modelProviderSchema).describe("The tenant's definitions, by name."),
});
responseSchemas.add(modelProvidersSchema, { id: 'ModelProviders' });
export type ModelProviders = z.output<typeof modelProvidersSchema>;
