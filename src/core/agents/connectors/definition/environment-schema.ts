import { z } from 'zod';
import { ENVIRONMENT_VARIABLE, headerNamesSchema, isHeaderValue, NO_VARIABLE } from '../../providers/secret-schema.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export const environmentNameSchema = z.enum(ENVIRONMENTS, `must be ${ENVIRONMENTS.join(' or ')}`);
export type EnvironmentName = z.output<typeof environmentNameSchema>;

export const credentialNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, -, _ and ., the first a letter or digit');

const secretReferenceSchema = z.union(
  [
    z.strictObject({ credential: credentialNameSchema.describe('The name of a stored credential.') }),
    z.strictObject({
      env: z
        .string()
        .regex(ENVIRONMENT_VARIABLE, NO_VARIABLE)
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

export const fixedHeadersSchema = headerNamesSchema.pipe(
  z.record(
    z.string(),
    z.union([headerValueSchema, secretReferenceSchema], 'must be a text, {"credential": "NAME"} or {"env": "NAME"}'),
  ),
);

/** Messages do not repeat it: people put secrets into URLs. */
export const webAddressSchema = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const report = (message: string) => context.addIssue({ code: 'custom', message });
    const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null;
    if (url === null) return report('must be an http or https URL such as https://api.example.com/v1');
    if (url.username !== '' || url.password !== '') report('must not hold a user or password; use auth');
    if (/[?#]/.test(text)) report('must have no query and no fragment');
  });

const apiKeyAuthSchema = z.strictObject({
  type: z.literal('apiKey').describe('A key in a header or in the query.'),
  in: z.enum(['header', 'query']).describe('Where it is sent.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.[\]-]{0,199}$/, 'must be the name of a header or query parameter')
    .describe('The name of the header or of the query parameter.'),
  prefix: headerValueSchema.optional().describe('Precedes the key and a space: `Token`, for example.'),
});

const oauth2AuthSchema = z.strictObject({
  type: z.literal('oauth2').describe('Tokens of an authorization server.'),
  tokenUrl: webAddressSchema.describe('Where tokens are asked for, with the grant client_credentials.'),
  clientId: headerValueSchema.optional().describe("The client's id; by default the username of the credential."),
  scopes: z.array(headerValueSchema).max(100).default([]).describe('The scopes that are requested.'),
  audience: headerValueSchema.optional().describe('The audience, for servers that require one.'),
  clientAuthentication: z
    .enum(['basic', 'body'])
    .default('basic')
    .describe('How the client says who it is: HTTP Basic, or members of the body.'),
});

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
      .describe("The client's id; by default the username of the credential."),
  }),
  z.strictObject({ type: z.literal('bearer').describe('A token in the header Authorization.') }),
  oauth2AuthSchema,
]);
export type Auth = z.output<typeof authSchema>;

export const environmentSchema = z.strictObject({
  baseUrl: webAddressSchema.describe('What the paths of resources follow: https://api.example.com/v1 for example.'),
  secret: secretReferenceSchema.optional().describe('What it is used with unless a call names a credential.'),
  auth: authSchema.optional().describe('Replaces `auth` of the connector.'),
  headers: fixedHeadersSchema.optional().describe('Sent beside the headers of the connector.'),
});
