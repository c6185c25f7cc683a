import { z } from 'zod';
import { languageSchema } from '../../../language/messages.ts';
import type { AccessLimits } from '../../base/filters/limits.ts';
import { ROLES, SCOPES, type Scope } from '../../base/shared/caller.ts';
import { agentIdSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { parseUtc } from '../../base/time/time.ts';
import { limitsSchema, type RoleLimits, roleLimitsSchema } from '../limits/schema.ts';
import { REQUIREMENTS, type Requirement } from '../second-factor/store.ts';

const scopeSchema = z.enum([...SCOPES, '*'], `must be one of *, ${SCOPES.join(', ')}`);

const nounName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

export const createTenantSchema = z.strictObject({ name: nounName });
const retentionSchema = z
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(36_500, 'must be at most 36500 days')
  .nullable();
export const settingsSchema = z.object({
  timezone: z.string().describe('IANA name: what dates without an offset mean, and where days begin.'),
  retentionDays: retentionSchema.describe('The days for which events are kept; null: for ever.'),
  executionRetentionDays: retentionSchema.describe(
    'The days for which executions are kept, by their start; their reviews stay. null: for ever.',
  ),
  secondFactor: z
    .enum(REQUIREMENTS)
    .describe('Who needs a second factor, from their next login on; see docs/second-factor.md.'),
  passwordLogin: z
    .boolean('must be true or false')
    .describe('Whether its users may log in with a password; docs/sso.md has the conditions for false.'),
  roleLimits: roleLimitsSchema
    .nullable()
    .describe(
      'What users of a role, and applications that act for them, are held to; see docs/limits-below-tenant.md.',
    ),
});
responseSchemas.add(settingsSchema, { id: 'Settings' });
export type Settings = z.output<typeof settingsSchema>;
export const updateSettingsSchema = z
  .strictObject(settingsSchema.partial().shape)
  .refine(
    (changes) => Object.keys(changes).length > 0,
    'needs timezone, retentionDays, executionRetentionDays, secondFactor, passwordLogin or roleLimits',
  );

export const createAgentSchema = z.strictObject({ name: agentIdSchema.describe('Unique within the tenant.') });
export const agentSchema = z.object({
  name: z.string().describe('What `agentId` names.'),
  createdAt: z.iso.datetime().describe('When it was created or first used.'),
  createdBy: z.string().nullable().describe('Id of the user who created or first used it; null where nobody is known.'),
});
responseSchemas.add(agentSchema, { id: 'Agent' });
export type ShownAgent = z.output<typeof agentSchema>;

export const pageQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 500 }),
  offset: offsetSchema.describe('How many to pass over.'),
});
export type PageQuery = z.output<typeof pageQuerySchema>;

export const createKeySchema = z.strictObject({
  agentId: agentIdSchema.nullable().default(null).describe('The agent that the key is bound to; null: to none.'),
  label: nounName.describe('Shown as author of what is done with the key.'),
  scopes: z.array(scopeSchema).min(1, 'needs at least one scope').describe('What the key may do; `*` is everything.'),
  limits: limitsSchema
    .nullish()
    .describe('What the key is held to; see docs/limits-below-tenant.md. By default what you are.'),
  /** Epoch milliseconds; null: never; absent: the installation's default. */
  expiresAt: z.int().nullable().optional(),
});
export type CreateKey = z.input<typeof createKeySchema>;

const DATE_ERROR = 'must be an ISO 8601 date such as 2027-03-01 or 2027-03-01T12:30:00Z';

export const requestKeySchema = createKeySchema.extend({
  expiresAt: z
    .string(DATE_ERROR)
    .refine((text) => parseUtc(text) !== null, DATE_ERROR)
    .meta({ format: 'date-time' })
    .transform((text) => parseUtc(text))
    .nullable()
    .optional()
    .describe(
      'When the key expires, in UTC where the offset is missing; null: never. By default AGENT_RUNTIME_KEY_LIFETIME from now, or never where that is not set. Only administrators may go beyond that.',
    ),
});
requestSchemas.add(requestKeySchema, { id: 'RequestKey' });

const keyShape = {
  id: z.string().describe('The part between `ar_` and the second underscore.'),
  tenantId: z.string().describe('Id of its tenant.'),
  agentId: z.string().nullable().describe('The agent that the key is bound to; null: to none.'),
  label: z.string().describe('Shown as author of what is done with the key.'),
  scopes: z.array(z.enum([...SCOPES, '*'])).describe('What the key may do; `*` is everything.'),
  limits: limitsSchema.optional().describe('What the key is held to; left out: to nothing below the tenant.'),
  expiresAt: z.iso.datetime().nullable().describe('When the key expires; null: never.'),
};

