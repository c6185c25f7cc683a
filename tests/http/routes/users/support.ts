import assert from 'node:assert/strict';
import type { User } from '../../../../src/core/access/users/schema.ts';
import type { Role, Scope } from '../../../../src/core/base/shared/caller.ts';
import type { TestApp, TestResponse } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, sessionOf } from '../../../support/users.ts';

export const USERS = '/api/v1/runtime/users';
export const PORTAL_USERS = '/api/v1/portal/users';
export const OWN_PASSWORD = '/api/v1/portal/me/password';
export const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';

/** Every member of the user object. */
export const MEMBERS = [
  ...['_count', 'avatarUrl', 'createdAt', 'email', 'id', 'isActive', 'lastLoginAt'],
  ...['metadata', 'name', 'phone', 'role', 'tenantId', 'updatedAt'],
];

/** Without a rate limit. */
export const sharedApp = appOfThisFile({ rateLimit: 0 });

export interface Office {
  app: TestApp;
  tenant: string;
  tenantId: string;
  /** SUPER_ADMIN. */
  chief: User;
  add(role?: Role, members?: { password?: string; name?: string; email?: string }): Promise<User>;
  newKey(...scopes: (Scope | '*')[]): Promise<string>;
  /** With a key of the tenant, which has every scope unless another is given. */
  request(method: string, path: string, body?: unknown, key?: string): Promise<TestResponse>;
  /** As this user of the portal. */
  as(user: User, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** What is stored of everyone. */
  everyone(): Promise<User[]>;
}

let offices = 0;

/** A tenant of its own on the shared server, with one administrator. */
export async function newOffice(): Promise<Office> {
  const app = await sharedApp();
  const { id: tenantId, name: tenant } = await app.runtime.tenants.create({ name: `office ${++offices}` });
  const add: Office['add'] = (role = 'USER', members = {}) => addUser(app, { tenant, role, ...members });
  const chief = await add('SUPER_ADMIN', { name: 'Chief' });
  const newKey: Office['newKey'] = (...scopes) => app.newKey({ tenant, scopes });
  const own = await newKey('*');
  return {
    ...{ app, tenant, tenantId, chief, add, newKey },
    request: (method, path, body, key = own) => app.request(method, path, body, { 'x-api-key': key }),
    as: async (user, method, path, body, headers) =>
      app.request(method, path, body, { ...(await sessionOf(app, user)), ...headers }),
    everyone: () => app.runtime.users.listAll(tenantId),
  };
}

/** The error body of the specification, and nothing besides. */
export function assertError(answer: TestResponse, status: number, message?: RegExp): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'message', 'statusCode']);
  assert.equal(answer.body.statusCode, status);
  assert.equal(Array.isArray(answer.body.message), status === 400, 'an array for 400, a string otherwise');
  assert.match([answer.body.message].flat().join('\n'), message ?? /./);
  if (status === 401 || status === 403) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
}

/** A 400 whose messages name just these members, in any order. */
export function assertNames(answer: TestResponse, ...paths: string[]): void {
  assertError(answer, 400);
  const named = new Set((answer.body.message as string[]).map((message) => message.split(': ', 1)[0]));
  assert.deepEqual([...named].sort(), paths.sort(), JSON.stringify(answer.body.message));
}
