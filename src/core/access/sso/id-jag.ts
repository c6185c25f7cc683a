import type { Effects } from '../../base/shared/effects.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { claimValues, tenantFromClaims } from './claims.ts';
import {
  type Addressee,
  AssertionRefused,
  endOf,
  type IdJagClaims,
  issuerNamedIn,
  requireFit,
} from './id-jag-claims.ts';
import { usedName } from './pending.ts';
import { IdentityProviderFault, type RelyingParty, type SignedJwt } from './relying-party.ts';
import { SignOnRefused, type SsoUsers } from './sso-users.ts';
import type { IdentityProviderStore, IdentityStore, StoredIdentityProvider } from './store.ts';

/** Characters; real ones have about a thousand. */
const MAX_ASSERTION = 16_000;

/** Every assertion without a good signature gets it: strangers do not learn who is trusted. */
const UNTRUSTED =
  'assertion: no identity provider that logs people in here has signed it. iss must be the issuer of one, and kid one of its keys.';

/** For the operator's log, without secrets. */
export interface RefusedAssertion {
  issuer: string;
  client: string;
  provider: string | null;
  reason: string;
}

/** The person for whom an identity provider lets a client act. */
export interface AssertedPerson {
  user: StoredUser;
  /** The id of the identity provider. */
  provider: string;
  /** The scopes that the assertion allows; null: it names none. */
  scopes: readonly string[] | null;
}

interface IdJagParts {
  store: Pick<IdentityProviderStore, 'ofIssuer'>;
  identities: Pick<IdentityStore, 'userOf' | 'useOnce'>;
  users: Pick<UserStore, 'find'>;
  people: Pick<SsoUsers, 'userFor'>;
  tenants: Pick<TenantService, 'isBlocked'>;
  relyingParty: Pick<RelyingParty, 'signedJwt'>;
  effects: Pick<Effects, 'now'>;
  onRefusal: (refused: RefusedAssertion) => void;
}

/** A provider of the issuer in a tenant, and the user whom the subject means there. */
interface Place {
  provider: StoredIdentityProvider;
  tenantId: string;
  user: StoredUser | null;
}

/**
 * Identity Assertion JWT Authorization Grants (ID-JAG,
 * draft-ietf-oauth-identity-assertion-authz-grant): an identity provider lets a client act for a
 * person, as MCP's Enterprise-Managed Authorization has it.
 */
export class IdJags {
  private readonly parts: IdJagParts;

  constructor(parts: IdJagParts) {
    this.parts = parts;
  }

  /** Uses the assertion up. Rejects with an AssertionRefused. */
  async personOf(assertion: string, addressee: Addressee): Promise<AssertedPerson> {
    const seen = { issuer: (issuerNamedIn(assertion) ?? '').slice(0, 200), client: addressee.clientId };
    const refused = { ...seen, provider: null as string | null };
    try {
      const providers = await this.providersOf(assertion);
      const jwt = await this.signed(providers, assertion);
      const claims = requireFit(jwt, addressee, this.parts.effects.now());
      await this.useUp(claims);
      const place = await this.placeOf(providers, claims);
      refused.provider = place.provider.id;
      const user = await this.userAt(place, claims);
      return { user, provider: place.provider.id, scopes: scopesOf(claims) };
    } catch (error) {
      const [answer, reason] = refusalOf(error);
      if (answer === null) throw error;
      this.parts.onRefusal({ ...refused, reason });
      throw answer;
    }
  }

  private async providersOf(assertion: string): Promise<StoredIdentityProvider[]> {
    if (assertion.length > MAX_ASSERTION) {
      throw new AssertionRefused(`assertion: must have at most ${MAX_ASSERTION} characters.`);
    }
    const issuer = issuerNamedIn(assertion);
    if (issuer === null) throw new AssertionRefused('assertion: is not a signed JWT with an iss.');
    return this.parts.store.ofIssuer(issuer);
  }

