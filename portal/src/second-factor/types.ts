import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';

export type Method = 'code' | 'passkey' | 'recoveryCode';

/** Options of WebAuthn, which the API describes as any object. */
export type PasskeyOptions = { [key: string]: unknown };

/** What the user can give, as the server offers it. */
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

/** One of the three. */
export interface Proof {
  code?: string;
  recoveryCode?: string;
  passkey?: Assertion;
}

/** What confirms a new factor. */
export interface NewFactor {
  code?: string;
  passkey?: Registration;
  name?: string;
}

export interface Begun {
  totp: { secret: string; uri: string } | null;
  passkeyOptions: PasskeyOptions | null;
}

export type { Assertion, PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON, Registration };