const keyMakerSchema = z.object({
  id: z.string().describe('Id of the user.'),
  name: z.string().nullable().describe('The name of the person; null: the user is gone.'),
  email: z.string().nullable().describe('The e-mail address of the user; null: the user is gone.'),
  isActive: z.boolean().describe('Whether the user may still log in.'),
});
responseSchemas.add(keyMakerSchema, { id: 'KeyMaker' });
export type KeyMaker = z.output<typeof keyMakerSchema>;

const formerSecretUntil = z.iso
  .datetime()
  .nullable()
  .describe('Until when the secret before the last rotation works, too; null: it does not.');

export const apiKeySchema = z.object({
  ...keyShape,
  createdAt: z.iso.datetime().describe('When it was created.'),
  createdBy: z.string().nullable().describe('Id of the user who created it; null: the operator.'),
  maker: keyMakerSchema.nullable().describe('The user who created it; null: the operator.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When the key was last used, to the minute; null: never.'),
  revokedAt: z.iso.datetime().nullable().describe('When the key was revoked; null: it was not.'),
  formerSecretUntil,
});
responseSchemas.add(apiKeySchema, { id: 'ApiKey' });
export type ShownApiKey = z.output<typeof apiKeySchema>;

export const issuedKeySchema = z.object({ key: z.string().describe('The key itself. Keep it now.'), ...keyShape });
responseSchemas.add(issuedKeySchema, { id: 'IssuedKey' });
export type IssuedKey = z.output<typeof issuedKeySchema>;

/** Seven days. */
const MAX_OVERLAP_SECONDS = 604_800;
const OVERLAP_ERROR = `must be a whole number of seconds from 0 to ${MAX_OVERLAP_SECONDS}, which is seven days`;

export const rotateKeySchema = z.strictObject({
  overlapSeconds: z
    .int(OVERLAP_ERROR)
    .min(0, OVERLAP_ERROR)
    .max(MAX_OVERLAP_SECONDS, OVERLAP_ERROR)
    .default(0)
    .describe('For how long the secret that is replaced works beside the new one; 0: it is void at once.'),
});
requestSchemas.add(rotateKeySchema, { id: 'RotateKey' });
export type RotateKey = z.input<typeof rotateKeySchema>;

export const rotatedKeySchema = issuedKeySchema.extend({ formerSecretUntil });
responseSchemas.add(rotatedKeySchema, { id: 'RotatedKey' });
export type RotatedKey = z.output<typeof rotatedKeySchema>;

