import { isDeepStrictEqual } from 'node:util';
import type { AuditLog } from '../../base/audit/log.ts';
import { type SealingKeys, UnopenableSecret } from '../../base/sealing/sealing.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import { definitionsIn } from '../../base/shared/definition-file.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, tenantRemoved } from '../../base/shared/errors.ts';
import { listNames } from '../../base/shared/names.ts';
import { ShortCache } from '../../base/shared/short-cache.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Vendor } from '../chat/capabilities.ts';
import { type ConfiguredProvider, configuredProvider, providerOfEnvironment } from './configured.ts';
import { keyVariablesSet, type ReadVariable } from './environment.ts';
import { type ModelProviderDefinition, providerDefinitionSchema, providerNameSchema } from './schema.ts';
import {
  type DefinitionWith,
  holdsSecrets,
  mapSecrets,
  openDefinition,
  type SealedSecret,
  type SecretOwner,
  type ShownSecret,
  sealDefinition,
} from './secrets.ts';
import type { ProviderStore, StoredModelProvider } from './store.ts';

export function providerDefinitions(input: unknown): ModelProviderDefinition[] {
  return definitionsIn(input, {
    noun: 'provider',
    schema: providerDefinitionSchema,
    key: 'name',
    keySchema: providerNameSchema,
  });
}

/**
 * Throws `invalid` for fallbacks to unknown providers or to another vendor's. Messages about `own`
 * begin with its member, others with the name of the definition.
 */
export function checkFallbacks(
  definitions: readonly Pick<ModelProviderDefinition, 'name' | 'provider' | 'fallbacks'>[],
  own?: string,
): void {
  const providers = new Map(definitions.map(({ name, provider }) => [name, provider]));
  const problems = definitions.flatMap(({ name, fallbacks }) =>
    fallbacks.flatMap(({ providerName, provider }, index) => {
      if (providerName === undefined) return [];
      const actual = providers.get(providerName);
      if (actual === provider) return [];
      const at = `${name === own ? '' : `provider ${JSON.stringify(name)}: `}fallbacks[${index}]`;
      if (actual === undefined) return [`${at}.providerName: ${unknownProvider(providerName, [...providers.keys()])}`];
      return [`${at}.provider: must be ${actual}, as ${JSON.stringify(providerName)} is`];
    }),
  );
  if (problems.length > 0) throw invalid(...problems);
}

export function unknownProvider(name: string, known: readonly string[]): string {
  return unknownName('provider', name, known, '`providers apply` installs them');
}

export interface AppliedProvider {
  name: string;
  outcome: 'created' | 'changed' | 'unchanged';
}

export type ShownModelProvider = DefinitionWith<ShownSecret> & { createdAt: string; updatedAt: string };

export interface ProviderParts {
  store: ProviderStore;
  sealingKeys: SealingKeys;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  variable: ReadVariable;
}

const MAX_CACHED = 1_000;
const NO_KEY = new Uint8Array(0);

export class ProviderService {
  private readonly parts: ProviderParts;
  private readonly cache: ShortCache<ConfiguredProvider>;
  private readonly vendors = new Map<Vendor, ConfiguredProvider>();

  constructor(parts: ProviderParts) {
    this.parts = parts;
    this.cache = new ShortCache(parts.effects.now, MAX_CACHED);
  }

  /** All or none. Throws `invalid`. */
  async apply(tenantId: string, input: unknown): Promise<AppliedProvider[]> {
    const definitions = providerDefinitions(input);
    const { store, audit, effects } = this.parts;
    const stored = new Map((await store.list(tenantId)).map((provider) => [provider.name, provider]));
    const applied = definitions.map((definition) => ({
      definition,
      outcome: this.outcomeOf(tenantId, definition, stored.get(definition.name)),
    }));
    const others = new Map([...stored].map(([name, { definition }]) => [name, definition]));
    for (const { name } of definitions) others.delete(name);
    checkFallbacks([...definitions, ...others.values()]);
    const now = effects.now();
    const changes = applied.filter(({ outcome }) => outcome !== 'unchanged');
    const isSealing = changes.some(({ definition }) => holdsSecrets(definition));
    const key = isSealing ? await this.parts.sealingKeys.active() : NO_KEY;
    const put = changes.map(({ definition }) => ({
      name: definition.name,
      definition: sealDefinition(definition, { tenantId, name: definition.name }, key),
      createdAt: now,
      updatedAt: now,
    }));
    if ((await store.put(tenantId, put)) === 'unknown tenant') throw tenantRemoved();
    this.cache.clear();
    for (const { definition, outcome } of changes) {
      const { name, provider } = definition;
      await audit.record(null, tenantId, 'provider.applied', name, { provider, outcome });
    }
    return applied.map(({ definition: { name }, outcome }) => ({ name, outcome }));
  }

