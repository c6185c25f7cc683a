import { z } from 'zod';
import { parameterSchema } from '../../../base/json-schema/schema.ts';
import { isPrivateUrl, networkSchema } from '../../../base/network/addresses.ts';
import { freeObject, type JsonProblem } from '../../../base/shared/json.ts';
import {
  authSchema,
  credentialNameSchema,
  environmentNameSchema,
  environmentSchema,
  fixedHeadersSchema,
  type SecretReference,
} from './environment-schema.ts';
import { CONNECTOR_LIMITS, placeholdersOf, resourceSchema, resourceSlugSchema } from './resource-schema.ts';
import { problemsOfSchemas } from './schema-check.ts';

export const connectorSlugSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be 1 to 100 small letters, digits and -, the first of them no -');

const retrySchema = z.strictObject({
  attempts: z
    .int()
    .min(1)
    .max(CONNECTOR_LIMITS.attempts.maximum)
    .default(CONNECTOR_LIMITS.attempts.default)
    .describe('In all; 1: none again.'),
  statuses: z
    .array(z.int().min(400).max(599))
    .max(50)
    .default([429, 502, 503, 504])
    .describe('Answers that are worth another attempt.'),
});

export const connectorMembersSchema = z.strictObject({
  version: z
    .literal(1, 'must be 1, the only version that this program knows')
    .default(1)
    .describe('The version of this format.'),
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
    .max(CONNECTOR_LIMITS.credentials)
    .default([])
    .describe('The stored credentials that may be used with it.'),
  headers: fixedHeadersSchema.default({}).describe('Sent with every request.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(CONNECTOR_LIMITS.timeoutMs.maximum)
    .default(CONNECTOR_LIMITS.timeoutMs.default)
    .describe('Milliseconds that a call may take, all its attempts together.'),
  maxResponseBytes: z
    .int()
    .min(1)
    .max(CONNECTOR_LIMITS.responseBytes.maximum)
    .default(CONNECTOR_LIMITS.responseBytes.default)
    .describe('The most of an answer, decompressed.'),
  maxConcurrent: z
    .int()
    .min(1)
    .max(CONNECTOR_LIMITS.concurrent.maximum)
    .default(CONNECTOR_LIMITS.concurrent.default)
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
    .refine(
      (all) => Object.keys(all).length <= CONNECTOR_LIMITS.resources,
      `must hold at most ${CONNECTOR_LIMITS.resources}`,
    )
    .describe('What can be called, by slug.'),
});

export type ConnectorDefinition = z.output<typeof connectorMembersSchema>;

function checkDefinition(definition: ConnectorDefinition): JsonProblem[] {
  return [
    ...problemsOfEnvironments(definition),
    ...problemsOfCredentials(definition),
    ...problemsOfMissingSecrets(definition),
    ...problemsOfPaths(definition),
    ...problemsOfSchemas(definition),
  ];
}

function problemsOfEnvironments(definition: ConnectorDefinition): JsonProblem[] {
  const { environments, defaultEnvironment, allowPrivateNetworks } = definition;
  const problems: JsonProblem[] = [];
  if (defaultEnvironment !== undefined && environments[defaultEnvironment] === undefined) {
    problems.push({ path: ['defaultEnvironment'], message: 'must be one of those in environments' });
  }
  for (const [name, environment] of Object.entries(environments)) {
    const auth = environment.auth ?? definition.auth;
    const addresses: [PropertyKey[], string][] = [[['environments', name, 'baseUrl'], environment.baseUrl]];
    if (auth.type === 'oauth2') {
      const holder = environment.auth ? ['environments', name, 'auth'] : ['auth'];
      addresses.push([[...holder, 'tokenUrl'], auth.tokenUrl]);
    }
    for (const [path, address] of addresses) {
      const url = URL.parse(address);
      if (url === null || allowPrivateNetworks.length > 0 || !isPrivateUrl(url)) continue;
      problems.push({
        path,
        message:
          'is in a private network; the operator may allow that: allowPrivateNetworks, --allow-private-network of an import',
      });
    }
    if (auth.type === 'apiKey' && auth.in === 'header') {
      const configured = [...Object.keys(definition.headers), ...Object.keys(environment.headers ?? {})];
      if (configured.some((header) => header.toLowerCase() === auth.name.toLowerCase())) {
        problems.push({ path: ['auth', 'name'], message: 'is among the headers, too' });
      }
    }
  }
  return problems;
}

function problemsOfCredentials(definition: ConnectorDefinition): JsonProblem[] {
  return referencesOf(definition).flatMap(({ path, reference }) =>
    'credential' in reference && !definition.credentials.includes(reference.credential)
      ? [{ path: [...path, 'credential'], message: 'must be one of those in credentials' }]
      : [],
  );
}

/**
 * Without a listed credential, which a call could name, every call of the environment would fail.
 */
function problemsOfMissingSecrets({ environments, auth, credentials }: ConnectorDefinition): JsonProblem[] {
  if (credentials.length > 0) return [];
  return Object.entries(environments).flatMap(([name, environment]) => {
    const { type, clientId } = { clientId: undefined, ...(environment.auth ?? auth) };
    if (type === 'none') return [];
    if (environment.secret === undefined) {
      const message = `is missing, so every call would fail: ${type} needs one; add {"credential": "NAME"}, and NAME to credentials`;
      return [{ path: ['environments', name, 'secret'], message }];
    }
    if (type !== 'oauth2' || clientId !== undefined || !('env' in environment.secret)) return [];
    const message = 'is missing, so every call would fail: a variable has no username to take for it; add it';
    return [{ path: [...(environment.auth ? ['environments', name] : []), 'auth', 'clientId'], message }];
  });
}

export function referencesOf({
  headers,
  environments,
}: Pick<ConnectorDefinition, 'headers' | 'environments'>): { path: string[]; reference: SecretReference }[] {
  const ofHeaders = (path: string[], all: Record<string, string | SecretReference>) =>
    Object.entries(all).flatMap(([name, reference]) =>
      typeof reference === 'string' ? [] : [{ path: [...path, name], reference }],
    );
  const ofEnvironments = Object.entries(environments).flatMap(([name, environment]) => [
    ...(environment.secret ? [{ path: ['environments', name, 'secret'], reference: environment.secret }] : []),
    ...ofHeaders(['environments', name, 'headers'], environment.headers ?? {}),
  ]);
  return [...ofHeaders(['headers'], headers), ...ofEnvironments];
}

/** Path schema and placeholders must name the same parameters. */
function problemsOfPaths({ resources }: ConnectorDefinition): JsonProblem[] {
  return Object.entries(resources).flatMap(([slug, { path, parameters }]) => {
    if (/%(?![0-9a-f]{2})/i.test(path)) {
      return [{ path: ['resources', slug, 'path'], message: 'has a % that begins no encoded character; write %25' }];
    }
    const { properties } = (parameters.path ?? {}) as { properties?: Record<string, unknown> };
    if (properties === undefined) return [];
    const placeholders = placeholdersOf(path);
    const at = ['resources', slug, 'parameters', 'path', 'properties'];
    const missing = placeholders.filter((name) => !Object.hasOwn(properties, name));
    const surplus = Object.keys(properties).filter((name) => !placeholders.includes(name));
    return [
      ...missing.map((name) => ({ path: at, message: `lacks ${name}, which the path has` })),
      ...surplus.map((name) => ({ path: [...at, name], message: 'is not in the path' })),
    ];
  });
}

export const connectorDefinitionSchema = connectorMembersSchema.superRefine((definition, context) => {
  for (const { path, message } of checkDefinition(definition)) context.addIssue({ code: 'custom', path, message });
});
