import { openWith, type SealingKeys, type SecretPlace, seal } from '../../base/sealing/sealing.ts';
import type { DeliverySource } from './store.ts';
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

/** Of the targets of an alert or a digest. */
export function targetsPlace({ kind, id }: DeliverySource, tenantId: string): SecretPlace {
  return [kind, tenantId, id, 'targets'];
}

export function sealTargets(key: Uint8Array, targets: readonly Target[], place: SecretPlace): string {
  return seal(key, JSON.stringify(targets), place);
}

/** Throws an UnopenableSecret. */
export function openTargets(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): Target[] {
  return JSON.parse(openWith(keys, sealed, place)) as Target[];
}
