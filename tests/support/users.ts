import { SCOPES_OF_ROLE } from '../../src/core/access/auth/rights.ts';
import { createUserSchema, type User } from '../../src/core/access/users/schema.ts';
import { UserService } from '../../src/core/access/users/service.ts';
import type { StoredUser } from '../../src/core/access/users/store.ts';
import type { Caller, Role } from '../../src/core/base/shared/caller.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import type { TestApp } from './app.ts';
import { CHEAP_HASHING } from './cheap-hashing.ts';

let counter = 0;

/** A user of the tenant, made by the operator. */
export async function addUser(
  { runtime }: Pick<TestApp, 'runtime'>,
  members: { role?: Role; email?: string; name?: string; password?: string; tenant?: string } = {},
): Promise<User> {
  const number = ++counter;
  const { tenant = 'default', ...given } = members;
  const { id } = await runtime.tenants.get(tenant);
  const input = { email: `user${number}@example.com`, name: `User ${number}`, role: 'USER', ...given };
  return runtime.users.create(id, parse(createUserSchema, input), null);
}

/** The caller that a portal user is, without a login. */
export function callerOf({
  id,
  tenantId,
  email,
  role,
}: Pick<StoredUser, 'id' | 'tenantId' | 'email' | 'role'>): Caller {
  return {
    tenantId,
    agentId: null,
    label: email,
    scopes: SCOPES_OF_ROLE[role],
    timezone: 'UTC',
    credential: { kind: 'user', id },
    userId: id,
    role,
  };
}

/** The headers with which a user asks, without the time that a login takes. */
export async function sessionOf(
  { runtime }: Pick<TestApp, 'runtime'>,
  { id }: Pick<User, 'id'>,
): Promise<Record<string, string>> {
  const user = await runtime.userStore.find(id);
  if (!user) throw new Error(`no user ${id}`);
  const { token } = await runtime.sessions.open(user, { address: 'a test' });
  return { 'x-api-key': '', authorization: `Bearer ${token}` };
}

/** A key with every scope that this user has made. */
export async function keyMadeBy({ runtime }: Pick<TestApp, 'runtime'>, user: User): Promise<string> {
  const { keys } = runtime;
  return (await keys.create(user.tenantId, { label: `of ${user.email}`, scopes: ['*'] }, callerOf(user))).key;
}

/** Another service over the same users, with parts of its own. */
export function otherService(
  { runtime }: Pick<TestApp, 'runtime'>,
  parts: Partial<ConstructorParameters<typeof UserService>[0]>,
): UserService {
  return new UserService({
    store: runtime.userStore,
    effects: { now: Date.now, newId: () => 'unused' },
    audit: { record: async () => undefined },
    passwords: CHEAP_HASHING,
    checkPassword: (user, password) => runtime.logins.checkPassword(user, password),
    ...parts,
  });
}
