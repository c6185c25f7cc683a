import type { AuditLog } from '../../base/audit/log.ts';
import { type SealingKeys, seal, UnopenableSecret } from '../../base/sealing/sealing.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import {
  conflict,
  forbidden,
  notFound,
  RuntimeError,
  tenantRemoved,
  tooMany,
  unprocessable,
} from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import { editVersion, requireVersion } from '../../base/shared/versions.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Tenant } from '../auth/schema.ts';
import { mayLink } from './claims.ts';
import type { OpenedProvider, RelyingParty } from './relying-party.ts';
import { requireSound } from './rules.ts';
import {
  type ChangeProvider,
  type CreateProvider,
  changeAnyProviderSchema,
  createAnyProviderSchema,
  type IdentityProviderDefinition,
  type OfferedProviders,
  type ProviderCheck,
  type ShownIdentityProvider,
} from './schema.ts';
import {
  type IdentityProviderStore,
  type IdentityStore,
  openSecret,
  providerAddress,
  type StoredIdentityProvider,
  secretPlace,
} from './store.ts';

/** More than a tenant's people have accounts at. */
const MAX_PROVIDERS = 20;

interface IdentityProviderParts {
  store: IdentityProviderStore;
  identities: Pick<IdentityStore, 'providerOfSession'>;
  tenants: {
    list(most?: number): Promise<Tenant[]>;
    find(idOrName: string): Promise<Tenant | null>;
    get(idOrName: string): Promise<Tenant>;
    isBlocked(id: string): boolean;
  };
  relyingParty: Pick<RelyingParty, 'examine'>;
  sealingKeys: SealingKeys;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** Private networks in which providers may be. */
  networks: readonly string[];
}

/**
 * Definitions of identity providers. `tenantId` is null for those of the whole installation, which
 * only the operator has.
 */
export class IdentityProviderService {
  private readonly parts: IdentityProviderParts;

  constructor(parts: IdentityProviderParts) {
    this.parts = parts;
  }

  async list(tenantId: string | null, by: Caller | null): Promise<ShownIdentityProvider[]> {
    requireRight(tenantId, by);
    return (await this.parts.store.list(tenantId)).map(shownProvider);
  }

  async get(tenantId: string | null, id: string, by: Caller | null): Promise<ShownIdentityProvider> {
    requireRight(tenantId, by);
    return shownProvider(await this.stored(tenantId, id));
  }

  async create(tenantId: string | null, input: CreateProvider, by: Caller | null): Promise<ShownIdentityProvider> {
    requireRight(tenantId, by);
    const { store, effects, audit } = this.parts;
    const { id, clientSecret, ...members } = parse(createAnyProviderSchema, input);
    const definition = await this.sound(tenantId, members, by);
    const [uid, now] = [effects.newId(), effects.now()];
    const provider: StoredIdentityProvider = {
      ...definition,
      ...{ uid, tenantId, id, authority: authorityOf(by), revision: 1, createdAt: now, updatedAt: now },
      sealedSecret: await this.sealed(clientSecret, uid, definition.issuer),
    };
    const created = await store.create(provider, MAX_PROVIDERS);
    if (created === 'unknown tenant') throw tenantRemoved();
    if (created === 'too many') throw tooMany('identity providers', MAX_PROVIDERS);
    if (created === 'duplicate') {
      throw conflict(`id: there is an identity provider ${id} already. Choose another id.`);
    }
    await audit.record(by, tenantId, 'identity_provider.created', id, { issuer: definition.issuer });
    return shownProvider(provider);
  }

