import { type Caller, hasScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { type RefusedCredential, RuntimeError } from '../../base/shared/errors.ts';
import { SCOPES_OF_ROLE } from '../auth/rights.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { RoleLimits } from '../limits/schema.ts';
import { clientLabel } from './clients.ts';
import type { OAuthStore, TokenFacts } from './store.ts';

interface TokenAuthenticatorParts {
  store: Pick<OAuthStore, 'findToken' | 'touchGrant'>;
  tenants: Pick<TenantService, 'isBlocked'>;
  effects: Effects;
}

/** Precise enough for people; saves a write per request. */
const TOUCH_INTERVAL_MS = 60_000;

/** True of what may be an access token: an API key is longer, and the token of a login has dots. */
export function isAccessToken(credential: string): boolean {
  return /^[\w-]{43}$/.test(credential);
}

/** Checks access tokens that the authorization server of this program issued. */
export class TokenAuthenticator {
  private readonly parts: TokenAuthenticatorParts;

  constructor(parts: TokenAuthenticatorParts) {
    this.parts = parts;
  }

  /**
   * Throws `unauthenticated`. `audience` is the address of what is called; null: tokens are not
   * accepted here. Reads token, grant and user each time, so that an ended grant and a changed role
   * apply immediately.
   */
  async authenticate(token: string, audience: string | null): Promise<Caller> {
    const { store, tenants, effects } = this.parts;
    const facts = await store.findToken(token);
    if (!facts || tenants.isBlocked(facts.grant.tenantId)) throw refusal('The access token is not valid.');
    const { grant, user, timezone } = facts;
    const now = effects.now();
    const refused = {
      tenantId: grant.tenantId,
      kind: 'user',
      id: user.id,
      label: user.email,
      client: clientLabel(grant),
    } as const;
    if (facts.expiresAt <= now || grant.expiresAt <= now) throw refusal('The access token has expired.', refused);
    if (grant.endedAt !== null) throw refusal('The access token is not valid any more: its grant was ended.', refused);
    if (!user.isActive) throw refusal('The user of this access token is deactivated.', refused);
    if (grant.sessionVersion !== user.sessionVersion) {
      throw refusal('The access token is not valid any more: its user has a new password.', refused);
    }
    const issuedFor = String(facts.content.aud);
    if (issuedFor !== audience) {
      throw refusal(
        `The access token was issued for ${issuedFor}${audience === null ? '' : `, not for ${audience}`}.`,
        refused,
      );
    }
    if (now - (grant.lastUsedAt ?? 0) >= TOUCH_INTERVAL_MS) {
      // A full disk must not refuse read-only callers.
      await store.touchGrant(grant.id, now).catch(() => undefined);
    }
    return callerOf(facts, timezone);
  }
}

function callerOf({ grant, content, user, roleLimits }: TokenFacts, timezone: string): Caller {
  const rights = { scopes: SCOPES_OF_ROLE[user.role] };
  const limits = [roleLimits?.[user.role as keyof RoleLimits], grant.limits].filter((one) => one != null);
  const granted = String(content.scope ?? '').split(' ');
  const scopes = grant.scopes.filter((scope) => granted.includes(scope) && hasScope(rights, scope));
  return {
    tenantId: grant.tenantId,
    agentId: null,
    label: user.email,
    scopes,
    timezone,
    credential: { kind: 'grant', id: grant.id },
    userId: user.id,
    role: null,
    grant: { clientId: grant.clientId, client: clientLabel(grant), obtainable: rights.scopes },
    ...(limits.length > 0 && { limits }),
  };
}

function refusal(message: string, refused?: RefusedCredential): RuntimeError {
  const remedy = 'Let the application connect again.';
  return new RuntimeError('unauthenticated', `${message} ${remedy}`, {
    challenge: 'invalid_token',
    ...(refused && { refused }),
  });
}
