import { isDeepStrictEqual } from 'node:util';
import type { AuditLog } from '../../base/audit/log.ts';
import type { SealingKeys } from '../../base/sealing/sealing.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid, notFound, RuntimeError, tenantRemoved, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { parse } from '../../base/shared/parse.ts';
import { editVersion, requireVersion } from '../../base/shared/versions.ts';
import { VENDORS, type Vendor } from '../chat/capabilities.ts';
import { faultOfVariable, keyVariablesOf, type ReadVariable } from './environment.ts';
import { withKeptSecrets } from './kept-secrets.ts';
import { knownModels, TEST_MODELS } from './known-models.ts';
import { refuseOperatorsProvider } from './operator-members.ts';
import { type ModelProviderDefinition, providerDefinitionSchema } from './schema.ts';
import { holdsSecrets, sealDefinition, secretsIn } from './secrets.ts';
import { checkFallbacks, type ProviderService, shownModelProvider, unknownProvider } from './service.ts';
import type { KnownModel, ModelProvider, ModelProviders, ModelsQuery, PutModelProvider } from './shown.ts';
import type { ProviderStore, StoredModelProvider } from './store.ts';

const MAX_PROVIDERS = 200;

interface DefinitionParts {
  store: ProviderStore;
  sealingKeys: SealingKeys;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  variable: ReadVariable;
  providers: Pick<ProviderService, 'forget'>;
  /** Whether the caller may do what is the operator's. */
  operates(caller: Caller): Promise<boolean>;
}

/** Conditions on the stored one: its version, or that there is none (`If-None-Match: *`). */
export interface ExpectedProvider {
  version?: string | undefined;
  absent?: boolean;
}

/** LLM providers as administrators see and change them in the portal. */
export class ProviderDefinitions {
  private readonly parts: DefinitionParts;

  constructor(parts: DefinitionParts) {
    this.parts = parts;
  }

  async overview(caller: Caller): Promise<ModelProviders> {
    requirePortal(caller, 'administrator');
    const stored = await this.parts.store.list(caller.tenantId);
    return {
      vendors: VENDORS.map((vendor) => this.vendor(vendor, stored)),
      providers: stored.map(shown),
    };
  }

  /** Throws `not_found`. */
  async get(caller: Caller, name: string): Promise<ModelProvider> {
    requirePortal(caller, 'administrator');
    const { store } = this.parts;
    const found = await store.find(caller.tenantId, name);
    if (found) return shown(found);
    const names = (await store.list(caller.tenantId)).map((one) => one.name);
    throw notFound(`name: ${unknownProvider(name, names)}`);
  }

  /** Models that the price table knows at its address. Throws `not_found`. */
  async models(caller: Caller, name: string, query: ModelsQuery): Promise<Page<KnownModel>> {
    const { definition } = await this.get(caller, name);
    const { provider, baseUrl = null, price = null } = definition;
    return knownModels({ provider, baseUrl, price }, query, this.parts.effects.now());
  }

  async modelsOfVendor(caller: Caller, provider: Vendor, query: ModelsQuery): Promise<Page<KnownModel>> {
    requirePortal(caller, 'administrator');
    return knownModels({ provider, baseUrl: null, price: null }, query, this.parts.effects.now());
  }

