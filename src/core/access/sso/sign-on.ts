import type { AuditLog } from '../../base/audit/log.ts';
import type { SecretKey } from '../../base/sealing/secret-key.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { LoginClient } from '../auth/admission.ts';
import type { LoginService, OpenedSession } from '../auth/logins.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { UserStore } from '../users/store.ts';
import { isVisible, tenantFromClaims } from './claims.ts';
import { PendingLogins, usedName } from './pending.ts';
import { IdentityProviderFault, type IdTokenClaims, type RelyingParty } from './relying-party.ts';
import type { IdentityProviderService } from './service.ts';
import { type Refusal, SignOnRefused, SsoUsers } from './sso-users.ts';
import {
  addressesOf,
  type IdentityProviderStore,
  type IdentityStore,
  INSTALLATION,
  type StoredIdentityProvider,
} from './store.ts';

/** For the operator's log, without secrets. */
export interface FailedSignOn {
  provider: string;
  tenantId: string | null;
  refusal: Refusal;
  reason: string;
  address: string;
}

interface SignOnParts {
  providers: IdentityProviderService;
  store: IdentityProviderStore;
  identities: IdentityStore;
  users: UserStore;
  tenants: TenantService;
  logins: LoginService;
  relyingParty: RelyingParty;
  secretKey: SecretKey;
  audit: AuditLog;
  effects: Effects;
  onFailure: (failed: FailedSignOn) => void;
}

/** In its addresses: the id of a tenant, or `installation`; and its id. */
export interface ProviderPlace {
  tenant: string;
  id: string;
}

export interface BegunSignOn {
  /** At the provider. */
  location: URL;
  /** The cookie of the browser, for `finish`. */
  cookie: string;
}

/**
 * Logins with an identity provider: authorization code flow with PKCE. Rejects with a
 * SignOnRefused.
 */
export class SingleSignOn {
  private readonly parts: SignOnParts;
  private readonly pending: PendingLogins;
  private readonly people: SsoUsers;

  constructor(parts: SignOnParts) {
    this.parts = parts;
    this.pending = new PendingLogins(parts.secretKey, parts.effects.now);
    this.people = new SsoUsers(parts);
  }

  /** `to`: the page to return to. */
  async start(
    place: ProviderPlace,
    { to, baseUrl, client }: { to: unknown; baseUrl: string; client: LoginClient },
  ): Promise<BegunSignOn> {
    const provider = await this.enabled(place);
    return this.failing(provider, client, { isAudited: false }, async () => {
      const { redirectUri } = addressesOf(provider, baseUrl);
      const { pending, cookie } = this.pending.begin(provider, { redirectUri, to, device: client.device });
      const opened = this.parts.providers.opened(provider);
      const location = await this.parts.relyingParty.authorizationUrl(opened, redirectUri, pending);
      return { location, cookie };
    });
  }

  /**
   * Opens a session. `cookies` are those of `start` that the browser sends; `parameters` are those
   * of the provider. Failures slow the address, as wrong passwords do.
   */
  async finish(
    place: ProviderPlace,
    { cookies, parameters, client }: { cookies: readonly string[]; parameters: URLSearchParams; client: LoginClient },
  ): Promise<OpenedSession & { to: string }> {
    const provider = await this.enabled(place);
    const pending = this.pending.find(provider, cookies, parameters.get('state'));
    if (pending === null) {
      throw this.reported(provider, client, new SignOnRefused('expired', 'no pending login of this browser'));
    }
    return this.failing(provider, client, { isAudited: true }, async () => {
      const attempt = await this.parts.logins.attemptOf(client);
      // In the database: one of several processes, or of several requests at once, goes on.
      const { identities, effects } = this.parts;
      if (!(await identities.useOnce(usedName('state', pending.state), pending.expiresAt, effects.now()))) {
        throw new SignOnRefused('expired', 'the answer of the provider was used already');
      }
      const answer = new URL(`${pending.redirectUri}?${parameters}`);
      const claims = await this.parts.relyingParty.claims(this.parts.providers.opened(provider), answer, pending);
      const opened = await this.openSession(provider, claims, { ...client, device: pending.device ?? undefined });
      await attempt.undo();
      return { ...opened, to: pending.to };
    });
  }

