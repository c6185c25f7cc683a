import type { AuditLog } from '../../base/audit/log.ts';
import { administers, type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, RuntimeError, tenantRemoved, unprocessable } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { LoginClient } from '../auth/admission.ts';
import type { LoginAttempt } from '../auth/attempts.ts';
import type { LoginDetails, OpenedSession } from '../auth/logins.ts';
import type { PasswordHasher } from '../auth/password-hash.ts';
import { mayGiveRole, SCOPES_OF_ROLE } from '../auth/rights.ts';
import type { PageQuery, Tenant } from '../auth/schema.ts';
import { hashSecret, newSecret } from '../auth/secrets.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { Needed } from '../second-factor/schema.ts';
import { refuseWeak } from '../users/password-quality.ts';
import { UserPermissions } from '../users/permissions.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { type InvitationMail, invitationMail } from './message.ts';
import type { AcceptInvitation, DescribedInvitation, Invite, Invited, Joined, ShownInvitation } from './schema.ts';
import type { InvitationStore, OpenInvitation, StoredInvitation } from './store.ts';

export interface InvitationParts {
  store: InvitationStore;
  users: Pick<UserStore, 'find' | 'findByEmail'>;
  tenants: Pick<TenantService, 'get' | 'find' | 'isBlocked'>;
  passwords: Pick<PasswordHasher, 'hash'>;
  /** Counts a failure of the client's address unless it is undone. Throws `rate_limited`. */
  attemptOf(client: LoginClient): Promise<LoginAttempt>;
  admit(user: StoredUser, client: LoginClient, details: LoginDetails): Promise<OpenedSession | Needed>;
  /** Whether an identity provider lets in an existing user of the tenant who has this e-mail. */
  linksByEmail(tenantId: string, email: string): Promise<boolean>;
  /** Null without a mail server. */
  mailer: InvitationMailer | null;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

export interface InvitationMailer {
  /** Why the address may not be written to; null if it may. Throws `rate_limited`. */
  refusal(tenantId: string, address: string): Promise<string | null>;
  /** Sends it at once, storing nothing of it. The mail server's error; null if it took it. */
  send(tenantId: string, address: string, mail: InvitationMail): Promise<string | null>;
}

const LIFETIME_MS = 7 * 86_400_000;
/** Open ones of a tenant. */
export const MAX_INVITATIONS = 1_000;

/** A user who is not made yet: a link, valid once, lets the person set name and password. */
export class InvitationService {
  private readonly parts: InvitationParts;
  private readonly permissions: UserPermissions;

  constructor(parts: InvitationParts) {
    this.parts = parts;
    this.permissions = new UserPermissions(parts.users);
  }

  get sendsMail(): boolean {
    return this.parts.mailer !== null;
  }

  /** `linkTo`: the public address of the link, for a secret. */
  async create(caller: Caller, { email, role, mail }: Invite, linkTo: (secret: string) => string): Promise<Invited> {
    requirePortal(caller, 'administrator');
    const { store, effects } = this.parts;
    const { tenantId } = caller;
    const inviter = await this.permissions.self(caller);
    await this.permissions.requireAssigning(caller, role);
    const [user] = await this.parts.users.findByEmail(email, tenantId);
    if (user) throw known(user.email);
    await this.requireRoom(caller, email);
    if (mail) await this.requireMail(tenantId, email);
    const now = effects.now();
    const secret = newSecret();
    const invitation: StoredInvitation = {
      ...{ id: effects.newId(), tenantId, email, role, secretHash: hashSecret(secret), invitedBy: inviter.id },
      ...{ createdAt: now, expiresAt: now + LIFETIME_MS },
    };
    if ((await store.put(invitation)) === 'unknown tenant') throw tenantRemoved();
    await this.record(caller, invitation, 'invitation.created');
    const link = linkTo(secret);
    const expiresAt = formatUtc(invitation.expiresAt);
    const mailError = mail ? await this.mailed(invitation, { inviter, link, expiresAt }) : null;
    const shown = { id: invitation.id, email, role, link, expiresAt };
    return { ...shown, mailed: mail && mailError === null, ...(mailError !== null && { mailError }) };
  }

  async list(caller: Caller, query: PageQuery): Promise<Page<ShownInvitation>> {
    requirePortal(caller, 'administrator');
    const { items, total } = await this.parts.store.page(caller.tenantId, this.parts.effects.now(), query);
    return { items: items.map(shownInvitation), total };
  }

  /** Throws `forbidden` for a role that the caller may not give. */
  async revoke(caller: Caller, id: string): Promise<void> {
    requirePortal(caller, 'administrator');
    const { store, effects } = this.parts;
    const invitation = await store.findById(caller.tenantId, id, effects.now());
    if (invitation) await this.permissions.requireAssigning(caller, invitation.role);
    if (!invitation || !(await store.remove(caller.tenantId, id))) {
      throw notFound('There is no such open invitation: it was used, revoked or replaced, or has expired.');
    }
    await this.record(caller, invitation, 'invitation.revoked');
  }

  /** For whoever has the link. Throws `gone`, without a reason, and `rate_limited`. */
  async describe(secret: string, client: LoginClient): Promise<DescribedInvitation> {
    const { invitation, tenant } = await this.open(secret, client);
    const { email, role, inviter, expiresAt } = invitation;
    return {
      ...{ email, role, tenant: { id: tenant.id, name: tenant.name } },
      invitedBy: { name: inviter.name, email: inviter.email },
      expiresAt: formatUtc(expiresAt),
      passwordLogin: tenant.passwordLogin,
    };
  }

