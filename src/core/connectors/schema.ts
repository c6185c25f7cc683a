import { z } from 'zod';
import { freeObject, soundJson } from '../json.ts';
import { headerNamesSchema, isHeaderValue } from '../providers/secret-schema.ts';
import { checkDefinition } from './definition-check.ts';
import { parameterSchema } from './json-schema.ts';
import { networkSchema } from './networks.ts';
import { placeholdersOf, withoutPlaceholders } from './path-template.ts';

/** Where an API is reached for trying and for real; which of the two, a call says. */
export const ENVIRONMENTS = ['staging', 'production'] as const;
export const environmentNameSchema = z.enum(ENVIRONMENTS, `must be ${ENVIRONMENTS.join(' or ')}`);
export type EnvironmentName = z.output<typeof environmentNameSchema>;

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What calling twice does no more than calling once (RFC 9110, 9.2.2). */
export const IDEMPOTENT_METHODS: ReadonlySet<Method> = new Set<Method>(['GET', 'HEAD', 'PUT', 'DELETE']);

export const LIMITS = {
  timeoutMs: { default: 30_000, maximum: 120_000 },
  /** Of an answer, decompressed. */
  responseBytes: { default: 5 * 1024 * 1024, maximum: 50 * 1024 * 1024 },
  attempts: { default: 3, maximum: 5 },
  concurrent: { default: 64, maximum: 500 },
  resources: 2_000,
  credentials: 50,
} as const;

const MAX_JSON_DEPTH = 32;

export const connectorSlugSchema = z
  .string('must be a string')
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be 1 to 100 small letters, digits and -, the first of them no -');

/** As an `operationId` may be written, so that who knows an API finds its resources. */
export const resourceSlugSchema = z
  .string('must be a string')
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, -, _ and ., the first a letter or digit');

export const credentialNameSchema = z
  .string('must be a string')
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, -, _ and ., the first a letter or digit');

const VARIABLE = /^[A-Za-z_]\w{0,199}$/;

/** Where a secret comes from; no definition holds one. */
const secretReferenceSchema = z.union(
  [
    z.strictObject({ credential: credentialNameSchema.describe('The name of a stored credential.') }),
    z.strictObject({
      env: z
        .string()
        .regex(VARIABLE, 'must be the name of an environment variable: letters, digits and _')
        .describe("The variable of the server's environment that holds it; from the operator's command line alone."),
    }),
  ],
  'must be {"credential": "NAME"} or {"env": "NAME"}: a definition holds no secret itself',
);
export type SecretReference = z.output<typeof secretReferenceSchema>;

const headerValueSchema = z
  .string()
  .max(2_000)
  .refine(isHeaderValue, 'must be printable ASCII on one line, without blanks at its ends');

/** Sent with every request. */
const fixedHeadersSchema = headerNamesSchema.pipe(
  z.record(
    z.string(),
    z.union([headerValueSchema, secretReferenceSchema], 'must be a text, {"credential": "NAME"} or {"env": "NAME"}'),
  ),
);