  /**
   * Optimistic concurrency: decides again when the provider has changed in between. Throws `stale`
   * if it is not of the expected version.
   */
  async change(
    tenantId: string | null,
    id: string,
    input: ChangeProvider,
    by: Caller | null,
    expected?: string,
  ): Promise<ShownIdentityProvider> {
    requireRight(tenantId, by);
    const { clientSecret, ...changes } = parse(changeAnyProviderSchema, input);
    for (;;) {
      const seen = await this.stored(tenantId, id);
      requireVersion(expected, identityProviderVersion(shownProvider(seen)), `The identity provider ${id}`);
      requireOperatorsRoles(seen, by);
      const { uid, sealedSecret, authority, revision, createdAt, updatedAt, ...before } = seen;
      const { tenantId: _, id: __, ...definition } = { ...before, ...withoutUndefined(changes) };
      const sound = await this.sound(tenantId, definition, by);
      if (sound.issuer !== seen.issuer && sealedSecret !== null && clientSecret === undefined) {
        throw unprocessable(
          'clientSecret: send it with the new issuer; the stored one belongs to the former issuer and is not sent elsewhere.',
        );
      }
      const provider: StoredIdentityProvider = {
        ...sound,
        ...{ uid, tenantId, id, createdAt },
        authority: authorityAfter(authority, { ...changes, clientSecret }, by),
        sealedSecret: clientSecret === undefined ? sealedSecret : await this.sealed(clientSecret, uid, sound.issuer),
        revision: revision + 1,
        updatedAt: Math.max(this.parts.effects.now(), updatedAt + 1),
      };
      const result = await this.parts.store.change(provider, revision);
      if (result === 'stale') continue;
      if (result === 'last') throw lastLoginMethodError();
      const changed = Object.entries({ ...changes, clientSecret }).filter(([, value]) => value !== undefined);
      await this.parts.audit.record(by, tenantId, 'identity_provider.changed', id, {
        changed: changed.map(([name]) => name),
        ...(sound.issuer === seen.issuer ? {} : { from: seen.issuer, to: sound.issuer }),
      });
      return shownProvider(provider);
    }
  }

  /** Throws `conflict` for the last enabled one of a tenant without password logins. */
  async remove(tenantId: string | null, id: string, by: Caller | null): Promise<void> {
    requireRight(tenantId, by);
    const seen = await this.stored(tenantId, id);
    requireOperatorsRoles(seen, by);
    const { uid } = seen;
    const result = await this.parts.store.remove(uid);
    if (result === 'unknown') throw unknownProvider(id);
    if (result === 'last') throw lastLoginMethodError();
    await this.parts.audit.record(by, tenantId, 'identity_provider.removed', id);
  }

  /** Sends requests to the provider. */
  async examine(tenantId: string | null, id: string, redirectUri: string, by: Caller | null): Promise<ProviderCheck> {
    requireRight(tenantId, by);
    return this.parts.relyingParty.examine(this.opened(await this.stored(tenantId, id)), redirectUri);
  }

  /**
   * For the login page. With one tenant, or where it is named, its providers; always those of the
   * installation. A name that does not exist is answered as that of a tenant without providers.
   */
  async offered(tenantNamed: string | undefined): Promise<OfferedProviders> {
    const { store, tenants } = this.parts;
    const tenant = await this.tenantOfLoginPage(tenantNamed);
    const own = tenant === null || tenants.isBlocked(tenant.id) ? [] : await store.list(tenant.id);
    const enabled = [...own, ...(await store.list(null))].filter((provider) => provider.enabled);
    const providers = enabled.map((provider) => ({
      name: provider.name,
      preset: provider.preset,
      startUrl: `api/v1/portal/login/sso/${providerAddress(provider)}/start`,
    }));
    return { providers, passwordLogin: providers.length === 0 || (tenant?.passwordLogin ?? true) };
  }

  /** Whether the first login with some provider takes the user of this e-mail. */
  async linksByEmail(tenantId: string, address: string): Promise<boolean> {
    const { store } = this.parts;
    const usable = [...(await store.list(tenantId)), ...(await store.list(null))].filter(({ enabled }) => enabled);
    return usable.some((provider) => mayLink(provider, { address, isVerified: true }));
  }

  /**
   * Throws `conflict` unless the caller's session was opened with an enabled provider: nobody locks
   * themselves out.
   */
  async requireOtherLogin(by: Caller): Promise<void> {
    const { identities, store } = this.parts;
    const uid = by.sessionId === undefined ? null : await identities.providerOfSession(by.sessionId);
    const usable = [...(await store.list(by.tenantId)), ...(await store.list(null))].filter(({ enabled }) => enabled);
    if (usable.some((provider) => provider.uid === uid)) return;
    throw conflict(
      'passwordLogin: log in with an identity provider of the tenant first. Only from such a session can password logins be switched off, so that it is known to work.',
    );
  }

