import type { AuditLog } from '../../base/audit/log.ts';
import type { Actor } from '../../base/audit/store.ts';
import type { Role } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { demotes, newVersionFor } from '../users/permissions.ts';
import { createUserSchema } from '../users/schema.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { emailOf, isVisible, mayAdmit, mayLink, nameFromClaims, roleOf, whyOutside } from './claims.ts';
import type { IdTokenClaims } from './relying-party.ts';
import type { Identity, IdentityStore, StoredIdentityProvider } from './store.ts';

/** Reasons for a refused login, as codes for the login page. Each has its text in the portal. */
export const REFUSALS = [
  'cancelled',
  'expired',
  'unreachable',
  'misconfigured',
  'untrusted',
  'clock',
  'outsider',
  'no_email',
  'not_linked',
  'no_user',
  'no_role',
  'no_tenant',
  'inactive',
  'unknown_provider',
  'busy',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export class SignOnRefused extends Error {
  readonly refusal: Refusal;
  /** Whose login it was, once that is known. */
  readonly user: { id: string; tenantId: string; email: string } | null;

  /** `reason`: for the logs, without secrets. */
  constructor(
    refusal: Refusal,
    reason: string,
    { user = null, cause }: { user?: SignOnRefused['user']; cause?: unknown } = {},
  ) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = 'SignOnRefused';
    this.refusal = refusal;
    this.user = user;
  }
}

interface PeopleParts {
  users: UserStore;
  identities: Pick<IdentityStore, 'userOf' | 'link' | 'createUser'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** The longest `metadata.idp_user_id`. */
const MAX_SUBJECT = 200;
/** OpenID Connect Core 1.0, 2. */
const MAX_SUBJECT_LENGTH = 255;
/** A login that began at the same time may have made the user or the link. */
const ATTEMPTS = 3;

/** Finds, links or makes the user whom claims mean, and gives the role of the claims. */
export class SsoUsers {
  private readonly parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.parts = parts;
  }

  /** Rejects with a SignOnRefused. */
  async userFor(provider: StoredIdentityProvider, tenantId: string, claims: IdTokenClaims): Promise<StoredUser> {
    if (!isVisible(claims.sub)) throw new SignOnRefused('untrusted', 'the subject is empty');
    if (claims.sub.length > MAX_SUBJECT_LENGTH) throw new SignOnRefused('untrusted', 'the subject is too long');
    const outside = whyOutside(provider, claims);
    if (outside !== null) throw new SignOnRefused('outsider', outside);
    const identity = { providerUid: provider.uid, issuer: claims.iss, subject: claims.sub, tenantId };
    for (let attempt = 1; ; attempt += 1) {
      const known = await this.known(identity);
      const user = known ?? (await this.firstLogin(provider, identity, claims));
      if (user !== null) return this.admitted(provider, user, claims);
      if (attempt === ATTEMPTS) throw new SignOnRefused('busy', 'the user changed several times during the login');
    }
  }

  private async known(identity: Identity): Promise<StoredUser | null> {
    const userId = await this.parts.identities.userOf(identity);
    const user = userId === null ? null : await this.parts.users.find(userId);
    return user?.tenantId === identity.tenantId ? user : null;
  }

  /** Null where another login was quicker: look again. */
  private async firstLogin(
    provider: StoredIdentityProvider,
    identity: Identity,
    claims: IdTokenClaims,
  ): Promise<StoredUser | null> {
    const email = emailOf(claims);
    if (email === null) throw new SignOnRefused('no_email', 'first login without a verified e-mail');
    const [existing] = await this.parts.users.findByEmail(email.address, identity.tenantId);
    if (!existing) return this.create(provider, identity, claims, email.address);
    if (!mayLink(provider, email)) {
      if (await this.known(identity)) return null;
      throw new SignOnRefused('not_linked', 'the e-mail has a user, whom this provider may not link', {
        user: existing,
      });
    }
    refuseUnfit(provider, existing);
    const { role, isManaged } = roleOf(provider, claims);
    if (isManaged && role === null) throw noRole(existing);
    const linked = await this.parts.identities.link(identity, existing.id, this.parts.effects.now());
    if (linked === 'taken') return null;
    if (linked === 'other account') {
      // The e-mail may have got another owner.
      throw new SignOnRefused('not_linked', 'the user of this e-mail has another account of the provider', {
        user: existing,
      });
    }
    await this.record(existing, 'user.identity_linked', provider);
    return this.changed(existing, { metadata: { ...existing.metadata, ...subjectOf(identity) } });
  }

