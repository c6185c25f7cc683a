import { openWith, type SealingKeys, type SecretPlace, seal, UnopenableSecret } from '../sealing/sealing.ts';
import { faultOfVariable, type ReadVariable } from './environment.ts';
import type { ProviderDefinition } from './schema.ts';
import type { Secret } from './secret-schema.ts';

/** A definition whose secrets are in another form: sealed, or left out of sight. */
export type DefinitionWith<Form> = Omit<ProviderDefinition, 'apiKey' | 'headers'> & {
  apiKey?: Form | undefined;
  headers?: Record<string, Form> | undefined;
};

/** As it is kept: nothing in it is a secret without the installation's key. */
export type SealedSecret = { sealed: string } | { env: string };
export type SealedDefinition = DefinitionWith<SealedSecret>;

/** As it is shown: that there is a secret, or where it comes from. */
export type ShownSecret = 'set' | { env: string };

/** The same definition with each of its secrets in the form that `change` gives it; `field` is `apiKey` or `headers.<name>`. */
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

/** Whose secrets they are, as the row says that holds them: a definition in the place of another one does not open. */
export interface SecretPlaceOwner {
  tenantId: string;
  name: string;
}

export interface SecretOwner extends SecretPlaceOwner {
  /** What its secrets open with. */
  keys: Pick<SealingKeys, 'keyFor'>;
}

/** Whether there is something to seal: without a secret, an installation needs no key. */
export function holdsSecrets(definition: ProviderDefinition): boolean {
  return [definition.apiKey, ...Object.values(definition.headers ?? {})].some((secret) => typeof secret === 'string');
}

export function sealDefinition(
  definition: ProviderDefinition,
  owner: SecretPlaceOwner,
  key: Uint8Array,
): SealedDefinition {
  return mapSecrets<Secret, SealedSecret>(definition, (secret, field) =>
    typeof secret === 'string' ? { sealed: seal(key, secret, placeOf(owner, field)) } : secret,
  );
}

/** The definition as it was applied. Throws an UnopenableSecret. */
export function openDefinition(definition: SealedDefinition, owner: SecretOwner): ProviderDefinition {
  return mapSecrets<SealedSecret, Secret>(definition, (secret, field) =>
    'sealed' in secret ? openWith(owner.keys, secret.sealed, placeOf(owner, field)) : secret,
  );
}

/** The definition with each sealed text replaced by what `change` returns for it. */
export function resealedDefinition(
  definition: SealedDefinition,
  owner: SecretPlaceOwner,
  change: (sealed: string, place: SecretPlace) => string,
): SealedDefinition {
  return mapSecrets<SealedSecret, SealedSecret>(definition, (secret, field) =>
    'sealed' in secret ? { sealed: change(secret.sealed, placeOf(owner, field)) } : secret,
  );
}

/** What keeps a secret of a definition from being used. Holds nothing of the secret. */
export interface SecretFault {
  field: string;
  /** `variable`: the server's environment lacks it, which another one may not. `sealed`: it does not open. */
  kind: 'variable' | 'sealed';
  /** "the environment variable NAME is not set" */
  problem: string;
}

/** The definition with the secrets themselves, and what is wrong with those that cannot be had: they are empty. */
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
