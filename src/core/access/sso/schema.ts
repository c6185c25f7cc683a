import { z } from 'zod';
import { ROLES } from '../../base/shared/caller.ts';
import { someMember } from '../../base/shared/json.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { bounded, isPlainText, PLAIN } from '../users/schema.ts';
import { PRESET_NAMES } from './presets.ts';

const MAX_VALUES = 200;
const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const ID_ERROR = 'must have 1 to 32 lower-case letters, digits and hyphens, and begin and end with a letter or digit';
const DOMAIN = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/;
/** RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const VISIBLE = /^[\x20-\x7e]+$/;

export const providerIdSchema = z.string(ID_ERROR).regex(ID, ID_ERROR).describe('Part of its redirect URI.');

const plain = (maximum: number) => bounded(z.string(), 1, maximum).refine(isPlainText, PLAIN);

const issuerSchema = z
  .string('must be a URL')
  .max(500, 'must have at most 500 characters')
  .refine(
    isIssuer,
    'must be an https URL without query, fragment, user and /.well-known/, such as https://login.example.com/realms/one',
  )
  .meta({ format: 'uri' });

const domainSchema = z
  .string('must be a domain')
  .trim()
  .toLowerCase()
  .regex(DOMAIN, 'must be a domain such as example.com, without @ and *')
  .max(253, 'must have at most 253 characters');

/** Who has none of the mapped values must not become an administrator. */
const defaultRoleSchema = z.enum(['USER', 'VIEWER', 'HUB_USER'], 'must be USER, VIEWER or HUB_USER, or null for none');

const members = {
  name: bounded(z.string().trim(), 1, 60)
    .refine(isPlainText, PLAIN)
    .describe('The name on the button of the login page: "Continue with <name>".'),
  preset: z.enum(PRESET_NAMES).describe('Whose product it is.'),
  issuer: issuerSchema.describe(
    'Where discovery begins: `<issuer>/.well-known/openid-configuration`, which must name the same issuer.',
  ),
  clientId: z
    .string()
    .regex(VISIBLE, 'must have visible ASCII characters only')
    .max(500)
    .describe('The id of the client that was registered at the provider.'),
  clientAuthentication: z
    .enum(['auto', 'post', 'basic'], 'must be auto, post or basic')
    .describe('How the secret is sent; `auto`: in the body where the provider lists it, else as HTTP Basic.'),
  scopes: z
    .array(z.string().regex(SCOPE, 'must be an OAuth scope'))
    .max(20, 'must have at most 20 items')
    .describe('The scopes that are requested; `openid` is added.'),
  allowedDomains: z
    .array(domainSchema)
    .max(100, 'must have at most 100 items')
    .describe(
      'Only people with an e-mail of one of these domains may log in; none: all. With Google, domains of Workspace.',
    ),
  allowedDirectories: z
    .array(z.guid('must be the UUID of a Microsoft Entra directory').toLowerCase())
    .max(100, 'must have at most 100 items')
    .describe('Microsoft Entra only: the directories (claim `tid`) that may log in. Needed with an issuer of several.'),
  roleClaim: plain(200)
    .nullable()
    .describe(
      'The claim with groups or roles, nested ones with dots (`realm_access.roles`); null: roles stay as they are.',
    ),
  roleMapping: z
    .array(
      z.strictObject({
        value: plain(300).describe('A value of the claim.'),
        role: z.enum(ROLES).describe('The role that it gives.'),
      }),
    )
    .max(MAX_VALUES, `must have at most ${MAX_VALUES} items`)
    .describe('Roles by values of the claim, set at every login; of several the highest counts.'),
  defaultRole: defaultRoleSchema
    .nullable()
    .describe('The role of new users, and of those without a mapped value; null: they are refused.'),
  createUsers: z.boolean('must be true or false').describe('Whether the first login makes a user.'),
  linkByEmail: z
    .boolean('must be true or false')
    .describe(
      'Whether a first login may take an existing user of the same e-mail without `email_verified` and allowed domains.',
    ),
  enabled: z.boolean('must be true or false').describe('Whether people may log in with it.'),
  mcp: z
    .boolean('must be true or false')
    .describe(
      'Whether it may let MCP clients act for its people by identity assertions (ID-JAG), without asking them.',
    ),
};

const secretSchema = z
  .string()
  .regex(VISIBLE, 'must have visible ASCII characters only')
  .max(2_000)
  .nullable()
  .describe('No answer ever shows it; null: a public client, which PKCE alone protects.');

