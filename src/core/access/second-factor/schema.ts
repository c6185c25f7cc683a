import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { loggedInSchema, loginSchema } from '../auth/schema.ts';
import { bounded, isPlainText, PLAIN } from '../users/schema.ts';

/** Named as the members of the requests that give them. */
export const PROOF_METHODS = ['code', 'passkey', 'recoveryCode'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

const base64url = (longest: number) =>
  z
    .string('must be base64url')
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    .regex(/^[\w-]+$/, 'must be base64url');

const credentialShape = {
  id: base64url(2_000).describe('Id of the credential.'),
  rawId: base64url(2_000).describe('The id of the credential again.'),
  type: z.literal('public-key', 'must be public-key').describe('Always `public-key`.'),
  clientExtensionResults: z.looseObject({}).default({}).describe('Not used.'),
};
const clientDataJSON = base64url(4_000).describe('The client data that the authenticator signed.');

const assertionSchema = z
  .looseObject({
    ...credentialShape,
    response: z
      .looseObject({
        clientDataJSON,
        authenticatorData: base64url(4_000).describe('The data of the authenticator.'),
        signature: base64url(8_000).describe('The signature over authenticator data and client data.'),
        userHandle: base64url(200).optional().describe('Id of the user, base64url.'),
      })
      .describe('The answer of the authenticator.'),
  })
  .transform((assertion) => assertion as unknown as AuthenticationResponseJSON);
requestSchemas.add(assertionSchema, { id: 'PasskeyAssertion' });

const registrationSchema = z
  .looseObject({
    ...credentialShape,
    response: z
      .looseObject({
        clientDataJSON,
        attestationObject: base64url(8_000).describe('The new public key.'),
        transports: z.array(z.string().max(50)).max(20).optional().describe('How the authenticator is reached.'),
      })
      .describe('The answer of the authenticator.'),
  })
  .transform((registration) => registration as unknown as RegistrationResponseJSON);
requestSchemas.add(registrationSchema, { id: 'PasskeyRegistration' });

const codeSchema = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'must have six digits')
  .describe('Six digits of the authenticator app.');
const recoveryCodeSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .describe('One of the ten, in any case, with or without hyphens.');
const ticketSchema = z.string().min(1, 'must not be empty').max(100).describe('The ticket that the login answered.');
const passkeyNameSchema = bounded(z.string(), 1, 100).refine(isPlainText, PLAIN).describe('What the user calls it.');
const { session } = loginSchema.shape;

const proofShape = {
  code: codeSchema.optional(),
  recoveryCode: recoveryCodeSchema.optional(),
  passkey: assertionSchema.optional().describe('What `navigator.credentials.get` answered, as JSON.'),
};
const hasOne = (...members: unknown[]) => members.filter((member) => member !== undefined).length === 1;
const ONE_PROOF = 'needs one of code, recoveryCode and passkey';

export const stepUpSchema = z
  .strictObject(proofShape)
  .refine(({ code, recoveryCode, passkey }) => hasOne(code, recoveryCode, passkey), ONE_PROOF);
/** One of the three proofs. */
export type Proof = Partial<Pick<z.output<typeof stepUpSchema>, ProofMethod>>;

export const secondFactorLoginSchema = z
  .strictObject({ ticket: ticketSchema, ...proofShape, session })
  .refine(({ code, recoveryCode, passkey }) => hasOne(code, recoveryCode, passkey), ONE_PROOF);
export type SecondFactorLogin = z.output<typeof secondFactorLoginSchema>;

export const passkeyLoginSchema = z.strictObject({
  ticket: ticketSchema,
  passkey: assertionSchema.describe('What `navigator.credentials.get` answered, as JSON.'),
  session,
});
export type PasskeyLogin = z.output<typeof passkeyLoginSchema>;

const methodSchema = z.enum(['code', 'passkey'], 'must be code or passkey').describe('What is to be added.');
export const beginEnrolmentSchema = z.strictObject({ method: methodSchema });
export type EnrolmentMethod = z.output<typeof methodSchema>;
export const beginLoginEnrolmentSchema = z.strictObject({ ticket: ticketSchema, method: methodSchema });

const enrolmentShape = {
  code: codeSchema.optional(),
  passkey: registrationSchema.optional().describe('What `navigator.credentials.create` answered, as JSON.'),
  name: passkeyNameSchema.optional().describe('The name of the passkey; default `Passkey`.'),
};
const ONE_ENROLMENT = 'needs one of code and passkey';
export const confirmEnrolmentSchema = z
  .strictObject(enrolmentShape)
  .refine(({ code, passkey }) => hasOne(code, passkey), ONE_ENROLMENT);
export type ConfirmEnrolment = z.output<typeof confirmEnrolmentSchema>;
export const confirmLoginEnrolmentSchema = z
  .strictObject({ ticket: ticketSchema, ...enrolmentShape, session })
  .refine(({ code, passkey }) => hasOne(code, passkey), ONE_ENROLMENT);
