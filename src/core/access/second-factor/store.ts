import { administers, type Role } from '../../base/shared/caller.ts';

/** Times are epoch milliseconds. */
export interface StoredTotp {
  tenantId: string;
  userId: string;
  /** The Base32 secret. */
  sealed: string;
  /** The time step of the last accepted code: this one and earlier ones are used up. */
  lastStep: number;
  createdAt: number;
  lastUsedAt: number | null;
}

export interface StoredPasskey {
  id: string;
  tenantId: string;
  userId: string;
  /** Base64url, as the authenticator made it. Unique among all users. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** 0 for authenticators that do not count. */
  counter: number;
  transports: string[];
  /** The relying party: it works only at this host. */
  host: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export interface StoredFactors {
  totp: StoredTotp | null;
  /** Oldest first. */
  passkeys: StoredPasskey[];
  /** How many are left. */
  recoveryCodes: number;
}

export interface AddOptions {
  /** SHA-256. Stored in place of all others if this is the user's first factor. */
  recoveryCodes: string[];
  /** Adds nothing if the user has a factor. */
  onlyFirst: boolean;
}

export type Added = 'first' | 'further' | 'not first' | 'duplicate' | 'unknown user';
export type RemovedFactors = 'removed' | 'unknown' | 'last';

/**
 * The second factors of users. Each change is one transaction, durable when it resolves. Reads
 * return what any process has committed.
 */
export interface SecondFactorStore {
  find(userId: string): Promise<StoredFactors>;
  /** Whether the user has TOTP or a passkey. */
  has(userId: string): Promise<boolean>;
  /** Replaces the TOTP factor that the user had. */
  addTotp(totp: StoredTotp, options: AddOptions): Promise<Added>;
  /** `duplicate`: somebody has the credential. */
  addPasskey(passkey: StoredPasskey, options: AddOptions): Promise<Added>;
  findPasskey(credentialId: string): Promise<StoredPasskey | null>;
  /**
   * Compare-and-set: false if `step` or a later one was used, or the factor is not `seen` any more.
   */
  useTotp(seen: StoredTotp, step: number, at: number): Promise<boolean>;
  /** Compare-and-set: false if the counter is not the one of `seen` any more. */
  usePasskey(seen: StoredPasskey, counter: number, at: number): Promise<boolean>;
  /** False if the user has no such code, or it was used. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>;
  replaceRecoveryCodes(tenantId: string, userId: string, hashes: string[]): Promise<void>;
  renamePasskey(userId: string, id: string, name: string): Promise<StoredPasskey | null>;
  /** `last`: refused, as `keepsOne` asks. The last factor takes the recovery codes with it. */
  removeTotp(userId: string, options: { keepsOne: boolean }): Promise<RemovedFactors>;
  removePasskey(userId: string, id: string, options: { keepsOne: boolean }): Promise<RemovedFactors>;
  /** Removes factors and recovery codes. Returns the number of factors. */
  removeAll(userId: string): Promise<number>;
}

export function hasFactor({ totp, passkeys }: StoredFactors): boolean {
  return totp !== null || passkeys.length > 0;
}

/** Who of a tenant needs a second factor to log in. */
export const REQUIREMENTS = ['optional', 'administrators', 'everyone'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export function requiresSecondFactor(requirement: Requirement, role: Role): boolean {
  return requirement === 'everyone' || (requirement === 'administrators' && administers(role));
}
