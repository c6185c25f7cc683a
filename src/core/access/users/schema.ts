import { z } from 'zod';
import { languageSchema } from '../../../language/messages.ts';
import { ROLES } from '../../base/shared/caller.ts';
import { someMember } from '../../base/shared/json.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';

/** In Unicode code points: an emoji counts once. */
export function bounded(schema: z.ZodString, minimum: number, maximum: number) {
  return schema
    .refine((text) => lengthOf(text) >= minimum, `must have at least ${minimum} characters`)
    .refine((text) => lengthOf(text) <= maximum, `must have at most ${maximum} characters`)
    .meta({ minLength: minimum, maxLength: maximum });
}

export const PLAIN = 'must be well-formed Unicode without control characters';

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function lengthOf(text: string): number {
  return [...text].length;
}

export const passwordSchema = bounded(z.string(), 12, 200)
  .refine(isPlainText, PLAIN)
  .describe('12 to 200 characters, and not easy to guess: 422 says why one is.');

export const setPasswordSchema = z.strictObject({ password: passwordSchema });
export type SetPassword = z.output<typeof setPasswordSchema>;

export const changePasswordSchema = z.strictObject({
  currentPassword: z.string().min(1, 'must not be empty').describe('The one until now.'),
  password: passwordSchema,
});
export type ChangePassword = z.output<typeof changePasswordSchema>;

/** Zod's rule, plus localhost for the first administrator, admin@localhost. ASCII only. */
const EMAIL = new RegExp(`${z.regexes.email.source}|^[\\w'+-]+(?:\\.[\\w'+-]+)*@localhost$`);
const PHONE = /^\+?\(?\d(?:[ .()-]{0,3}\d){6,14}$/;
const HTTP_URL = /^https?:\/\/[^\s\p{Cc}/][^\s\p{Cc}]*$/iu;

const emailSchema = z
  .email({ pattern: EMAIL, error: 'must be an e-mail address such as name@example.com' })
  .max(254, 'must have at most 254 characters')
  .describe('Unique within the tenant, in whatever case.');

const nameSchema = bounded(z.string().trim(), 2, 100).refine(isPlainText, PLAIN).describe('2 to 100 characters.');

const phoneSchema = z
  .string('must be a string, or null for none')
  .regex(PHONE, 'must be a phone number: an optional +, then 7 to 15 digits, between them blanks or any of - . ( )');

const avatarUrlSchema = bounded(
  z
    .string('must be a string, or null for none')
    .refine(isHttpUrl, { abort: true, message: 'must be an http or https URL such as https://example.com/ana.png' }),
  1,
  500,
).meta({ format: 'uri' });

const roleSchema = z.enum(ROLES).describe('What the user may do within the tenant: docs/users.md.');
const isActiveSchema = z.boolean('must be true or false').describe('Whether the user may log in.');

const metadataSchema = z.strictObject({
  idp_user_id: bounded(z.string(), 1, 200)
    .refine(isPlainText, PLAIN)
    .optional()
    .describe('The id of the user at the identity provider.'),
  idp_created: z
    .boolean('must be true or false')
    .optional()
    .describe('Whether the identity provider created the user.'),
  invite_sent: z.boolean('must be true or false').optional().describe('Whether the user was invited.'),
});

export const userIdSchema = z.guid('must be a UUID').toLowerCase().describe('The UUID of the user.');

export const createUserSchema = z.strictObject({
  email: emailSchema,
  name: nameSchema,
  role: roleSchema,
  phone: phoneSchema.nullable().default(null).describe('International or national.'),
  avatarUrl: avatarUrlSchema.nullable().default(null).describe('The address of a picture, at most 500 characters.'),
  password: passwordSchema
    .optional()
    .describe('The password; without one, the user cannot log in by password until one is set.'),
  metadata: metadataSchema.default({}).describe('What an identity provider leaves here.'),
});
requestSchemas.add(createUserSchema, { id: 'CreateUser' });
export type CreateUser = z.output<typeof createUserSchema>;

export const updateUserSchema = z
  .strictObject({
    email: emailSchema.optional(),
    phone: phoneSchema.nullish().describe('null: none.'),
    name: nameSchema.optional(),
    avatarUrl: avatarUrlSchema.nullish().describe('null: none.'),
    isActive: isActiveSchema.optional(),
    role: roleSchema.optional(),
  })
  .refine(...someMember);
requestSchemas.add(updateUserSchema, { id: 'UpdateUser' });
export type UpdateUser = z.output<typeof updateUserSchema>;

export const usersQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 100 }),
  offset: offsetSchema.describe('How many to pass over.'),
  search: z.string().max(200).optional().describe('A part of the name or the e-mail; case and accents do not matter.'),
  role: roleSchema.optional().describe('Only users with this role.'),
  state: z
    .enum(['active', 'inactive'], 'must be active or inactive')
    .optional()
    .describe('Only users who may log in, or only those who may not.'),
});
export type UsersQuery = z.output<typeof usersQuerySchema>;

export const changeAccountSchema = z.strictObject({
  language: languageSchema.nullable().describe('The language of your pages: en or pt; null: that of the browser.'),
});
requestSchemas.add(changeAccountSchema, { id: 'ChangeAccount' });
export type ChangeAccount = z.output<typeof changeAccountSchema>;

const timeSchema = z.string().meta({ format: 'date-time' });

export const userSchema = z.object({
  id: z.string().describe('A UUID, made by the server.'),
  email: z.string().describe('Unique within the tenant, in whatever case.'),
  name: z.string().describe('The name of the person.'),
  phone: z.string().nullable().describe('null: none.'),
  avatarUrl: z.string().nullable().describe('The address of a picture; null: none.'),
  role: roleSchema,
  isActive: z.boolean().describe('Whether the user may log in.'),
  lastLoginAt: timeSchema.nullable().describe('When the user last logged in to the portal; null: never.'),
  createdAt: timeSchema.describe('ISO 8601.'),
  updatedAt: timeSchema.describe('ISO 8601; of the creation or the last change.'),
  tenantId: z.string().describe('The tenant that the user belongs to.'),
  metadata: metadataSchema.describe('What an identity provider left here.'),
  _count: z
    .object({
      agents: z.int().describe('Agents that came with their first use.'),
      credentials: z.int().describe('API keys, revoked ones too.'),
      executions: z.int().describe('Executions that were recorded.'),
    })
    .describe('What the user made, and the keys that the user made.'),
});
responseSchemas.add(userSchema, { id: 'User' });
export type User = z.output<typeof userSchema>;

function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && text.isWellFormed() && URL.canParse(text);
}
