import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { messageFor } from './messages.ts';

const library = () => import('@simplewebauthn/browser');

/** Browsers refuse IP addresses as the host of passkeys. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return window.isSecureContext && typeof PublicKeyCredential === 'function' && !isAddress;
}

/** Asks the browser for a passkey. Throws an error with a message for people. */
export async function givePasskey(options: PasskeyOptions): Promise<Assertion> {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return (await explained(startAuthentication({ optionsJSON }), optionsJSON.rpId)) as unknown as Assertion;
}

/** Makes a new passkey. Throws an error with a message for people. */
export async function newPasskey(options: PasskeyOptions): Promise<Registration> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return (await explained(startRegistration({ optionsJSON }), optionsJSON.rp.id)) as unknown as Registration;
}

async function explained<Result>(asking: Promise<Result>, host: string | undefined): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    throw new Error(messageFor(error as Error, host), { cause: error });
  }
}

export type Method = 'code' | 'passkey' | 'recoveryCode';

/** Options of WebAuthn, which the API describes as any object. */
export type PasskeyOptions = { [key: string]: unknown };

/** The proofs that the user can give, as the server offers them. */
export interface Offer {
  methods: readonly Method[];
  passkeyOptions: PasskeyOptions | null;
}

type Assertion = Omit<AuthenticationResponseJSON, 'clientExtensionResults' | 'response'> & {
  clientExtensionResults: PasskeyOptions;
  response: AuthenticationResponseJSON['response'] & PasskeyOptions;
};
type Registration = Omit<RegistrationResponseJSON, 'clientExtensionResults' | 'response'> & {
  clientExtensionResults: PasskeyOptions;
  response: RegistrationResponseJSON['response'] & PasskeyOptions;
};

/** One of the three proofs. */
export interface Proof {
  code?: string;
  recoveryCode?: string;
  passkey?: Assertion;
}

/** The proof of a new factor. */
export interface NewFactor {
  code?: string;
  passkey?: Registration;
  name?: string;
}

export interface Begun {
  totp: { secret: string; uri: string } | null;
  passkeyOptions: PasskeyOptions | null;
}