/** Joined with a resource's path, so it has neither query nor fragment. Never repeated in a message: people put secrets into addresses. */
export const webAddressSchema = z
  .string('must be a string')
  .max(2_000)
  .superRefine((text, context) => {
    const complain = (message: string) => context.addIssue({ code: 'custom', message });
    const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null;
    if (url === null) return complain('must be an http or https URL such as https://api.example.com/v1');
    if (url.username !== '' || url.password !== '') complain('must not hold a user or password; use auth');
    if (/[?#]/.test(text)) complain('must have no query and no fragment');
  });

const apiKeyAuthSchema = z.strictObject({
  type: z.literal('apiKey').describe('A key in a header or in the query.'),
  in: z.enum(['header', 'query']).describe('Where it is sent.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.[\]-]{0,199}$/, 'must be the name of a header or query parameter')
    .describe('Of the header or the query parameter.'),
  prefix: headerValueSchema.optional().describe('Said before the key, with a blank between: `Token` for example.'),
});

const oauth2AuthSchema = z.strictObject({
  type: z.literal('oauth2').describe('Tokens of an authorization server.'),
  tokenUrl: webAddressSchema.describe('Where tokens are asked for, with the grant client_credentials.'),
  clientId: headerValueSchema.optional().describe("Without one, the credential's username is it."),
  scopes: z.array(headerValueSchema).max(100).default([]).describe('Those that are asked for.'),
  audience: headerValueSchema.optional().describe('For servers that want one.'),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .default('basic')
    .describe('How the client says who it is: HTTP Basic, or members of the body.'),
});

/** How the API wants to know who calls. The secret comes from the environment's `secret` or from the call's credential. */
export const authSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none').describe('Nobody is asked who calls.') }),
  apiKeyAuthSchema,
  z.strictObject({
    type: z.literal('basic').describe('User and password, as HTTP has it.'),
    username: z
      .string()
      .min(1)
      .max(200)
      .refine((text) => isHeaderValue(text) && !text.includes(':'), 'must be printable ASCII without a colon')
      .optional()
      .describe("Without one, the credential's username is it."),
  }),
  z.strictObject({ type: z.literal('bearer').describe('A token in the header Authorization.') }),
  oauth2AuthSchema,
]);
export type Auth = z.output<typeof authSchema>;

const environmentSchema = z.strictObject({
  baseUrl: webAddressSchema.describe('What the paths of resources follow: https://api.example.com/v1 for example.'),
  secret: secretReferenceSchema.optional().describe('What it is used with unless a call names a credential.'),
  auth: authSchema.optional().describe('In place of that of the connector.'),
  headers: fixedHeadersSchema.optional().describe('Beside those of the connector.'),
});

const anyJson = z.unknown().superRefine(soundJson(MAX_JSON_DEPTH));

const mockSchema = z.strictObject({
  status: z.int().min(200).max(299).default(200).describe('The status that is told.'),
  body: anyJson.optional().describe('What is answered as data.'),
});

/** How a list or an object is written into a query. The names are those of OpenAPI, `brackets` is `tags[]=a&tags[]=b`. */
export const QUERY_STYLES = ['form', 'comma', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'brackets'] as const;
export type QueryStyle = (typeof QUERY_STYLES)[number];

const parametersSchema = z.strictObject({
  path: parameterSchema.optional().describe('JSON Schema of an object: those in braces in the path.'),
  query: parameterSchema.optional().describe('JSON Schema of an object.'),
  headers: parameterSchema.optional().describe('JSON Schema of an object; names in any case.'),
  body: parameterSchema.optional().describe('JSON Schema of the body.'),
});

export const resourceSchema = z
  .strictObject({
    description: z.string().max(2_000).optional().describe('What it does, for people and models.'),
    method: z.enum(METHODS).describe('Of HTTP.'),
    path: z
      .string()
      .max(2_000)
      .regex(/^\/[^\s?#\\]*$/, 'must begin with / and have no query: /pets/{petId} for example')
      .describe('What follows the base URL; {name} stands for a parameter.'),
    parameters: parametersSchema.default({}).describe('What it takes. A place without a schema takes anything.'),
    queryStyles: z
      .record(z.string(), z.enum(QUERY_STYLES))
      .optional()
      .describe(
        'How lists and objects are written, by parameter: form (`a=1&a=2`) unless said, deepObject for objects.',
      ),
    bodyType: z.enum(['json', 'form']).default('json').describe('What the body is sent as; form: as HTML forms are.'),
    idempotent: z
      .boolean()
      .optional()
      .describe('Whether calling twice does no more than calling once. Without: by the method.'),
    timeoutMs: z.int().min(1).max(LIMITS.timeoutMs.maximum).optional().describe('In place of that of the connector.'),
    mock: mockSchema.optional().describe('What a call with `useMock` is answered with.'),
    fallbackResponse: anyJson.optional().describe('What a failure carries as data.'),
    exposeAsTool: z.boolean().default(false).describe('Whether MCP clients see it as a tool.'),
  })
  .superRefine(({ path, method, parameters }, context) => {
    const complain = (at: string[], message: string) => context.addIssue({ code: 'custom', path: at, message });
    const placeholders = placeholdersOf(path);
    if (new Set(placeholders).size < placeholders.length) complain(['path'], 'has a parameter twice');
    if (/[{}]/.test(withoutPlaceholders(path))) complain(['path'], 'has a brace without its other, or no name in it');
    if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
      complain(['path'], 'must not hold . or ..');
    if (parameters.body !== undefined && (method === 'GET' || method === 'HEAD')) {
      complain(['parameters', 'body'], `must be left out: ${method} has no body`);
    }
  });
export type Resource = z.output<typeof resourceSchema>;

const retrySchema = z.strictObject({
  attempts: z
    .int()
    .min(1)
    .max(LIMITS.attempts.maximum)
    .default(LIMITS.attempts.default)
    .describe('In all; 1: none again.'),
  statuses: z
    .array(z.int().min(400).max(599))
    .max(50)
    .default([429, 502, 503, 504])
    .describe('Answers that are worth another attempt.'),
});

/** The members of a definition, each by itself. */
export const connectorMembersSchema = z.strictObject({
  version: z.literal(1, 'must be 1, the only version that this program knows').default(1).describe('Of this format.'),
  slug: connectorSlugSchema.describe('What calls name it by.'),
  name: z.string().min(1).max(200).describe('For people; calls may use it, too.'),
  description: z.string().max(5_000).optional().describe('What it is for.'),
  environments: z
    .strictObject({
      staging: environmentSchema.optional().describe('For trying.'),
      production: environmentSchema.optional().describe('For real.'),
    })
    .refine(({ staging, production }) => staging ?? production, 'must hold staging or production')
    .describe('Where it is reached.'),
  defaultEnvironment: environmentNameSchema
    .optional()
    .describe('For calls that name none, where the server has no default.'),
  auth: authSchema.default({ type: 'none' }).describe('How it wants to know who calls.'),
  credentials: z
    .array(credentialNameSchema)
    .max(LIMITS.credentials)
    .default([])
    .describe('The stored credentials that may be used with it.'),
  headers: fixedHeadersSchema.default({}).describe('Sent with every request.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(LIMITS.timeoutMs.maximum)
    .default(LIMITS.timeoutMs.default)
    .describe('Milliseconds that a call may take, all its attempts together.'),
  maxResponseBytes: z
    .int()
    .min(1)
    .max(LIMITS.responseBytes.maximum)
    .default(LIMITS.responseBytes.default)
    .describe('The most of an answer, decompressed.'),
  maxConcurrent: z
    .int()
    .min(1)
    .max(LIMITS.concurrent.maximum)
    .default(LIMITS.concurrent.default)
    .describe('Calls of one environment at once; as many more may wait.'),
  retry: retrySchema.prefault({}).describe('When a call is tried again, where that is safe.'),
  followRedirects: z
    .boolean()
    .default(false)
    .describe('Whether redirects of GET and HEAD are followed, three at most and within the same origin.'),
  allowPrivateNetworks: z
    .array(networkSchema)
    .max(50)
    .default([])
    .describe(
      "Networks that are not public and may be reached: 10.1.0.0/16 for example. From the operator's command line alone.",
    ),
  schemas: z
    .record(z.string().regex(/^[\w.-]{1,200}$/, 'must be 1 to 200 letters, digits, -, _ and .'), parameterSchema)
    .optional()
    .describe('JSON Schemas that others refer to as #/schemas/NAME.'),
  resources: freeObject()
    .pipe(z.record(resourceSlugSchema, resourceSchema))
    .refine((all) => Object.keys(all).length > 0, 'must hold at least one resource')
    .refine((all) => Object.keys(all).length <= LIMITS.resources, `must hold at most ${LIMITS.resources}`)
    .describe('What can be called, by slug.'),
});

/** A connector as it is defined: everything about an API but the secrets. */
export const connectorDefinitionSchema = connectorMembersSchema.superRefine((definition, context) => {
  for (const { path, message } of checkDefinition(definition)) context.addIssue({ code: 'custom', path, message });
});
export type ConnectorDefinition = z.output<typeof connectorDefinitionSchema>;
