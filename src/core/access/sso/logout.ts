import type { AuditLog } from '../../base/audit/log.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid } from '../../base/shared/errors.ts';
import { usedName } from './pending.ts';
import { IdentityProviderFault, type RelyingParty } from './relying-party.ts';
import type { IdentityProviderService } from './service.ts';
import type { ProviderPlace } from './sign-on.ts';
import { type IdentityProviderStore, type IdentityStore, INSTALLATION } from './store.ts';

interface LogoutParts {
  providers: IdentityProviderService;
  store: IdentityProviderStore;
  identities: IdentityStore;
  relyingParty: RelyingParty;
  audit: AuditLog;
  effects: Effects;
  onFailure: (failed: { provider: string; tenantId: string | null; reason: string }) => void;
}

/** OpenID Connect Back-Channel Logout 1.0: the provider ends sessions that it opened. */
export class BackchannelLogout {
  private readonly parts: LogoutParts;

  constructor(parts: LogoutParts) {
    this.parts = parts;
  }

  /** Throws `invalid`, with the same message for every reason. Also of a disabled provider. */
  async logout({ tenant, id }: ProviderPlace, token: string): Promise<void> {
    const { providers, store, identities, relyingParty, audit, effects, onFailure } = this.parts;
    const tenantId = tenant === INSTALLATION ? null : tenant;
    const provider = await store.find(tenantId, id);
    if (provider === null) throw refused();
    const opened = providers.opened(provider);
    const claims = await relyingParty.logoutClaims(opened, token).catch((error: unknown) => {
      if (!(error instanceof IdentityProviderFault)) throw error;
      onFailure({ provider: id, tenantId, reason: error.message });
      throw refused();
    });
    const { iss: issuer, sub: subject, sid: idpSession, jti, expiresAt } = claims;
    const now = effects.now();
    if (!(await identities.useOnce(usedName('logout', provider.uid, jti), expiresAt, now))) {
      onFailure({ provider: id, tenantId, reason: 'the logout token was used already' });
      throw refused();
    }
    const ended = await identities.endSessions({ providerUid: provider.uid, issuer, subject, idpSession }, now);
    for (const { tenantId: ofTenant, userId, sessions } of ended) {
      const actor = { kind: 'user', id: userId, label: `identity provider ${id}` } as const;
      await audit.record(actor, ofTenant, 'session.ended', userId, { sessions, provider: id });
    }
  }
}

function refused() {
  return invalid('logout_token: is not a valid logout token of this identity provider');
}
