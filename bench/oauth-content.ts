import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Runtime } from '../src/app/runtime.ts';
import type { StoredUser } from '../src/core/access/users/store.ts';
import { STATE_FILE } from '../src/storage/installation/names.ts';

export const ACCESS_TOKEN = 'bench-access-token-of-forty-three-characte';
const DAY_MS = 86_400_000;

export interface OAuthContent {
  /** Of a session of an administrator. */
  session: string;
  clientId: string;
}

/** So many grants, a tenth as many registered clients, and one access token, for `https://bench.example.com/mcp`. */
export async function fillOAuth(runtime: Runtime, tenantId: string, grants: number): Promise<OAuthContent> {
  const now = Date.now();
  const { id: userId } = await runtime.users.create(
    tenantId,
    { email: 'bench@example.com', name: 'Bench', role: 'ADMIN', phone: null, avatarUrl: null, metadata: {} },
    null,
  );
  const user = await runtime.userStore.find(userId);
  if (!user) throw new Error('the user is not there');
  const { token: session } = await runtime.sessions.open(user, { address: 'bench' });
  const { clientId } = await runtime.oauthClients.configure({
    name: 'Bench',
    redirectUris: ['http://localhost/callback'],
  });
  const grant = {
    tenantId,
    clientName: 'Bench',
    clientKind: 'registered',
    identityProvider: null,
    resource: 'https://bench.example.com/mcp',
  } as const;
  const times = {
    createdAt: now,
    expiresAt: now + DAY_MS,
    activatedAt: now,
    lastUsedAt: now,
    endedAt: null,
    limits: null,
  };
  const own = {
    ...grant,
    ...times,
    id: 'own',
    userId,
    sessionVersion: user.sessionVersion,
    clientId,
    scopes: ['mcp:read' as const],
  };
  await runtime.oauthStore.createGrant(own);
  const content = { scope: 'mcp:read', aud: grant.resource };
  const record = {
    kind: 'AccessToken',
    id: ACCESS_TOKEN,
    grantId: 'own',
    content,
    expiresAt: now + DAY_MS,
    createdAt: now,
    consumedAt: null,
  };
  await runtime.oauthStore.put(record, 10);
  insertMany(join(runtime.config.dataDir, STATE_FILE), { tenantId, user, grants, now });
  return { session, clientId };
}

function insertMany(
  path: string,
  { tenantId, user, grants, now }: { tenantId: string; user: StoredUser; grants: number; now: number },
): void {
  const database = new BetterSqlite3(path, { timeout: 10_000 });
  const client = database.prepare("INSERT INTO oauth_clients VALUES (?, 'registered', 'Bench', '{}', NULL, ?, ?)");
  const grant = database.prepare(
    `INSERT INTO oauth_grants VALUES (?, ?, ?, ?, ?, 'Bench', 'registered', 'https://bench.example.com/mcp', '["mcp:read"]', ?, ?, ?, ?, NULL)`,
  );
  const record = database.prepare("INSERT INTO oauth_records VALUES ('RefreshToken', ?, ?, '{}', ?, ?, NULL)");
  database.transaction(() => {
    for (let number = 0; number < grants / 10; number += 1) client.run(`client ${number}`, now, now);
    for (let number = 0; number < grants; number += 1) {
      grant.run(
        `grant ${number}`,
        tenantId,
        user.id,
        user.sessionVersion,
        `client ${number % (grants / 10)}`,
        now - number,
        now + DAY_MS,
        now,
        now,
      );
      record.run(`${number}`.padStart(64, '0'), `grant ${number}`, now, now + DAY_MS);
    }
  })();
  database.close();
}
