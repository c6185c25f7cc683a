import { z } from 'zod';
import { ROLES } from '../../base/shared/caller.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { loginSchema } from '../auth/schema.ts';
import { createUserSchema, passwordSchema } from '../users/schema.ts';

const { email, name, role } = createUserSchema.shape;

export const inviteSchema = z.strictObject({
  email: email.describe('Where the person is invited; unique within the tenant, in whatever case.'),
  role,
  mail: z
    .boolean('must be true or false')
    .default(false)
    .describe('Whether the server sends the link to this address, too.'),
});
requestSchemas.add(inviteSchema, { id: 'Invite' });
export type Invite = z.output<typeof inviteSchema>;

const secretSchema = z.string().min(1, 'must not be empty').max(100).describe('What follows `#` in the link.');

export const invitationSecretSchema = z.strictObject({ secret: secretSchema });

export const acceptInvitationSchema = z.strictObject({
  secret: secretSchema,
  name,
  password: passwordSchema
    .optional()
    .describe('The password of the new user; left out where the tenant has switched password logins off.'),
  session: loginSchema.shape.session,
});
requestSchemas.add(acceptInvitationSchema, { id: 'AcceptInvitation' });
export type AcceptInvitation = z.output<typeof acceptInvitationSchema>;

const expiresAt = z.iso.datetime().describe('Until when the link is valid: seven days from its making.');
const roleOfNewUser = z.enum(ROLES).describe('The role of the new user.');
const inviterSchema = z.object({
  name: z.string().describe('The name of the person.'),
  email: z.string().describe('The e-mail address.'),
});

export const invitedSchema = z.object({
  id: z.string().describe('Id of the invitation.'),
  email: z.string().describe('Who is invited.'),
  role: roleOfNewUser,
  link: z.string().describe('Valid once; it is in this answer alone.'),
  expiresAt,
  mailed: z.boolean().describe('Whether the mail server took a message with the link.'),
  mailError: z.string().optional().describe('Why the mail server did not take it: hand the link over yourself.'),
});
responseSchemas.add(invitedSchema, { id: 'Invited' });
export type Invited = z.output<typeof invitedSchema>;

export const invitationSchema = z.object({
  id: z.string().describe('Id of the invitation.'),
  email: z.string().describe('Who is invited.'),
  role: roleOfNewUser,
  invitedBy: inviterSchema.extend({ id: z.string().describe('Id of the user.') }).describe('Who has invited.'),
  createdAt: z.iso.datetime().describe('When it was made.'),
  expiresAt,
  valid: z
    .boolean()
    .describe('False while the person who invited may not give the role any more: the link is refused.'),
});
responseSchemas.add(invitationSchema, { id: 'Invitation' });
export type ShownInvitation = z.output<typeof invitationSchema>;

export const openInvitationsSchema = z.object({
  invitations: z.array(invitationSchema).describe('The invitations.'),
  mail: z.boolean().describe('Whether the server can send links by e-mail: the operator has set a mail server.'),
  total: z.int().describe('The total number.'),
  limit: z.int().describe('The largest number that was asked for.'),
  offset: z.int().describe('The number that was skipped.'),
});

export const describedInvitationSchema = z.object({
  email: z.string().describe('Who is invited.'),
  role: roleOfNewUser,
  tenant: z
    .object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name.') })
    .describe('Where to.'),
  invitedBy: inviterSchema.describe('Who has invited.'),
  expiresAt,
  passwordLogin: z
    .boolean()
    .describe('False: the user logs in with an identity provider of the tenant, and has no password.'),
});
responseSchemas.add(describedInvitationSchema, { id: 'DescribedInvitation' });
export type DescribedInvitation = z.output<typeof describedInvitationSchema>;

export const joinedSchema = z.object({
  loginUrl: z.string().describe('The path of the login page, without a slash at its beginning.'),
});
responseSchemas.add(joinedSchema, { id: 'Joined' });
export type Joined = z.output<typeof joinedSchema>;
