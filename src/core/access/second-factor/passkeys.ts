import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { StoredUser } from '../users/store.ts';
import type { StoredPasskey } from './store.ts';

/** Loaded when they are first needed: a server at rest does not hold them. */
const webauthn = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const RP_NAME = 'Agent Runtime';
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;
const ALGORITHMS = [ES256, EDDSA, RS256];
const TIMEOUT_MS = 5 * 60_000;
const MAX_TRANSPORTS = 10;

/** The challenge that an answer of the browser must have signed. */
export interface Challenge {
  value: string;
  relyingParty: WebAuthnParty;
}

type NewPasskey = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'host'>;

/** For `navigator.credentials.create`. */
export async function registrationOptions(
  { id, email, name }: Pick<StoredUser, 'id' | 'email' | 'name'>,
  relyingParty: WebAuthnParty,
  existing: readonly StoredPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: relyingParty.id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Null if it is not a new passkey for this challenge and relying party. */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  { value, relyingParty }: Challenge,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    if (!(await isUnattested(response))) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: value,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: (response.response.transports ?? []).slice(0, MAX_TRANSPORTS),
      host: relyingParty.id,
    };
  } catch {
    // The library throws for whatever does not fit.
    return null;
  }
}

/**
 * For `navigator.credentials.get`. Without passkeys the browser asks which one: it is the whole
 * login then.
 */
export async function authenticationOptions(
  relyingParty: WebAuthnParty,
  passkeys: readonly StoredPasskey[] | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    timeout: TIMEOUT_MS,
    ...(passkeys
      ? { allowCredentials: passkeys.map(descriptorOf), userVerification: 'preferred' }
      : { userVerification: 'required' }),
  });
}

/**
 * The counter of the assertion; null if it is not by this passkey for this challenge and relying
 * party.
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  { value, relyingParty }: Challenge,
  { passkey, isWholeLogin }: { passkey: StoredPasskey; isWholeLogin: boolean },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: value,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      // After a password, presence is enough; alone, a passkey must have asked for a PIN or a
      // fingerprint.
      requireUserVerification: isWholeLogin,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // The caller compares counters: the library would do so before it checks the signature.
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/**
 * Certificates are refused unread: nothing here depends on them, and checking them may fetch
 * revocation lists.
 */
async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports };
}

/** In the words of WebAuthn: the server that passkeys are for. */
export interface WebAuthnParty {
  /** A host name. Browsers refuse IP addresses. */
  id: string;
  origin: string;
}

/** How the browser addresses the server. */
export interface Site {
  /** The header `Host`, which `http/address.ts` has checked. */
  host: string | undefined;
  secure: boolean;
}

/**
 * From the public URL, else of `localhost`. Null where browsers offer no passkeys: at IP addresses,
 * and over http.
 */
export function relyingPartyOf(publicUrl: string | undefined, { host = '', secure }: Site): WebAuthnParty | null {
  const url = URL.parse(publicUrl ?? `${secure ? 'https' : 'http'}://${host}`);
  if (!url) return null;
  const { hostname, origin, protocol } = url;
  const isLocal = hostname === 'localhost';
  if (isLocal) return { id: hostname, origin };
  if (publicUrl === undefined || protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origin };
}
