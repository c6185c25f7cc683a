import type { OAuthStore, StoredGrant } from '../../core/access/oauth/store.ts';
import type { SecretKey } from '../../core/base/sealing/secret-key.ts';
import type { Caller } from '../../core/base/shared/caller.ts';
import type { OAuthBase } from './address.ts';

/** Why a grant ended without a person's doing. */
type EndReason = 'revoked by the application' | 'a used refresh token or code came again';

export interface AuthorizationServerParts {
  store: OAuthStore;
  secretKey: SecretKey;
  /** Epoch milliseconds. */
  now: () => number;
  isActiveUser(id: string): Promise<boolean>;
  /** Whether the user of a grant may still act by it. */
  isLive(grant: StoredGrant): Promise<boolean>;
  /** Null: the token, its grant or its user does not hold any more. */
  callerOf(token: string, audience: string): Promise<Caller | null>;
  /**
   * Whether another metadata document may be fetched, from a server that anybody names at this
   * address.
   */
  mayFetch(clientId: string, base: OAuthBase, address: string): boolean;
  /** For metadata documents and key sets of clients, which anybody may name: behind the guard. */
  fetch: typeof fetch;
  onEnded(grant: StoredGrant, reason: EndReason): Promise<void>;
  onError(error: unknown): void;
}
