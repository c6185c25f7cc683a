import { openWith, type SealingKeys, type SecretPlace, seal } from '../sealing/sealing.ts';
import type { Target } from './targets.ts';

/** A target copied to another row does not open. */
export function deliveryPlace(tenantId: string, id: string): SecretPlace {
  return ['delivery', tenantId, id, 'target'];
}

export function sealTarget(key: Uint8Array, target: Target, place: SecretPlace): string {
  return seal(key, JSON.stringify(target), place);
}

/** Throws an UnopenableSecret. */
export function openTarget(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): Target {
  return JSON.parse(openWith(keys, sealed, place)) as Target;
}
