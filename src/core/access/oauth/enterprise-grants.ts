import type { AuditLog } from '../../base/audit/log.ts';
import { hasScope, SCOPES, type Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { SCOPES_OF_ROLE } from '../auth/rights.ts';
import type { AssertedPerson, IdJags } from '../sso/id-jag.ts';
import { AssertionRefused } from '../sso/id-jag-claims.ts';
import { clientLabel, grantDetails } from './clients.ts';
import { DEFAULT_SCOPES } from './schema.ts';
import type { OAuthStore, StoredGrant } from './store.ts';

/** A token request with an assertion in place of a code. */
export interface AssertedRequest {
  assertion: string;
  /** The issuer of this authorization server. */
  audience: string;
  resource: string;
  /** The scopes that the request names; null: none. */
  scopes: readonly string[] | null;
  client: Pick<StoredGrant, 'clientId' | 'clientName' | 'clientKind'>;
}

interface EnterpriseGrantParts {
  idJags: Pick<IdJags, 'personOf'>;
  store: Pick<OAuthStore, 'renewGrant' | 'touchClient'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** An access token lasts as long; in place of a refresh token, an assertion renews the grant. */
const LIFETIME_MS = 3_600_000;

/** Grants of identity providers, which decide in place of the person. */
export class EnterpriseGrants {
  private readonly parts: EnterpriseGrantParts;

  constructor(parts: EnterpriseGrantParts) {
    this.parts = parts;
  }

  /**
   * There is one grant for each person and client, as the newest assertion has it. Rejects with an
   * AssertionRefused.
   */
  async grantFor({ assertion, audience, resource, scopes: asked, client }: AssertedRequest): Promise<StoredGrant> {
    const { idJags, store, audit, effects } = this.parts;
    const person = await idJags.personOf(assertion, { audience, resource, clientId: client.clientId });
    const { user, provider } = person;
    const createdAt = effects.now();
    const wanted: StoredGrant = {
      ...{ id: effects.newId(), tenantId: user.tenantId, userId: user.id, sessionVersion: user.sessionVersion },
      ...{ ...client, identityProvider: provider, resource, scopes: scopesFor(person, asked), createdAt },
      ...{ expiresAt: createdAt + LIFETIME_MS, activatedAt: null, lastUsedAt: null, endedAt: null, limits: null },
    };
    const { id, former } = await store.renewGrant(wanted);
    const grant = { ...wanted, id };
    if (client.clientKind !== 'document') await store.touchClient(client.clientId, createdAt);
    if (former?.id !== id || differs(former, grant)) {
      const actor = { kind: 'user', id: user.id, label: user.email, client: clientLabel(grant) } as const;
      const action = former?.id === id ? 'grant.renewed' : 'grant.created';
      await audit.record(actor, grant.tenantId, action, id, { ...grantDetails(grant), provider });
    }
    return grant;
  }
}

/** No more than was asked for, than the assertion allows, and than the role has. */
function scopesFor({ user, scopes }: AssertedPerson, asked: readonly string[] | null): Scope[] {
  const allowed: readonly string[] = scopes ?? DEFAULT_SCOPES;
  const rights = { scopes: SCOPES_OF_ROLE[user.role] };
  const granted = SCOPES.filter((scope) => allowed.includes(scope) && hasScope(rights, scope));
  const left = asked === null ? granted : granted.filter((scope) => asked.includes(scope));
  if (left.length > 0) return left;
  throw new AssertionRefused(
    `scope: nothing is left of what the request asks, the assertion allows and the role ${user.role} has. Ask for one of ${granted.join(', ') || 'the scopes of the role, at the identity provider'}.`,
    'invalid_scope',
  );
}

/** Clients renew their grants each hour; only a change is worth a line of the audit log. */
function differs(former: StoredGrant, { scopes, createdAt, identityProvider }: StoredGrant): boolean {
  const isSame = former.scopes.join() === scopes.join() && former.identityProvider === identityProvider;
  return !isSame || former.expiresAt <= createdAt;
}
