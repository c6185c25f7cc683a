import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../support/app.ts';
import { PORTAL } from '../../support/people.ts';
import { type Answer, newDataDirectory, type Server, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';

/** A server on a new directory, and the administrator whom its first start has made. */
async function firstStart(t: TestContext) {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const text = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
  const [, email, password] = /Portal user +(\S+)\n +Portal password +(\S+)\n/.exec(text) ?? [];
  return { dataDir, server, email, password };
}

function asked(server: Server, token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return server.request('', method, `${PORTAL}${path}`, body, { authorization: `Bearer ${token}` });
}

rareTest('portal login: the first administrator; sessions survive restart and backup', async (t) => {
  const { dataDir, server, email, password } = await firstStart(t);
  const secret = join(dataDir, 'secret.key');
  assert.equal(existsSync(secret), false, 'not made before it is needed');
  const login = await server.request('', 'POST', `${PORTAL}/login`, { email, password });
  assert.equal(login.status, 200, JSON.stringify(login.body));
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  const { token, user } = login.body;
  assert.deepEqual([user.email, user.role], [email, 'SUPER_ADMIN']);
  const me = async (where: Server) => (await asked(where, token, 'GET', '/me')).status;
  assert.equal(await me(server), 200);

  const file = join(temporaryDirectory(t), 'a.backup');
  const passphrase = join(temporaryDirectory(t), 'passphrase');
  writeFileSync(passphrase, 'correct horse\n');
  await runJson(dataDir, 'backup', file, '--passphrase-file', passphrase);
  await server.end('SIGTERM');
  const again = await startServer(t, dataDir);
  assert.equal(await me(again), 200, 'after a restart');
  await again.end('SIGTERM');

  const environment = { AGENT_RUNTIME_SECRET_KEY: 'another secret of 32 characters or more' };
  const other = await startServer(t, dataDir, { environment });
  assert.equal(await me(other), 401, 'with another secret');
  await other.end('SIGTERM');

  const restored = newDataDirectory(t);
  await runJson(restored, 'restore', file, '--passphrase-file', passphrase);
  assert.equal(await me(await startServer(t, restored)), 200, 'where the secret was restored');
});

rareTest('commands: changes apply to a running server and are audited', async (t) => {
  const { dataDir, server, email, password } = await firstStart(t);
  const { token } = (await server.request('', 'POST', `${PORTAL}/login`, { email, password })).body;
  const timezone = async () => (await asked(server, token, 'GET', '/settings')).body.timezone;
  assert.equal(await timezone(), 'UTC');
  const set = await runJson(dataDir, 'tenants', 'set', 'default', '--timezone', 'europe/berlin', '--retention', '90d');
  assert.deepEqual([set.timezone, set.retentionDays, await timezone()], ['Europe/Berlin', 90, 'Europe/Berlin']);
  const said = await runCommand(['tenants', 'set', 'default', '--timezone', 'UTC', '--data-dir', dataDir]);
  assert.equal(said.stdout, 'default is in the time zone UTC from now on.\n');
  const { id } = await runJson(dataDir, 'keys', 'create', '--label', 'cli', '--scopes', 'mcp:read');
  await runJson(dataDir, 'keys', 'rotate', id);
  await runJson(dataDir, 'keys', 'revoke', id);
  await runJson(dataDir, 'agents', 'create', 'sales');
  const { entries } = (await asked(server, token, 'GET', '/audit-log?limit=6')).body;
  const operator = { kind: 'operator', id: null, label: 'operator' };
  assert.deepEqual(
    entries.map(({ actor, action, target }: Record<string, unknown>) => ({ actor, action, target })),
    [
      { actor: operator, action: 'agent.created', target: 'sales' },
      { actor: operator, action: 'key.revoked', target: id },
      { actor: operator, action: 'key.rotated', target: id },
      { actor: operator, action: 'key.created', target: id },
      { actor: operator, action: 'settings.updated', target: set.id },
      { actor: operator, action: 'settings.updated', target: set.id },
    ],
  );
});

test('tenants set: invalid values are refused with the reason', async (t) => {
  const dataDir = newDataDirectory(t);
  const set = (...flags: string[]) => runCommand(['tenants', 'set', 'default', ...flags, '--data-dir', dataDir]);
  const none = await set();
  assert.deepEqual([none.code, /--retention, .*, --role-limits: give at least one/.test(none.stderr)], [1, true]);
  assert.match((await set('--timezone', 'Mars/Olympus')).stderr, /timezone: "Mars\/Olympus" is not an IANA time zone/);
  assert.match((await set('--retention', '0d')).stderr, /retentionDays: must be at least 1 day/);
  assert.deepEqual((await runJson(dataDir, 'tenants', 'list')).tenants[0].timezone, 'UTC');
});