  private async openSession(
    provider: StoredIdentityProvider,
    claims: IdTokenClaims,
    client: LoginClient,
  ): Promise<OpenedSession> {
    const current = await this.parts.store.find(provider.tenantId, provider.id);
    if (current?.uid !== provider.uid || current.revision !== provider.revision) {
      throw new SignOnRefused('expired', 'the identity provider was changed during the login');
    }
    const tenantId = provider.tenantId ?? tenantFromClaims(provider, claims);
    if (tenantId === null) throw new SignOnRefused('no_tenant', 'the claim means no tenant, or several');
    if (this.parts.tenants.isBlocked(tenantId)) throw new SignOnRefused('no_tenant', 'the tenant is being erased');
    const user = await this.people.userFor(provider, tenantId, claims);
    const { sid } = claims;
    const identity = {
      providerUid: provider.uid,
      issuer: claims.iss,
      subject: claims.sub,
      idpSession: isVisible(sid) && sid.length <= 500 ? sid : null,
    };
    return this.parts.logins.openFor(user, client, identity, { provider: provider.id });
  }

  private async enabled({ tenant, id }: ProviderPlace): Promise<StoredIdentityProvider> {
    const tenantId = tenant === INSTALLATION ? null : tenant;
    const provider = await this.parts.store.find(tenantId, id);
    const isBlocked = tenantId !== null && this.parts.tenants.isBlocked(tenantId);
    if (provider?.enabled && !isBlocked) return provider;
    throw new SignOnRefused('unknown_provider', 'there is no such identity provider, or it is disabled');
  }

  private async failing<Result>(
    provider: StoredIdentityProvider,
    client: LoginClient,
    { isAudited }: { isAudited: boolean },
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) throw error;
      if (isAudited && refused.refusal !== 'busy') await this.audit(provider, client, refused);
      throw this.reported(provider, client, refused);
    }
  }

  private reported(provider: StoredIdentityProvider, { address }: LoginClient, refused: SignOnRefused): SignOnRefused {
    const { refusal, message: reason } = refused;
    const { id, tenantId } = provider;
    this.parts.onFailure({ provider: id, tenantId: refused.user?.tenantId ?? tenantId, refusal, reason, address });
    return refused;
  }

  /** Only of browsers that began a login here: others could fill the log. */
  private async audit(
    { id, tenantId }: StoredIdentityProvider,
    { address }: LoginClient,
    refused: SignOnRefused,
  ): Promise<void> {
    const { user, message: reason } = refused;
    const actor = { kind: 'user', id: user?.id ?? null, label: user?.email ?? `somebody at ${id}` } as const;
    const details = { address, provider: id, reason };
    await this.parts.audit.record(actor, user?.tenantId ?? tenantId, 'login.failed', user?.id ?? null, details);
  }
}

const REFUSAL_OF_FAULT: Record<IdentityProviderFault['kind'], Refusal> = {
  cancelled: 'cancelled',
  unreachable: 'unreachable',
  discovery: 'misconfigured',
  client: 'misconfigured',
  clock: 'clock',
  rejected: 'untrusted',
};

function refusalOf(error: unknown): SignOnRefused | null {
  if (error instanceof SignOnRefused) return error;
  if (error instanceof IdentityProviderFault) {
    return new SignOnRefused(REFUSAL_OF_FAULT[error.kind], error.message, { cause: error });
  }
  if (error instanceof RuntimeError && (error.code === 'rate_limited' || error.code === 'unavailable')) {
    return new SignOnRefused('busy', error.message, { cause: error });
  }
  if (error instanceof RuntimeError && error.code === 'unauthenticated') {
    return new SignOnRefused('inactive', error.message, { cause: error });
  }
  return null;
}