  /**
   * Makes the user and logs in; where passwords are switched off, says where to log in. Throws
   * `gone`, `rate_limited`, `unprocessable` (an easy password) and `conflict`.
   */
  async accept(
    { secret, name, password }: AcceptInvitation,
    client: LoginClient,
  ): Promise<OpenedSession | Needed | Joined> {
    const { invitation, tenant } = await this.open(secret, client);
    const { email } = invitation;
    if (!tenant.passwordLogin) return this.join(invitation, tenant, name);
    if (password === undefined) throw invalid('password: is needed');
    await refuseWeak(password, { email, name });
    const user = await this.make(invitation, name, await this.parts.passwords.hash(password));
    return this.parts.admit(user, client, { invitation: true });
  }

  /** Without a password. A provider that links nobody makes the user itself, at the first login. */
  private async join(invitation: OpenInvitation, tenant: Tenant, name: string): Promise<Joined> {
    const loginUrl = `login?${new URLSearchParams({ tenant: tenant.name })}`;
    if (await this.parts.linksByEmail(tenant.id, invitation.email)) await this.make(invitation, name, null);
    return { loginUrl };
  }

  private async make(invitation: OpenInvitation, name: string, passwordHash: string | null): Promise<StoredUser> {
    const { store, audit, effects } = this.parts;
    const now = effects.now();
    const { tenantId, email, role, inviter } = invitation;
    const user: StoredUser = {
      ...{ id: effects.newId(), tenantId, email, name, phone: null, avatarUrl: null, role, isActive: true },
      ...{ passwordHash, sessionVersion: passwordHash === null ? null : now, lastLoginAt: null, language: null },
      ...{ metadata: { invite_sent: true }, createdAt: now, updatedAt: now },
    };
    const result = await store.accept(invitation, user);
    if (result === 'gone') throw gone();
    if (result === 'duplicate email') throw known(email);
    const actor = { kind: 'user', id: user.id, label: email } as const;
    await audit.record(actor, tenantId, 'invitation.accepted', invitation.id, { user: user.id, by: inviter.email });
    await audit.record(actor, tenantId, 'user.created', user.id, { role });
    return user;
  }

  /** Failures slow the address, as wrong passwords do. */
  private async open(secret: string, client: LoginClient): Promise<{ invitation: OpenInvitation; tenant: Tenant }> {
    const { store, tenants, effects, attemptOf } = this.parts;
    const attempt = await attemptOf(client);
    const invitation = await store.find(hashSecret(secret), effects.now());
    const tenant = invitation && isValid(invitation) && (await tenants.find(invitation.tenantId));
    if (!tenant || tenants.isBlocked(tenant.id)) throw gone();
    await attempt.undo();
    return { invitation, tenant };
  }

  /** Whoever invites again takes the former invitation's place: that is revoking it. */
  private async requireRoom(caller: Caller, email: string): Promise<void> {
    const { store, effects } = this.parts;
    const now = effects.now();
    const former = await store.findByEmail(caller.tenantId, email, now);
    if (former) return this.permissions.requireAssigning(caller, former.role);
    const { total } = await store.page(caller.tenantId, now, { limit: 1, offset: 0 });
    if (total < MAX_INVITATIONS) return;
    throw conflict(`The tenant has ${MAX_INVITATIONS} open invitations, and at most so many. Revoke some.`);
  }

  private async requireMail(tenantId: string, email: string): Promise<void> {
    const { mailer } = this.parts;
    const refusal = mailer
      ? await mailer.refusal(tenantId, email)
      : 'this server sends no e-mail: AGENT_RUNTIME_SMTP_URL is not set. Hand the link over yourself';
    if (refusal !== null) throw unprocessable(`mail: ${refusal}`);
  }

  private async mailed(
    { tenantId, email, role }: StoredInvitation,
    { inviter, link, expiresAt }: { inviter: StoredUser; link: string; expiresAt: string },
  ): Promise<string | null> {
    const { name: tenant } = await this.parts.tenants.get(tenantId);
    const mail = invitationMail({ tenant, inviter, role, link, expiresAt });
    return (await this.parts.mailer?.send(tenantId, email, mail)) ?? null;
  }

  private async record(by: Caller, { id, tenantId, role }: StoredInvitation, action: string): Promise<void> {
    await this.parts.audit.record(by, tenantId, action, id, { role });
  }
}

/** A former administrator must not keep access by an invitation. */
function isValid({ role, inviter }: OpenInvitation): boolean {
  const by = { role: inviter.role, scopes: SCOPES_OF_ROLE[inviter.role] };
  return inviter.isActive && administers(inviter.role) && mayGiveRole(by, inviter.role, role);
}

/** Does not tell the reason. */
function gone(): RuntimeError {
  return new RuntimeError(
    'gone',
    'This invitation was used or revoked, has expired or never was valid. Ask the person who invited you for another, or log in if you have used it.',
  );
}

function known(email: string): RuntimeError {
  return conflict(`email: the tenant has a user with the e-mail ${email} already.`);
}

function shownInvitation(invitation: OpenInvitation): ShownInvitation {
  const { id, email, role, inviter, invitedBy, createdAt, expiresAt } = invitation;
  return {
    ...{ id, email, role, invitedBy: { id: invitedBy, name: inviter.name, email: inviter.email } },
    ...{ createdAt: formatUtc(createdAt), expiresAt: formatUtc(expiresAt), valid: isValid(invitation) },
  };
}