  /**
   * Creates it or replaces it as a whole, but for secrets that are left out. Throws `invalid`,
   * `unprocessable` and `stale`.
   */
  async put(
    caller: Caller,
    name: string,
    members: PutModelProvider,
    expected: ExpectedProvider = {},
  ): Promise<{ isNew: boolean; provider: ModelProvider }> {
    requirePortal(caller, 'administrator');
    if (members.name !== undefined && members.name !== name) {
      throw invalid(`name: must be ${JSON.stringify(name)}, as it is called here, or be left out`);
    }
    const { store, effects, audit, providers } = this.parts;
    const { tenantId } = caller;
    // Optimistic concurrency: decides again when the provider has changed in between.
    for (;;) {
      const all = await store.list(tenantId);
      const seen = all.find((one) => one.name === name) ?? null;
      requireExpected(name, seen, expected);
      if (!seen && all.length >= MAX_PROVIDERS) throw tooMany('LLM providers', MAX_PROVIDERS);
      const definition = await this.sealed(caller, name, members, seen, all);
      const before = seen ?? { createdAt: effects.now(), updatedAt: Number.NEGATIVE_INFINITY };
      const { createdAt } = before;
      if (seen && isDeepStrictEqual(definition, seen.definition)) {
        return { isNew: false, provider: shown(seen) };
      }
      const updatedAt = Math.max(effects.now(), before.updatedAt + 1);
      const provider = { name, definition, createdAt, updatedAt };
      const result = await store.replace(tenantId, provider, seen);
      if (result === 'unknown tenant') throw tenantRemoved();
      if (result === 'stale') continue;
      providers.forget();
      const outcome = seen ? 'changed' : 'created';
      await audit.record(caller, tenantId, 'provider.applied', name, { provider: definition.provider, outcome });
      return { isNew: seen === null, provider: shown(provider) };
    }
  }

  private async sealed(
    caller: Caller,
    name: string,
    members: PutModelProvider,
    seen: StoredModelProvider | null,
    all: readonly StoredModelProvider[],
  ): Promise<StoredModelProvider['definition']> {
    const { operates, sealingKeys } = this.parts;
    const { definition: input, kept } = withKeptSecrets(members, seen?.definition ?? null);
    const definition: ModelProviderDefinition = parse(providerDefinitionSchema, { ...input, name });
    if (!(await operates(caller))) refuseOperatorsProvider(definition);
    const others = all.filter((one) => one.name !== name).map((one) => one.definition);
    checkFallbacks([definition, ...others], name);
    const key = holdsSecrets(definition) ? await sealingKeys.active() : new Uint8Array(0);
    const sealed = sealDefinition(definition, { tenantId: caller.tenantId, name }, key, kept);
    // Storage turns -0 into 0 and leaves out undefined members.
    return JSON.parse(JSON.stringify(sealed));
  }

  private vendor(provider: Vendor, stored: readonly StoredModelProvider[]): ModelProviders['vendors'][number] {
    const { variable } = this.parts;
    const variables = keyVariablesOf(provider);
    const set = variables.find((name) => variable(name) !== undefined) ?? null;
    const own = stored.filter(({ definition }) => definition.provider === provider);
    const isStored = own.some(({ definition }) => secretsIn(definition).size > 0);
    return {
      provider,
      key: set === null ? (isStored ? 'stored' : 'none') : 'environment',
      variable: set,
      problem: set === null ? null : faultOfVariable(set, variable),
      variables,
      providerNames: own.map(({ name }) => name),
      testModel: TEST_MODELS[provider],
    };
  }
}

function shown(stored: StoredModelProvider): ModelProvider {
  const { createdAt, updatedAt, ...definition } = shownModelProvider(stored);
  return { definition, testModel: TEST_MODELS[definition.provider], createdAt, updatedAt };
}

/** Secrets are not shown, but their change moves `updatedAt`. */
export function modelProviderVersion({
  definition,
  updatedAt,
}: Pick<ModelProvider, 'definition' | 'updatedAt'>): string {
  return editVersion([definition, updatedAt]);
}

function requireExpected(
  name: string,
  seen: StoredModelProvider | null,
  { version, absent = false }: ExpectedProvider,
): void {
  const what = `The provider ${JSON.stringify(name)}`;
  if (absent && seen)
    throw new RuntimeError('stale', `${what} exists already; nothing is stored. Choose another name.`);
  if (version === undefined) return;
  if (!seen) throw new RuntimeError('stale', `${what} was removed in the meantime; nothing of this change is stored.`);
  const { createdAt: _, updatedAt, ...definition } = shownModelProvider(seen);
  requireVersion(version, modelProviderVersion({ definition, updatedAt }), what);
}
