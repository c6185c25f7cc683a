import { z } from 'zod';
import { SCOPES, type Scope } from '../../base/shared/caller.ts';
import { responseSchemas } from '../../base/shared/schema-names.ts';
import { limitsSchema } from '../limits/schema.ts';

/** Scopes of an application that asks for none: to read events and documents by MCP. */
export const DEFAULT_SCOPES = ['mcp:read', 'knowledge:read'] as const satisfies Scope[];

const KINDS = ['configured', 'registered', 'document'] as const;
const scope = z.enum(SCOPES);

const clientShape = {
  id: z.string().describe('The `client_id` of the application.'),
  name: z
    .string()
    .nullable()
    .describe('Given by the operator if `kind` is `configured`, otherwise by itself: not verified.'),
  kind: z
    .enum(KINDS)
    .describe(
      '`configured` by the operator, `registered` by itself, or a `document` at the https address that is its id, of which the host is verified.',
    ),
  host: z.string().nullable().describe('The verified host name of a `document`; null for other kinds.'),
};

export const oauthClientSchema = z.object(clientShape);
responseSchemas.add(oauthClientSchema, { id: 'OAuthClient' });
export type ShownOAuthClient = z.output<typeof oauthClientSchema>;

export const grantSchema = z.object({
  id: z.string().describe('Id of the grant.'),
  user: z
    .object({ id: z.string().describe('Id of the user.'), email: z.string().describe('E-mail of the user.') })
    .describe('Who allowed it, or for whom an identity provider did. Their rights limit it.'),
  client: oauthClientSchema.describe('The application that acts for the user.'),
  resource: z.string().describe('The address that its tokens are valid at: of `/mcp`, or of the REST API.'),
  scopes: z.array(scope).describe('What was allowed; of it, tokens have what the role of the user has, too.'),
  limits: limitsSchema.nullable().describe('What the user held it to, beside what the role is held to.'),
  identityProvider: z
    .string()
    .nullable()
    .describe('The id of the identity provider that allowed it in place of the user; null: the user did.'),
  createdAt: z.iso.datetime().describe('When it was allowed.'),
  expiresAt: z.iso.datetime().describe('When it ends by itself.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When a token of it was last used, to the minute; null: never.'),
});
responseSchemas.add(grantSchema, { id: 'OAuthGrant' });
export type ShownGrant = z.output<typeof grantSchema>;

export const authorizationRequestSchema = z.object({
  client: oauthClientSchema.describe('The application that asks.'),
  redirectTo: z.string().describe('Where the answer goes: scheme and host of the redirect address.'),
  resource: z.string().describe('The address that the application asks access to.'),
  tenant: z.string().describe('Name of the tenant that it would have access to: yours.'),
  scopes: z
    .array(
      z.object({
        scope: scope.describe('A scope that the application asks for.'),
        grantable: z.boolean().describe('False: your role lacks it, so you cannot allow it.'),
      }),
    )
    .describe('What it asks for.'),
  limits: limitsSchema
    .nullable()
    .describe('What its newest grant of yours is held to, as a proposal; null: to nothing, or it has none.'),
  defaultDays: z.int().describe('The days for which it is allowed if `days` is left out.'),
  maxDays: z.int().describe('The most that you can allow.'),
  expiresAt: z.iso.datetime().describe('Until when it can be answered.'),
});
responseSchemas.add(authorizationRequestSchema, { id: 'AuthorizationRequest' });
export type ShownRequest = z.output<typeof authorizationRequestSchema>;

export const allowSchema = z.strictObject({
  scopes: z
    .array(scope)
    .min(1, 'needs at least one scope')
    .describe('What you allow, of what the application asks for.'),
  limits: limitsSchema
    .nullish()
    .describe('What it is held to, beside what your role is; see docs/limits-below-tenant.md.'),
  days: z
    .int('must be a whole number of days')
    .min(1, 'must be at least 1 day')
    .max(366, 'must be at most 366 days')
    .optional()
    .describe('The days after which the permission ends.'),
});
export type Allow = z.output<typeof allowSchema>;

export const answeredSchema = z.object({
  continueAt: z.string().describe('The address of this server at which the browser goes on to the application.'),
});
