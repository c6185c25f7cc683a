import type { StoredUser } from '../../../src/core/access/users/store.ts';
import type { Scope } from '../../../src/core/base/shared/caller.ts';
import type { TestApp } from '../app.ts';
import { newUser } from '../people.ts';
import { eventually } from '../process.ts';
import type { Operation } from './operations.ts';
import type { Random } from './random.ts';

/** Who asks, and what the server must say to it; undefined: it depends on what is asked. */
export interface Credential {
  name: string;
  headers: Record<string, string>;
  tenant: 'own' | 'stranger' | 'nobody';
  refused?: 401 | 403;
}

/** The credentials of a tenant, and what only looks like one. */
export interface Credentials {
  /** One with every right that the operation may need. */
  full(operation: Operation, random: Random): Promise<Credential>;
  /** Any other. */
  other(operation: Operation, random: Random): Promise<Credential>;
}

export const OWN = 'default';
export const STRANGER = 'stranger';
export const PASSWORD = 'correct horse battery staple';

const ENDS_SESSIONS = new Set(['postPortalMePassword', 'deletePortalSessions', 'deletePortalSessionsId']);

/** The token of a login is made anew for each request: its password may have been changed since. */
export async function credentialsOf(app: TestApp): Promise<Credentials> {
  const [chief, viewer, stranger] = await Promise.all([
    newUser(app, { tenant: OWN, role: 'SUPER_ADMIN' }),
    newUser(app, { tenant: OWN, role: 'VIEWER' }),
    newUser(app, { tenant: STRANGER, role: 'SUPER_ADMIN' }),
  ]);
  const full = await app.newKey({ tenant: OWN });
  const narrow = {
    mcp: await app.newKey({ scopes: ['mcp:read'] }),
    chat: await app.newKey({ scopes: ['chat:write'] }),
  };
  const strange = await app.newKey({ tenant: STRANGER });
  const expired = await app.newKey({ expiresAt: Date.now() + 2_000 });
  const revoked = await app.newKey();
  await app.runtime.keys.revoke(revoked.split('_')[1]!, null);
  const isExpired = () =>
    app.runtime.keyAuthenticator.authenticate(expired).then(
      () => false,
      () => true,
    );
  await eventually('the key expires', isExpired, 10_000);
  const token = async (user: StoredUser) => (await app.runtime.sessions.open(user, { address: 'a test' })).token;
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const keyed = (key: string, random: Random) => (random.chance(0.5) ? { 'x-api-key': key } : bearer(key));

  return {
    full: async ({ id, access }, random) => {
      if (access === 'open') return { name: 'none', headers: {}, tenant: 'nobody' };
      // Their sessions end, which must not be those of other requests.
      const ends = (role: 'USER' | 'ADMIN', tenant: string) => newUser(app, { role, tenant, password: PASSWORD });
      const everybodys = id === 'deletePortalSessionsAll';
      const user = everybodys ? await ends('ADMIN', STRANGER) : ENDS_SESSIONS.has(id) ? await ends('USER', OWN) : chief;
      const asUser = access.startsWith('portal:') || (access !== 'mcp:read' && random.chance(0.2));
      return { name: 'full', headers: asUser ? bearer(await token(user)) : keyed(full, random), tenant: 'own' };
    },
    other: async ({ access }, random) => {
      const refused = (name: string, status: 401 | 403, headers: Record<string, string>): Credential => ({
        ...{ name, headers, tenant: status === 401 ? 'nobody' : 'own' },
        // Where none is needed none is asked for, and where every key is good enough no scope is missing.
        ...(access === 'open' || (isForAll(access) && status === 403) ? {} : { refused: status }),
      });
      const scoped = access.startsWith('portal:') || access === 'authenticated' ? undefined : (access as Scope);
      const made = await token(chief);
      const [head, claims, signature] = made.split('.') as [string, string, string];
      const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      const ways: (() => Credential | Promise<Credential>)[] = [
        () => refused('none', 401, {}),
        () => refused('empty', 401, { 'x-api-key': '', authorization: '' }),
        () => refused('unknown', 401, { 'x-api-key': `ar_${'a'.repeat(12)}_${'b'.repeat(43)}` }),
        () => refused('wrong secret', 401, { 'x-api-key': `${full.slice(0, -1)}${full.endsWith('a') ? 'b' : 'a'}` }),
        () =>
          refused('no key', 401, { 'x-api-key': random.oneOf(['x', 'ar_', 'null', '%00', 'é', 'a'.repeat(4_000)]) }),
        () => refused('no scheme', 401, { authorization: random.oneOf([full, `Basic ${full}`, `Bearer  ${full} x`]) }),
        () => refused('two keys', 401, { 'x-api-key': full, ...bearer(strange) }),
        () => refused('expired', 401, { 'x-api-key': expired }),
        () => refused('revoked', 401, { 'x-api-key': revoked }),
        () => refused('token as key', 401, { 'x-api-key': made }),
        () => refused('unsigned token', 401, bearer(`${unsigned}.${claims}.`)),
        () => refused('signature of another', 401, bearer(`${head}.${claims}x.${signature}`)),
        () => refused('narrow', 403, keyed(scoped === 'chat:write' ? narrow.mcp : narrow.chat, random)),
        async () =>
          access === 'portal:administrator' || /:(write|execute)$/.test(access)
            ? refused('viewer', 403, bearer(await token(viewer)))
            : { name: 'viewer', headers: bearer(await token(viewer)), tenant: 'own' },
        () =>
          scoped || isForAll(access)
            ? { name: 'key', headers: keyed(full, random), tenant: 'own' }
            : refused('key', 403, keyed(full, random)),
        async () => {
          const headers = scoped && random.chance(0.5) ? keyed(strange, random) : bearer(await token(stranger));
          return { name: 'stranger', headers, tenant: access === 'open' ? 'nobody' : 'stranger' };
        },
      ];
      return random.oneOf(ways)();
    },
  };
}

/** Over MCP a key without the scope sees that there is nothing. */
function isForAll(access: string): boolean {
  return access === 'mcp:read' || access === 'authenticated';
}