const KEY_STATES = ['active', 'expiring', 'expired', 'revoked', 'all'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const keysQuerySchema = pageQuerySchema.extend({
  search: z
    .string()
    .trim()
    .max(200)
    .default('')
    .describe('A part of the label or of the id; the case of A to Z does not matter.'),
  state: z
    .enum(KEY_STATES)
    .default('all')
    .describe(
      '`active`: neither revoked nor expired. `expiring`: active for at most 30 more days. `all` is the default.',
    ),
  maker: z.string().min(1).max(100).optional().describe('Id of the user who made the keys.'),
  leavers: z
    .boolean('must be true or false')
    .default(false)
    .describe('True: only active keys whose maker is deactivated or gone.'),
});
export type KeysQuery = z.output<typeof keysQuerySchema>;

export const loginSchema = z.strictObject({
  email: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(320)
    .describe('The e-mail address of the user; its case does not matter.'),
  password: z.string().min(1, 'must not be empty').max(1_024).describe('The password of the user.'),
  session: z
    .enum(['token', 'cookie'], 'must be token or cookie')
    .optional()
    .describe('`cookie` also sets the cookie `ar_session`, for pages of this server.'),
  tenant: z
    .string()
    .min(1, 'must not be empty')
    .max(200)
    .optional()
    .describe('Name or id. Needed when e-mail and password fit users of several tenants.'),
});
export type Login = z.output<typeof loginSchema>;

export const linkLoginSchema = z.strictObject({
  secret: z.string().min(1, 'must not be empty').max(100).describe('What follows `#link=` in the link.'),
});

const sessionUserSchema = z.object({
  id: z.string().describe('Id of the user.'),
  email: z.string().describe('The e-mail address, spelled as it was entered.'),
  name: z.string().describe('The name of the person.'),
  role: z.enum(ROLES).describe('What the user may do; see docs/portal.md.'),
  tenantId: z.string().describe('Id of the tenant that the user belongs to.'),
  language: languageSchema.nullable().describe('The language of the pages of the user; null: that of the browser.'),
});
responseSchemas.add(sessionUserSchema, { id: 'SessionUser' });
export type SessionUser = z.output<typeof sessionUserSchema>;

export const loggedInSchema = z.object({
  token: z.string().describe('Send it as `Authorization: Bearer <token>`.'),
  expiresAt: z.iso.datetime().describe('When the session expires: twelve hours from now.'),
  user: sessionUserSchema.describe('Who has logged in.'),
});
responseSchemas.add(loggedInSchema, { id: 'LoggedIn' });
export type LoggedIn = z.output<typeof loggedInSchema>;

export const shownSessionSchema = z.object({
  id: z.string().describe('Id of the session.'),
  current: z.boolean().describe('Whether it is the session of the token that asks.'),
  createdAt: z.iso.datetime().describe('When the user logged in.'),
  lastSeenAt: z.iso.datetime().describe('When its token was last used, to five minutes.'),
  expiresAt: z.iso.datetime().describe('When it ends by itself.'),
  address: z.string().describe('Where the login came from; of IPv6 the network.'),
  userAgent: z.string().nullable().describe('How the client named itself, at most 200 characters; null: it did not.'),
});
responseSchemas.add(shownSessionSchema, { id: 'UserSession' });
export type ShownSession = z.output<typeof shownSessionSchema>;

export const sessionsOfAllQuerySchema = pageQuerySchema.extend({
  search: z
    .string()
    .max(200)
    .optional()
    .describe('A part of the name or the e-mail of the user; case and accents do not matter.'),
});
export type SessionsOfAllQuery = z.output<typeof sessionsOfAllQuerySchema>;

/** `total` of the sessions of everybody counts no further. */
export const MAX_COUNTED_SESSIONS = 1_000;

export const sessionOfUserSchema = shownSessionSchema.extend({
  user: z
    .object({
      id: z.string().describe('Id of the user.'),
      name: z.string().describe('The name of the person.'),
      email: z.string().describe('The e-mail address.'),
      role: z.enum(ROLES).describe('The role of the user.'),
    })
    .describe('Whose session it is.'),
});
responseSchemas.add(sessionOfUserSchema, { id: 'SessionOfUser' });
export type SessionOfUser = z.output<typeof sessionOfUserSchema>;

export const endedSessionsSchema = z.object({ ended: z.int().describe('How many sessions were ended.') });
export type EndedSessions = z.output<typeof endedSessionsSchema>;

export const sessionSchema = z.object({
  user: sessionUserSchema.describe('Whose token it is.'),
  tenant: z
    .object({
      id: z.string().describe('Id of the tenant.'),
      name: z.string().describe('Name of the tenant.'),
      timezone: z.string().describe('IANA name of its time zone.'),
    })
    .describe("The user's tenant."),
  scopes: z.array(z.enum([...SCOPES, '*'])).describe('What the role allows on runtime endpoints; `*` is everything.'),
  limits: z.array(limitsSchema).describe('What the role is held to; empty: to nothing below the tenant.'),
  operates: z
    .boolean()
    .describe('Whether the user may do what concerns the whole installation: a SUPER_ADMIN of its only tenant.'),
});
responseSchemas.add(sessionSchema, { id: 'Session' });
export type Session = z.output<typeof sessionSchema>;

export interface Tenant {
  id: string;
  name: string;
  timezone: string;
  createdAt: number;
  retentionDays: number | null;
  executionRetentionDays: number | null;
  secondFactor: Requirement;
  passwordLogin: boolean;
  roleLimits: RoleLimits | null;
  /** By whatever process. */
  isBeingErased?: true;
}

export interface Agent {
  tenantId: string;
  name: string;
  createdAt: number;
  createdBy: string | null;
}

/** Hashes are SHA-256. Times are epoch milliseconds. */
export interface ApiKey {
  id: string;
  tenantId: string;
  agentId: string | null;
  label: string;
  scopes: (Scope | '*')[];
  limits: AccessLimits | null;
  secretHash: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
  createdBy: string | null;
  /** The secret before the last rotation, which works until `formerUntil`. */
  formerHash: string | null;
  formerUntil: number | null;
}
