import { openWith, type SealingKeys, type SecretPlace, seal, UnopenableSecret } from '../../base/sealing/sealing.ts';
import { faultOfVariable, type ReadVariable } from './environment.ts';
import type { ModelProviderDefinition } from './schema.ts';
import type { Secret } from './secret-schema.ts';

export type DefinitionWith<Form> = Omit<ModelProviderDefinition, 'apiKey' | 'headers'> & {
  apiKey?: Form | undefined;
  headers?: Record<string, Form> | undefined;
};

export type SealedSecret = { sealed: string } | { env: string };
export type SealedDefinition = DefinitionWith<SealedSecret>;

export type ShownSecret = 'set' | { env: string };

/** `field` is `apiKey` or `headers.<name>`. */
export function mapSecrets<From, To>(
  definition: DefinitionWith<From>,
  change: (secret: From, field: string) => To,
): DefinitionWith<To> {
  const { apiKey, headers, ...rest } = definition;
  const key = apiKey === undefined ? {} : { apiKey: change(apiKey, 'apiKey') };
  if (headers === undefined) return { ...rest, ...key };
  const changed = Object.entries(headers).map(([name, secret]) => [name, change(secret, `headers.${name}`)] as const);
  return { ...rest, ...key, headers: Object.fromEntries(changed) };
}

/** The row of the definition. A secret copied to another row does not open. */
export interface SecretPlaceOwner {
  tenantId: string;
  name: string;
}

export interface SecretOwner extends SecretPlaceOwner {
  keys: Pick<SealingKeys, 'keyFor'>;
}

export function holdsSecrets(definition: ModelProviderDefinition): boolean {
  return [definition.apiKey, ...Object.values(definition.headers ?? {})].some((secret) => typeof secret === 'string');
}

/** `kept`: secrets that stay as they are stored, by field. */
export function sealDefinition(
  definition: ModelProviderDefinition,
  owner: SecretPlaceOwner,
  key: Uint8Array,
  kept: KeptSecrets = new Map(),
): SealedDefinition {
  return mapSecrets<Secret, SealedSecret>(definition, (secret, field) => {
    const stored = kept.get(field);
    if (stored) return stored;
    return typeof secret === 'string' ? { sealed: seal(key, secret, placeOf(owner, field)) } : secret;
  });
}

export type KeptSecrets = ReadonlyMap<string, SealedSecret>;

/** By field. */
export function secretsIn(definition: SealedDefinition): Map<string, SealedSecret> {
  const found = new Map<string, SealedSecret>();
  mapSecrets(definition, (secret, field) => found.set(field, secret));
  return found;
}

export function openDefinition(definition: SealedDefinition, owner: SecretOwner): ModelProviderDefinition {
  return mapSecrets<SealedSecret, Secret>(definition, (secret, field) =>
    'sealed' in secret ? openWith(owner.keys, secret.sealed, placeOf(owner, field)) : secret,
  );
}

export function resealedDefinition(
  definition: SealedDefinition,
  owner: SecretPlaceOwner,
  change: (sealed: string, place: SecretPlace) => string,
): SealedDefinition {
  return mapSecrets<SealedSecret, SealedSecret>(definition, (secret, field) =>
    'sealed' in secret ? { sealed: change(secret.sealed, placeOf(owner, field)) } : secret,
  );
}

export interface SecretFault {
  field: string;
  /** `variable`: unset or unusable. `sealed`: does not open. */
  kind: 'variable' | 'sealed';
  problem: string;
}

/** Unusable secrets are empty and listed as faults. */
export function resolveSecrets(
  definition: SealedDefinition,
  owner: SecretOwner,
  variable: ReadVariable,
): { definition: DefinitionWith<string>; faults: SecretFault[] } {
  const faults: SecretFault[] = [];
  const resolve = (secret: SealedSecret, field: string): string => {
    if ('env' in secret) {
      const problem = faultOfVariable(secret.env, variable);
      if (problem !== null) faults.push({ field, kind: 'variable', problem });
      return variable(secret.env) ?? '';
    }
    try {
      return openWith(owner.keys, secret.sealed, placeOf(owner, field));
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      faults.push({ field, kind: 'sealed', problem: `the stored secret ${error.message}` });
      return '';
    }
  };
  return { definition: mapSecrets(definition, resolve), faults };
}

function placeOf({ tenantId, name }: SecretPlaceOwner, field: string): SecretPlace {
  return ['provider', tenantId, name, field];
}
