import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { isHeaderValue, isReference } from '../../providers/secret-schema.ts';
import { credentialNameSchema } from '../definition/environment-schema.ts';

const MAX_HOSTS = 20;

/** Messages must not repeat the input: it may be the secret. */
const secretTextSchema = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .max(10_000)
  .refine(isHeaderValue, { error: 'must be printable ASCII on one line, without blanks at its ends', abort: true })
  .refine((text) => !isReference(text), 'is not looked up; a definition may say {"env": "NAME"} in its place');

const usernameSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(500)
  .refine(
    (text) => text.isWellFormed() && !/[:\p{Cc}]/u.test(text),
    'must have neither a colon nor control characters',
  );

/** Normalised as in a URL: lower case, punycode. */
const hostSchema = z.string().transform((text, context) => {
  const host = hostOf(text);
  if (host !== null) return host;
  context.addIssue('must be a host name such as api.example.com, with no scheme, port or path');
  return z.NEVER;
});

function hostOf(text: string): string | null {
  const isNumeric = /^\[[\d:a-f.]+\]$/i.test(text);
  if (text.length > 253 || (!isNumeric && /[\s/?#@\\*%:]/.test(text))) return null;
  // With a path: at its end a URL loses control characters.
  return URL.parse(`https://${text}/`)?.hostname.replace(/\.$/, '') || null;
}

export const setCredentialSchema = z.strictObject({
  name: credentialNameSchema.describe('What definitions and calls name it by.'),
  username: usernameSchema.optional().describe("A user's name or a client's id, where there is one."),
  secret: secretTextSchema.describe('The password, token, key or client secret.'),
  hosts: z
    .array(hostSchema)
    .max(MAX_HOSTS, `must hold at most ${MAX_HOSTS}`)
    .default([])
    .describe(
      'The hosts that it may be sent to, with OAuth that of the token URL, too. Required, unless it replaces one that has some and keeps them.',
    ),
});

export const putCredentialSchema = setCredentialSchema.omit({ name: true });
requestSchemas.add(putCredentialSchema, { id: 'PutCredential' });

export const setOutcomeSchema = z.object({
  name: z.string().describe('What definitions and calls name it by.'),
  outcome: z.enum(['created', 'changed']).describe('Whether it is new, or took the place of another.'),
});
responseSchemas.add(setOutcomeSchema, { id: 'SetCredential' });
export type SetCredential = z.output<typeof setOutcomeSchema>;

export const shownCredentialSchema = z.object({
  name: z.string().describe('What definitions and calls name it by.'),
  username: z.string().nullable().describe("A user's name or a client's id; null: it has none."),
  hosts: z.array(z.string()).describe('The hosts that it may be sent to.'),
  connectors: z.array(z.string()).describe('The slugs of the connectors that list it.'),
  createdAt: z.iso.datetime().describe('When it was first set.'),
  updatedAt: z.iso.datetime().describe('When it was last set.'),
  lastUsedAt: z.iso
    .datetime()
    .nullable()
    .describe('When a call of a connector last took it, to the minute; null: none has.'),
});
responseSchemas.add(shownCredentialSchema, { id: 'Credential' });
export type ShownCredential = z.output<typeof shownCredentialSchema>;