  /** Throws `unavailable` when the secret does not open. */
  opened(provider: StoredIdentityProvider): OpenedProvider {
    try {
      return { ...provider, clientSecret: openSecret(this.parts.sealingKeys, provider) };
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      throw new RuntimeError(
        'unavailable',
        `The client secret of the identity provider ${provider.id} cannot be used: it ${error.message}. Set it again.`,
      );
    }
  }

  private async tenantOfLoginPage(named: string | undefined): Promise<Tenant | null> {
    if (named !== undefined) return this.parts.tenants.find(named);
    const [only, ...others] = await this.parts.tenants.list(2);
    return only !== undefined && others.length === 0 ? only : null;
  }

  private async stored(tenantId: string | null, id: string): Promise<StoredIdentityProvider> {
    return (await this.parts.store.find(tenantId, id)) ?? Promise.reject(unknownProvider(id));
  }

  private async sound(
    tenantId: string | null,
    definition: IdentityProviderDefinition,
    by: Caller | null,
  ): Promise<IdentityProviderDefinition> {
    requireSound(definition, { isOfInstallation: tenantId === null, by, networks: this.parts.networks });
    const tenantMapping: IdentityProviderDefinition['tenantMapping'] = [];
    for (const { value, tenant } of definition.tenantMapping) {
      tenantMapping.push({ value, tenant: (await this.parts.tenants.get(tenant)).id });
    }
    return { ...definition, tenantMapping };
  }

  private async sealed(secret: string | null, uid: string, issuer: string): Promise<string | null> {
    if (secret === null) return null;
    return seal(await this.parts.sealingKeys.active(), secret, secretPlace({ uid, issuer }));
  }
}

function requireRight(tenantId: string | null, by: Caller | null): void {
  if (by === null) return;
  requirePortal(by, 'administrator');
  if (by.tenantId !== tenantId) throw forbidden('This identity provider belongs to another tenant.');
}

/** An ADMIN who could change it could let themselves in as a SUPER_ADMIN. */
function requireOperatorsRoles({ roleMapping }: StoredIdentityProvider, by: Caller | null): void {
  if (by === null || roleMapping.every(({ role }) => role !== 'SUPER_ADMIN')) return;
  throw forbidden(
    'This identity provider gives the role SUPER_ADMIN, so only the operator changes it: `agent-runtime sso change`.',
  );
}

function authorityOf(by: Caller | null): StoredIdentityProvider['authority'] {
  return by === null || by.role === 'SUPER_ADMIN' ? 'SUPER_ADMIN' : 'ADMIN';
}

/** Members that change nothing about who gets in. */
const HARMLESS = new Set(['name', 'preset', 'enabled', 'mcp']);

/**
 * An ADMIN's change lowers it. Only who sends the issuer answers for the whole, and may raise it.
 */
function authorityAfter(
  before: StoredIdentityProvider['authority'],
  changes: ChangeProvider,
  by: Caller | null,
): StoredIdentityProvider['authority'] {
  const changed = Object.entries(changes).filter(([name, value]) => value !== undefined && !HARMLESS.has(name));
  if (changed.length === 0) return before;
  const own = authorityOf(by);
  return own === 'SUPER_ADMIN' && changes.issuer === undefined ? before : own;
}

function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

function unknownProvider(id: string): RuntimeError {
  return notFound(`There is no identity provider with the id ${JSON.stringify(id)}.`);
}

function lastLoginMethodError(): RuntimeError {
  return conflict(
    'Password logins are switched off and this is the only enabled identity provider. Switch password logins on first.',
  );
}

/** Each change moves `updatedAt`, also one of the secret, which is not shown. */
export function identityProviderVersion({ id, updatedAt }: Pick<ShownIdentityProvider, 'id' | 'updatedAt'>): string {
  return editVersion([id, updatedAt]);
}

function shownProvider(provider: StoredIdentityProvider): ShownIdentityProvider {
  const { uid: _, tenantId: __, sealedSecret, revision: ___, createdAt, updatedAt, ...shown } = provider;
  return {
    ...shown,
    hasSecret: sealedSecret !== null,
    createdAt: formatUtc(createdAt),
    updatedAt: formatUtc(updatedAt),
  };
}
