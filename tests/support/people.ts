import { join } from 'node:path';
import type { LoginClient } from '../../src/core/access/auth/admission.ts';
import type { LoginService } from '../../src/core/access/auth/logins.ts';
import type { Login } from '../../src/core/access/auth/schema.ts';
import type { StoredUser } from '../../src/core/access/users/store.ts';
import { withoutUndefined } from '../../src/core/base/json-schema/values.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import type { TestApp } from './app.ts';
import { CHEAP_HASHING } from './cheap-hashing.ts';

export const PORTAL = '/api/v1/portal';

const DAY_MS = 86_400_000;
let people = 0;
/** Made once for each password: that takes a fifth of a second. */
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? CHEAP_HASHING.hash(password);
  hashes.set(password, hash);
  return hash;
}

/** A user of the app's tenant, or of the one that is named, as the database has it. */
export async function newUser(
  { runtime, tenantId }: Pick<TestApp, 'runtime' | 'tenantId'>,
  { tenant = tenantId, password, ...members }: Partial<StoredUser> & { tenant?: string; password?: string } = {},
): Promise<StoredUser> {
  const number = ++people;
  const before = Date.now() - DAY_MS;
  const user: StoredUser = {
    id: realEffects.newId(),
    tenantId: (await runtime.tenants.get(tenant)).id,
    email: `person-${number}@example.com`,
    name: `Person ${number}`,
    phone: null,
    avatarUrl: null,
    role: 'USER',
    isActive: true,
    passwordHash: password === undefined ? null : await hashOf(password),
    sessionVersion: before,
    lastLoginAt: null,
    language: null,
    metadata: {},
    createdAt: before,
    updatedAt: before,
    ...members,
  };
  await runtime.userStore.put(user);
  return user;
}

type Change = Partial<Pick<StoredUser, 'role' | 'isActive' | 'passwordHash' | 'sessionVersion'>>;

/** Changes a user where every request looks: in the database, as another process may. */
export async function changeUser(
  { runtime }: TestApp,
  id: string,
  { role, isActive, passwordHash, sessionVersion }: Change,
): Promise<void> {
  const changes = withoutUndefined({
    role,
    is_active: isActive === undefined ? undefined : Number(isActive),
    password_hash: passwordHash,
    password_changed_at: sessionVersion,
  });
  const path = join(runtime.config.dataDir, STATE_FILE);
  const database = runtime.postgres?.state ?? (await openStateDatabase(path));
  try {
    const { numUpdatedRows } = await database.updateTable('users').set(changes).where('id', '=', id).executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new Error(`no user ${id}`);
  } finally {
    if (!runtime.postgres) await database.destroy();
  }
}

export interface Person {
  user: StoredUser;
  token: string;
  /** A request with the user's token. */
  request: TestApp['request'];
}

/** Somebody who is logged in, without the time that a password takes. */
export async function newPerson(app: TestApp, members: Parameters<typeof newUser>[1] = {}): Promise<Person> {
  const user = await newUser(app, members);
  const { token } = await app.runtime.sessions.open(user, { address: 'a test' });
  return { user, token, request: withToken(app, token) };
}

/** The headers that a browser and the portal's pages send to their own server. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'portal' };

/** Sends requests as the portal's pages do, with the token in the session cookie. */
export function withCookie(app: Pick<TestApp, 'request'>, token: string): TestApp['request'] {
  return (method, path, body, headers) =>
    app.request(method, path, body, { 'x-api-key': '', cookie: `ar_session=${token}`, ...OWN_PAGE, ...headers });
}

/** `x-api-key` is sent empty, which counts as absent. */
export function withToken(app: Pick<TestApp, 'request'>, token: string): TestApp['request'] {
  return (method, path, body, headers) =>
    app.request(method, path, body, { 'x-api-key': '', authorization: `Bearer ${token}`, ...headers });
}

/** A login without the second factor, with parts of the test's own. */
export async function loginWithPassword(logins: LoginService, input: Login, client: LoginClient) {
  return logins.open(await logins.authenticate(input, client), client);
}