  private async create(
    provider: StoredIdentityProvider,
    identity: Identity,
    claims: IdTokenClaims,
    email: string,
  ): Promise<StoredUser | null> {
    if (!provider.createUsers) throw new SignOnRefused('no_user', 'there is no user of this e-mail, and none is made');
    const { role } = roleOf(provider, claims);
    if (role === null) throw noRole(null);
    const metadata = { ...subjectOf(identity), idp_created: true };
    const parsed = createUserSchema.safeParse({ email, name: nameFromClaims(claims, email), role, metadata });
    if (!parsed.success)
      throw new SignOnRefused('no_email', 'the e-mail of the provider is not one that users may have');
    const now = this.parts.effects.now();
    const { password: _, ...members } = parsed.data;
    const user: StoredUser = {
      ...{ id: this.parts.effects.newId(), tenantId: identity.tenantId, ...members, isActive: true },
      ...{
        passwordHash: null,
        sessionVersion: null,
        lastLoginAt: null,
        language: null,
        createdAt: now,
        updatedAt: now,
      },
    };
    const result = await this.parts.identities.createUser(user, identity);
    if (result === 'unknown tenant') throw new SignOnRefused('no_tenant', 'the tenant was removed');
    if (result !== 'created') return null;
    await this.record(user, 'user.created', provider, { role });
    return user;
  }

  private async admitted(
    provider: StoredIdentityProvider,
    user: StoredUser,
    claims: IdTokenClaims,
  ): Promise<StoredUser> {
    refuseUnfit(provider, user);
    const { role, isManaged } = roleOf(provider, claims);
    if (!isManaged) return user;
    if (role === null) throw noRole(user);
    return role === user.role ? user : this.withRole(provider, user, role);
  }

  /** The last administrator stays one: the tenant would have none. */
  private async withRole(provider: StoredIdentityProvider, user: StoredUser, role: Role): Promise<StoredUser> {
    const { users, effects } = this.parts;
    const result = await users.change(
      user,
      { role, ...newVersionFor(role, user, effects.now()) },
      { updatedAt: effects.now(), requiresOtherAdministrator: demotes(user, { role }) },
    );
    if (result === 'last administrator') {
      await this.record(user, 'user.role_kept', provider, { role: user.role, claimed: role });
      return user;
    }
    if (result === null || typeof result === 'string')
      throw new SignOnRefused('busy', 'the user was changed at the same time');
    await this.record(user, 'user.updated', provider, { changed: ['role'], role });
    return result;
  }

  private async changed(user: StoredUser, changes: Pick<StoredUser, 'metadata'>): Promise<StoredUser> {
    const options = { updatedAt: this.parts.effects.now(), requiresOtherAdministrator: false };
    const result = await this.parts.users.change(user, changes, options);
    return result === null || typeof result === 'string' ? user : result;
  }

  private async record(user: StoredUser, action: string, { id }: StoredIdentityProvider, details = {}): Promise<void> {
    const actor: Actor = { kind: 'user', id: user.id, label: user.email };
    await this.parts.audit.record(actor, user.tenantId, action, user.id, { ...details, provider: id });
  }
}

function refuseUnfit(provider: StoredIdentityProvider, user: StoredUser): void {
  if (!user.isActive) throw new SignOnRefused('inactive', 'deactivated', { user });
  if (!mayAdmit(provider, user.role)) {
    throw new SignOnRefused('outsider', 'a SUPER_ADMIN, and an ADMIN has written the provider', { user });
  }
}

function noRole(user: StoredUser | null): SignOnRefused {
  return new SignOnRefused('no_role', 'no role for the claims', { user });
}

function subjectOf({ subject }: Identity): { idp_user_id?: string } {
  return subject.length <= MAX_SUBJECT && /^[\x20-\x7e]+$/.test(subject) ? { idp_user_id: subject } : {};
}