  /** Every provider of the issuer has the same keys, which the issuer's own document names. */
  private async signed(providers: StoredIdentityProvider[], assertion: string): Promise<SignedJwt> {
    const provider = providers.find(({ enabled }) => enabled);
    if (!provider) throw new IdentityProviderFault('rejected', 'no enabled identity provider has this issuer');
    return this.parts.relyingParty.signedJwt({ ...provider, clientSecret: null }, assertion);
  }

  /** In the database: of several processes, or of several requests at once, one goes on. */
  private async useUp(claims: IdJagClaims): Promise<void> {
    const { identities, effects } = this.parts;
    const name = usedName('id-jag', claims.iss, claims.jti);
    if (await identities.useOnce(name, endOf(claims), effects.now())) return;
    throw new AssertionRefused('assertion, jti: was used already; get a new assertion for each token.');
  }

  /**
   * A tenant may configure the issuer of another tenant, whose people must not become its users: a
   * new person is admitted only if a single provider has the issuer, enabled or not.
   */
  private async placeOf(providers: StoredIdentityProvider[], claims: IdJagClaims): Promise<Place> {
    const places = (await Promise.all(providers.map((provider) => this.placeAt(provider, claims)))).flat();
    const known = places.filter(({ user }) => user !== null);
    const [place, ...others] = known.length > 0 ? known : places;
    if (!place) throw new AssertionRefused('assertion: its claims (tenant, aud_tenant) mean no tenant here.');
    if (others.length > 0) {
      throw new AssertionRefused(
        'assertion: several identity providers here have this issuer. Let the person log in to the portal once, or name the id of the tenant as aud_tenant.',
      );
    }
    if (place.provider.enabled && place.provider.mcp) return place;
    throw new AssertionRefused(
      `assertion: the identity provider ${place.provider.id} may not let MCP clients act. An administrator allows it in the settings of single sign-on (enabled, mcp).`,
    );
  }

  private async placeAt(provider: StoredIdentityProvider, claims: IdJagClaims): Promise<Place[]> {
    const { tenants, identities, users } = this.parts;
    const tenantId = provider.tenantId ?? tenantFromClaims(provider, claims);
    const { aud_tenant: wanted = tenantId, tenant: ofIssuer } = claims;
    if (tenantId === null || tenantId !== wanted || tenants.isBlocked(tenantId)) return [];
    // Subjects of an issuer with tenants of its own are unique within each of them alone.
    if (ofIssuer !== undefined && provider.tenantClaim !== 'tenant') return [];
    const identity = { providerUid: provider.uid, issuer: claims.iss, subject: claims.sub, tenantId };
    const userId = await identities.userOf(identity);
    const user = userId === null ? null : await users.find(userId);
    return [{ provider, tenantId, user }];
  }

  /** As a login with the provider finds or makes the user. */
  private userAt({ provider, tenantId, user }: Place, claims: IdJagClaims): Promise<StoredUser> {
    // An assertion has fewer claims than an ID token. For a known user the stored e-mail replaces
    // one that is missing or unverified; a missing role claim leaves the role as it is.
    const tellsEmail = claims.email !== undefined && claims.email_verified !== undefined;
    const known = user && !tellsEmail && { email: user.email, email_verified: true };
    const { roleClaim } = provider;
    const saysNoRole = roleClaim !== null && claimValues(claims, roleClaim).length === 0;
    const asked = saysNoRole ? { ...provider, roleClaim: null, roleMapping: [] } : provider;
    return this.parts.people.userFor(asked, tenantId, { ...claims, ...known });
  }
}

function scopesOf({ scope }: IdJagClaims): readonly string[] | null {
  return typeof scope === 'string' ? scope.split(' ') : null;
}

/** For the client, and for the log; null: another error. */
function refusalOf(error: unknown): [answer: AssertionRefused | null, reason: string] {
  if (error instanceof AssertionRefused) return [error, error.message];
  if (error instanceof IdentityProviderFault) return [new AssertionRefused(UNTRUSTED), error.message];
  if (!(error instanceof SignOnRefused)) return [null, ''];
  const message = `assertion, sub: the person cannot log in here with this identity provider: ${error.message}. Let them log in to the portal once, or ask an administrator of the tenant.`;
  return [new AssertionRefused(message), error.message];
}