export type ConfirmLoginEnrolment = z.output<typeof confirmLoginEnrolmentSchema>;

export const renamePasskeySchema = z.strictObject({ name: passkeyNameSchema });

const requestOptionsSchema = z.custom<PublicKeyCredentialRequestOptionsJSON>().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Options of WebAuthn for `navigator.credentials.get`, as JSON.',
});
const creationOptionsSchema = z.custom<PublicKeyCredentialCreationOptionsJSON>().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Options of WebAuthn for `navigator.credentials.create`, as JSON.',
});

const offerShape = {
  methods: z.array(z.enum(PROOF_METHODS)).describe('What the user can give: members of the next request.'),
  passkeyOptions: requestOptionsSchema
    .nullable()
    .describe('Options for `navigator.credentials.get`; null without a passkey.'),
};

export const neededSchema = z.object({
  secondFactor: z
    .object({
      ticket: z.string().describe('The ticket for the next request. It opens one session.'),
      expiresAt: z.iso.datetime().describe('When the ticket expires: five minutes from now.'),
      enrol: z.boolean().describe('True: the tenant requires a second factor and the user has none: add one first.'),
      ...offerShape,
    })
    .describe('What is still needed.'),
});
responseSchemas.add(neededSchema, { id: 'SecondFactorNeeded' });
export type Needed = z.output<typeof neededSchema>;

export const passkeyLoginOptionsSchema = z.object({
  ticket: z.string().describe('The ticket for the next request.'),
  passkeyOptions: requestOptionsSchema.describe('Options for `navigator.credentials.get`.'),
});
export type PasskeyLoginOptions = z.output<typeof passkeyLoginOptionsSchema>;

export const stepUpOfferSchema = z.object(offerShape);
export type StepUpOffer = z.output<typeof stepUpOfferSchema>;

export const steppedUpSchema = z.object({
  validUntil: z.iso.datetime().describe('Until when this session may make changes that need it.'),
});
export type SteppedUp = z.output<typeof steppedUpSchema>;

export const enrolmentSchema = z.object({
  totp: z
    .object({
      secret: z.string().describe('The secret to type into the app, in Base32.'),
      uri: z.string().describe('The secret as an `otpauth:` URI, for a QR code.'),
    })
    .nullable()
    .describe('Settings for the authenticator app; null for a passkey.'),
  passkeyOptions: creationOptionsSchema
    .nullable()
    .describe('Options for `navigator.credentials.create`; null for codes.'),
});
export type Enrolment = z.output<typeof enrolmentSchema>;

const recoveryCodes = z.array(z.string());
export const enrolledSchema = z.object({
  recoveryCodes: recoveryCodes.nullable().describe('Shown this once; null where the user has some already.'),
});
export type Enrolled = z.output<typeof enrolledSchema>;
export const recoveryCodesSchema = z.object({
  recoveryCodes: recoveryCodes.describe('Shown this once. Former ones are void.'),
});
export type ShownRecoveryCodes = z.output<typeof recoveryCodesSchema>;
export const enrolledLoginSchema = z.object({ ...loggedInSchema.shape, ...enrolledSchema.shape });

const usedShape = {
  createdAt: z.iso.datetime().describe('When it was added.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When it was last used; null: never.'),
};
export const shownPasskeySchema = z.object({
  id: z.string().describe('Id of the passkey.'),
  name: z.string().describe('What the user calls it.'),
  host: z.string().describe('It works at this host alone.'),
  ...usedShape,
});
responseSchemas.add(shownPasskeySchema, { id: 'Passkey' });
export type ShownPasskey = z.output<typeof shownPasskeySchema>;

export const secondFactorsSchema = z.object({
  required: z.boolean().describe('Whether the tenant requires a second factor of the user.'),
  totp: z.object(usedShape).nullable().describe('The authenticator app; null: none.'),
  passkeys: z.array(shownPasskeySchema).describe('Oldest first.'),
  recoveryCodes: z.int().describe('How many are left.'),
  passkeyHost: z
    .string()
    .nullable()
    .describe('Where passkeys work; null: not at the address of this request, an IP address for example.'),
});
responseSchemas.add(secondFactorsSchema, { id: 'SecondFactors' });
export type SecondFactors = z.output<typeof secondFactorsSchema>;

export const factorsOfUserSchema = z.object({
  totp: z.boolean().describe('Whether the user has an authenticator app.'),
  passkeys: z.int().describe('How many passkeys the user has.'),
  required: z.boolean().describe('Whether the tenant requires a second factor of the user.'),
});
export type FactorsOfUser = z.output<typeof factorsOfUserSchema>;

export const resetSchema = z.object({
  removed: z.int().describe('How many factors were removed.'),
  ended: z.int().describe('How many sessions were ended.'),
});
export type Reset = z.output<typeof resetSchema>;