const installationMembers = {
  tenantClaim: plain(200)
    .nullable()
    .describe('The claim that names the tenant; only for a provider of the whole installation.'),
  tenantMapping: z
    .array(
      z.strictObject({
        value: plain(300).describe('A value of the claim.'),
        tenant: plain(200).describe('Name or id of the tenant.'),
      }),
    )
    .max(MAX_VALUES, `must have at most ${MAX_VALUES} items`)
    .describe('Tenants by values of the claim.'),
};

const defaults = {
  clientAuthentication: members.clientAuthentication.default('auto'),
  scopes: members.scopes.default(['openid', 'email', 'profile']),
  allowedDomains: members.allowedDomains.default([]),
  allowedDirectories: members.allowedDirectories.default([]),
  roleClaim: members.roleClaim.default(null),
  roleMapping: members.roleMapping.default([]),
  defaultRole: members.defaultRole.default(null),
  createUsers: members.createUsers.default(false),
  linkByEmail: members.linkByEmail.default(false),
  enabled: members.enabled.default(true),
  mcp: members.mcp.default(false),
};

export const createProviderSchema = z.strictObject({
  id: providerIdSchema,
  ...members,
  ...defaults,
  clientSecret: secretSchema.default(null),
});
requestSchemas.add(createProviderSchema, { id: 'CreateIdentityProvider' });
export type CreateProvider = z.input<typeof createProviderSchema>;

/** For the operator: also providers of the whole installation. */
export const createAnyProviderSchema = createProviderSchema.extend({
  tenantClaim: installationMembers.tenantClaim.default(null),
  tenantMapping: installationMembers.tenantMapping.default([]),
});

export const changeProviderSchema = z
  .strictObject({ ...members, clientSecret: secretSchema })
  .partial()
  .refine(...someMember);
requestSchemas.add(changeProviderSchema, { id: 'ChangeIdentityProvider' });

export const changeAnyProviderSchema = z
  .strictObject({ ...members, clientSecret: secretSchema, ...installationMembers })
  .partial()
  .refine(...someMember);
export type ChangeProvider = z.input<typeof changeAnyProviderSchema>;

const definitionSchema = z.object({ ...members, ...installationMembers });
export type IdentityProviderDefinition = z.output<typeof definitionSchema>;

export const providerSchema = z.object({
  id: z.string().describe('Unique within the tenant.'),
  ...members,
  hasSecret: z.boolean().describe('Whether a client secret is stored.'),
  authority: z
    .enum(['ADMIN', 'SUPER_ADMIN'])
    .describe('The highest role of users whom it lets in: that of the administrator who answers for it.'),
  createdAt: z.iso.datetime().describe('When it was created.'),
  updatedAt: z.iso.datetime().describe('When it was created or last changed.'),
});
export type ShownIdentityProvider = z.output<typeof providerSchema> &
  Pick<IdentityProviderDefinition, 'tenantClaim' | 'tenantMapping'>;

export const shownProviderSchema = providerSchema.extend({
  redirectUri: z.string().describe('Register it at the provider.'),
  backchannelLogoutUri: z.string().describe('Register it at providers that end sessions by back-channel logout.'),
});
responseSchemas.add(shownProviderSchema, { id: 'IdentityProvider' });

export const offeredProviderSchema = z.object({
  name: z.string().describe('The name on the button.'),
  preset: z.enum(PRESET_NAMES).describe('Whose product it is.'),
  startUrl: z
    .string()
    .describe('Path below the address of the server. A browser begins the login there; `to` is the page to return to.'),
});

export const offeredProvidersSchema = z.object({
  providers: z.array(offeredProviderSchema).describe('The identity providers with which people may log in here.'),
  passwordLogin: z.boolean().describe('Whether passwords are accepted.'),
});
export type OfferedProviders = z.output<typeof offeredProvidersSchema>;

export const examinationSchema = z.object({
  works: z.boolean().describe('Whether no check failed.'),
  checks: z
    .array(
      z.object({
        check: z.enum(['discovery', 'pkce', 'keys', 'claims', 'client']).describe('The name of the check.'),
        outcome: z.enum(['ok', 'unknown', 'failed']).describe('The outcome of the check.'),
        message: z.string().describe('What was found, and what to do.'),
      }),
    )
    .describe('The checks, in the order in which they ran.'),
});
responseSchemas.add(examinationSchema, { id: 'IdentityProviderTest' });
export type ProviderCheck = z.output<typeof examinationSchema>;

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  // `/.well-known/`: the library would take it for a document whose issuer may be any.
  return url.username === '' && url.password === '' && !/[?#\s]/.test(text) && !url.pathname.includes('/.well-known/');
}
