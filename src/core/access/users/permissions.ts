import { administers, type Caller, type Role, requirePortal } from '../../base/shared/caller.ts';
import { forbidden, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { mayGiveRole } from '../auth/rights.ts';
import type { UpdateUser } from './schema.ts';
import type { StoredUser, UserStore } from './store.ts';

/** Changing one of these can take over or end an administrator's account. */
const GUARDED = ['email', 'isActive', 'role'] as const;

export class UserPermissions {
  private readonly store: Pick<UserStore, 'find'>;

  constructor(store: Pick<UserStore, 'find'>) {
    this.store = store;
  }

  async requireAssigning(by: Caller | null, role: Role): Promise<void> {
    if (await this.mayAssign(by, role)) return;
    throw forbidden(`role: you cannot make anyone ${role}. ${remedyFor(role)}`);
  }

  async requireChanging(by: Caller | null, user: StoredUser, changes: UpdateUser): Promise<void> {
    await this.requireMaker(by);
    if (changes.role !== undefined) await this.requireAssigning(by, changes.role);
    const guarded = GUARDED.filter((member) => changes[member] !== undefined);
    if (guarded.length > 0) await this.requireGuarded(by, user, guarded);
  }

  /** Throws `not_found`, and `forbidden` for another tenant's user. */
  async userOf(by: Caller | null, id: string): Promise<StoredUser> {
    const user = await this.store.find(id);
    if (!user) throw notFound(`There is no user with the id ${JSON.stringify(id)}.`);
    if (by === null || user.tenantId === by.tenantId) return user;
    throw forbidden('This user belongs to another tenant.');
  }

  /** The user of a portal session. Throws `forbidden` for other callers. */
  async self(caller: Caller): Promise<StoredUser> {
    requirePortal(caller, 'user');
    const user = await this.store.find(caller.credential.id);
    if (!user) throw new RuntimeError('unauthenticated', 'There is no such user any more.');
    return user;
  }

  async requireGuarded(by: Caller | null, { role }: StoredUser, members: readonly string[]): Promise<void> {
    if (await this.mayAssign(by, role)) return;
    throw forbidden(`${members.join(', ')}: you cannot change this of a user who is ${role}. ${remedyFor(role)}`);
  }

  /** A former administrator must not keep access with their own key. */
  private async requireMaker(by: Caller | null): Promise<void> {
    if (by === null || by.role !== null || by.userId === null) return;
    const maker = await this.makerOf(by);
    if (administers(maker)) return;
    throw forbidden('The user who made this API key may not change users any more. Use another key.');
  }

  private async mayAssign(by: Caller | null, role: Role): Promise<boolean> {
    return by === null || !administers(role) || mayGiveRole(by, await this.makerOf(by), role);
  }

  /** The maker's current role, VIEWER when gone or inactive; null for the operator. */
  private async makerOf({ role, userId, tenantId }: Caller): Promise<Role | null> {
    if (role !== null || userId === null) return role;
    const maker = await this.store.find(userId);
    return maker?.isActive && maker.tenantId === tenantId ? maker.role : 'VIEWER';
  }
}

function remedyFor(role: Role): string {
  const users = role === 'SUPER_ADMIN' ? 'a SUPER_ADMIN' : 'an ADMIN or SUPER_ADMIN';
  return `That takes ${users}, or a key with the scope * that the operator or such a user has made.`;
}

/** Greater than that of every token, also when the clock was set back. */
export function nextVersion({ sessionVersion }: StoredUser, now: number): number {
  return Math.max(now, (sessionVersion ?? 0) + 1);
}

/**
 * Ends what somebody else may have opened as the user while an ADMIN could: before the role is
 * SUPER_ADMIN.
 */
export function newVersionFor(
  role: Role | undefined,
  user: StoredUser,
  now: number,
): Partial<Pick<StoredUser, 'sessionVersion'>> {
  return role === 'SUPER_ADMIN' && user.role !== 'SUPER_ADMIN' ? { sessionVersion: nextVersion(user, now) } : {};
}

export function demotes(user: StoredUser, { role = user.role, isActive = user.isActive }: UpdateUser): boolean {
  if (!user.isActive || !administers(user.role)) return false;
  return !isActive || !administers(role) || (user.role === 'SUPER_ADMIN' && role !== 'SUPER_ADMIN');
}