  async list(tenantId: string): Promise<ShownModelProvider[]> {
    return (await this.parts.store.list(tenantId)).map(shownModelProvider);
  }

  /** Throws `not_found`, and `conflict` while others fall back on it. */
  async remove(tenantId: string, name: string, by: Caller | null = null): Promise<void> {
    if (by) requirePortal(by, 'administrator');
    const { store, audit } = this.parts;
    const known = await store.list(tenantId);
    const users = namesOf(known.filter((one) => one.name !== name && fallsBackOn(one, name)));
    if (users.length > 0) {
      const who = `${listNames(users)} ${users.length === 1 ? 'falls' : 'fall'} back on it`;
      throw conflict(`Provider ${JSON.stringify(name)} is needed: ${who}. Change that first.`);
    }
    if (!(await store.remove(tenantId, name))) {
      throw notFound(`name: ${unknownProvider(name, namesOf(known))}`);
    }
    this.cache.clear();
    await audit.record(by, tenantId, 'provider.removed', name);
  }

  /** For changes that others have stored. */
  forget(): void {
    this.cache.clear();
  }

  /** Cached for half a second. Throws `invalid`, and `unavailable` for unreadable secrets. */
  configured(tenantId: string, name: string): Promise<ConfiguredProvider> {
    return this.cache.get(`${tenantId}\0${name}`, () => this.read(tenantId, name));
  }

  ofEnvironment(provider: Vendor): ConfiguredProvider {
    // One object for all chats, so that SDK clients cached by connection are reused.
    const known = this.vendors.get(provider) ?? providerOfEnvironment(provider, this.parts.variable);
    this.vendors.set(provider, known);
    return known;
  }

  available(): Vendor[] {
    return keyVariablesSet(this.parts.variable).map(({ provider }) => provider);
  }

  private async read(tenantId: string, name: string): Promise<ConfiguredProvider> {
    const { store, variable } = this.parts;
    const stored = await store.find(tenantId, name);
    if (!stored) {
      throw invalid(`providerName: ${unknownProvider(name, namesOf(await store.list(tenantId)))}`);
    }
    return configuredProvider(stored, this.owner(tenantId, name), variable);
  }

  private outcomeOf(
    tenantId: string,
    definition: ModelProviderDefinition,
    stored: StoredModelProvider | undefined,
  ): AppliedProvider['outcome'] {
    if (!stored) return 'created';
    try {
      const before = openDefinition(stored.definition, this.owner(tenantId, stored.name));
      // Storage turns -0 into 0.
      const after = JSON.parse(JSON.stringify(definition)) as unknown;
      return isDeepStrictEqual(before, after) ? 'unchanged' : 'changed';
    } catch (error) {
      if (error instanceof UnopenableSecret) return 'changed';
      throw error;
    }
  }

  private owner(tenantId: string, name: string): SecretOwner {
    return { tenantId, name, keys: this.parts.sealingKeys };
  }
}

export function shownModelProvider({ definition, createdAt, updatedAt }: StoredModelProvider): ShownModelProvider {
  const shown = mapSecrets<SealedSecret, ShownSecret>(definition, (secret) => ('sealed' in secret ? 'set' : secret));
  return { ...shown, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}

function namesOf(providers: readonly StoredModelProvider[]): string[] {
  return providers.map(({ name }) => name);
}

function fallsBackOn({ definition }: StoredModelProvider, name: string): boolean {
  return definition.fallbacks.some(({ providerName }) => providerName === name);
}
