import type { AuditLog } from '../../base/audit/log.ts';
import { type Caller, requirePortal, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { editVersion, requireVersion } from '../../base/shared/versions.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { PasswordHasher } from '../auth/password-hash.ts';
import { refuseWeak } from './password-quality.ts';
import { demotes, newVersionFor, nextVersion, UserPermissions } from './permissions.ts';
import type { ChangeAccount, ChangePassword, CreateUser, SetPassword, UpdateUser, User, UsersQuery } from './schema.ts';
import type { StoredUser, UserChanges, UserCounts, UserStore } from './store.ts';

export interface UserParts {
  store: UserStore;
  effects: Effects;
  audit: Pick<AuditLog, 'record'>;
  passwords: Pick<PasswordHasher, 'hash'>;
  /** After a user was deactivated: ends what would go on. */
  onLeft?: (user: StoredUser, by: Caller) => Promise<void>;
  /** Throws `rate_limited` after too many wrong passwords. */
  checkPassword: (user: StoredUser, password: string) => Promise<boolean>;
}

const NO_COUNTS: UserCounts = { agents: 0, credentials: 0, executions: 0 };

export class UserService {
  private readonly parts: UserParts;
  private readonly permissions: UserPermissions;

  constructor(parts: UserParts) {
    this.parts = parts;
    this.permissions = new UserPermissions(parts.store);
  }

  async list(caller: Caller, { search = '', state, ...asked }: UsersQuery): Promise<Page<User>> {
    requirePortal(caller, 'administrator');
    const isActive = state && state === 'active';
    const { items, total } = await this.parts.store.list(caller.tenantId, { search, isActive, ...asked });
    return { items: items.map((user) => shownUser(user, user.counts)), total };
  }

  async listAll(tenantId: string | null): Promise<User[]> {
    const { items } = await this.parts.store.list(tenantId, { search: '', limit: null, offset: 0 });
    return items.map((user) => shownUser(user, user.counts));
  }

  async get(caller: Caller, id: string): Promise<User> {
    requirePortal(caller, 'administrator');
    return this.shown(await this.permissions.userOf(caller, id));
  }

  /** For the operator. Throws `not_found`, and `conflict` when several tenants have the e-mail. */
  async named(idOrEmail: string, tenantId: string | null): Promise<User> {
    const byId = await this.parts.store.find(idOrEmail.toLowerCase());
    const isMatch = byId && (tenantId === null || byId.tenantId === tenantId);
    const [user, ...others] = isMatch ? [byId] : await this.parts.store.findByEmail(idOrEmail, tenantId);
    if (!user) throw notFound(`There is no user with the id or e-mail ${JSON.stringify(idOrEmail)}.`);
    if (others.length === 0) return this.shown(user);
    const tenants = [user, ...others].map((one) => one.tenantId).join(', ');
    throw conflict(`Several tenants have a user ${idOrEmail}: ${tenants}. Say which is meant.`);
  }

  async create(tenantId: string, input: CreateUser, by: Caller | null): Promise<User> {
    if (by) requirePortal(by, 'administrator');
    const { password, ...members } = input;
    await this.permissions.requireAssigning(by, members.role);
    if (password !== undefined) await refuseWeak(password, members);
    const now = this.parts.effects.now();
    const user: StoredUser = {
      id: this.parts.effects.newId(),
      tenantId,
      ...members,
      isActive: true,
      passwordHash: password === undefined ? null : await this.parts.passwords.hash(password),
      sessionVersion: password === undefined ? null : now,
      lastLoginAt: null,
      language: null,
      createdAt: now,
      updatedAt: now,
    };
    const result = await this.parts.store.create(user);
    if (result === 'duplicate email') throw duplicateEmail(user.email);
    if (result === 'unknown tenant') throw notFound('The tenant is no longer there.');
    await this.record('user.created', user, by, { role: user.role });
    return shownUser(user, NO_COUNTS);
  }

  /** Throws `forbidden`, `not_found`, `stale`, `conflict` (taken e-mail, last administrator). */
  async update(caller: Caller, id: string, changes: UpdateUser, expected?: string): Promise<User> {
    requireScope(caller, 'users:write');
    const user = await this.change(
      () => this.permissions.userOf(caller, id),
      async (seen) => {
        requireVersion(expected, userVersion(shownUser(seen, NO_COUNTS)), `The user ${JSON.stringify(seen.name)}`);
        await this.permissions.requireChanging(caller, seen, changes);
        const now = this.parts.effects.now();
        if (changes.isActive === false) return { ...changes, sessionVersion: nextVersion(seen, now) };
        return { ...changes, ...newVersionFor(changes.role, seen, now) };
      },
    );
    await this.record('user.updated', user, caller, detailsOf(changes));
    if (!user.isActive) await this.parts.onLeft?.(user, caller);
    return this.shown(user);
  }

  async setPassword(id: string, { password }: SetPassword, by: Caller | null): Promise<User> {
    if (by) requirePortal(by, 'administrator');
    const user = await this.change(
      () => this.permissions.userOf(by, id),
      async (seen) => {
        await this.permissions.requireGuarded(by, seen, ['password']);
        return this.newPassword(seen, password);
      },
    );
    await this.record('user.password_set', user, by);
    return this.shown(user);
  }

  async changePassword(caller: Caller, { currentPassword, password }: ChangePassword): Promise<void> {
    requirePortal(caller, 'user');
    const user = await this.change(
      () => this.permissions.userOf(caller, caller.userId ?? ''),
      async (seen) => {
        if (!(await this.parts.checkPassword(seen, currentPassword))) {
          throw unprocessable('currentPassword: is not your password');
        }
        return this.newPassword(seen, password);
      },
    );
    await this.record('user.password_changed', user, caller);
  }

  async changeAccount(caller: Caller, changes: ChangeAccount): Promise<void> {
    requirePortal(caller, 'user');
    await this.change(
      () => this.permissions.userOf(caller, caller.userId ?? ''),
      async () => changes,
    );
  }

  /** Optimistic concurrency: decides again when the user has changed in between. */
  private async change(
    read: () => Promise<StoredUser>,
    decide: (seen: StoredUser) => Promise<UserChanges>,
  ): Promise<StoredUser> {
    for (;;) {
      const seen = await read();
      const changes = await decide(seen);
      const result = await this.parts.store.change(seen, changes, {
        updatedAt: this.parts.effects.now(),
        requiresOtherAdministrator: demotes(seen, changes),
      });
      if (result === 'stale' || result === null) continue;
      if (result === 'duplicate email') throw duplicateEmail(changes.email ?? seen.email);
      if (result === 'last administrator') throw lastAdministrator(seen);
      return result;
    }
  }

  private async newPassword(user: StoredUser, password: string): Promise<UserChanges> {
    await refuseWeak(password, user);
    return {
      passwordHash: await this.parts.passwords.hash(password),
      sessionVersion: nextVersion(user, this.parts.effects.now()),
    };
  }

  private async shown(user: StoredUser): Promise<User> {
    return shownUser(user, await this.parts.store.counts(user.id));
  }

  private async record(action: string, { id, tenantId }: StoredUser, by: Caller | null, details = {}): Promise<void> {
    await this.parts.audit.record(by, tenantId, action, id, details);
  }
}

/** Values only for rights: the audit log holds no personal data. */
function detailsOf(changes: UpdateUser): Record<string, unknown> {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const rights = changed.filter(([member]) => member === 'role' || member === 'isActive');
  return { changed: changed.map(([member]) => member), ...Object.fromEntries(rights) };
}

function duplicateEmail(email: string): RuntimeError {
  return conflict(`email: the tenant has a user with the e-mail ${email} already. Use another.`);
}

function lastAdministrator({ name }: StoredUser): RuntimeError {
  return conflict(
    `${JSON.stringify(name)} is the only active administrator of the tenant. Make another user ADMIN or SUPER_ADMIN first.`,
  );
}

/** Logins and what the user makes are no edits. */
export function userVersion({ lastLoginAt: _, _count: __, updatedAt: ___, ...edited }: User): string {
  return editVersion(edited);
}

function shownUser(user: StoredUser, counts: UserCounts): User {
  const { id, email, name, phone, avatarUrl, role, isActive, tenantId, metadata } = user;
  return {
    id,
    email,
    name,
    phone,
    avatarUrl,
    role,
    isActive,
    lastLoginAt: user.lastLoginAt === null ? null : formatUtc(user.lastLoginAt),
    createdAt: formatUtc(user.createdAt),
    updatedAt: formatUtc(user.updatedAt),
    tenantId,
    metadata,
    _count: counts,
  };
}
