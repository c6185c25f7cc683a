import { openWith, type SealingKeys, type SecretPlace } from '../../base/sealing/sealing.ts';
import type { StoredIdentityProvider } from './store.ts';

/** The issuer is sealed in: writing to the row cannot send the secret elsewhere. */
export function secretPlace({ uid, issuer }: Pick<StoredIdentityProvider, 'uid' | 'issuer'>): SecretPlace {
  return ['identity provider', uid, 'client secret', issuer];
}

/** Throws an UnopenableSecret. */
export function openSecret(keys: Pick<SealingKeys, 'keyFor'>, provider: StoredIdentityProvider): string | null {
  return provider.sealedSecret === null ? null : openWith(keys, provider.sealedSecret, secretPlace(provider));
}
