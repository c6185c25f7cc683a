import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runJson } from '../support/shell.ts';
import { runnerOf } from './runner.ts';

const SECRET = 'the-client-secret-itself';
const KEYCLOAK = ['--preset', 'keycloak', '--issuer', 'https://sso.example.com/realms/one', '--client-id', 'runtime'];

test('sso: adds, lists, shows, changes and removes a provider', async (t) => {
  const { dataDir, run } = runnerOf(t, SECRET);
  const mapping = ['--role-claim', 'realm_access.roles', '--map-role', 'cn=admins,dc=x=ADMIN', 'staff=USER'];
  const added = await run(['sso', 'add', 'corp', ...KEYCLOAK, ...mapping, '--create-users', 'on'], `${SECRET}\n`);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^Added corp\.\nMEMBER .*\nname +Keycloak\n/);
  assert.match(
    added.stdout,
    /\nredirectUri +http:\/\/127\.0\.0\.1:3000\/api\/v1\/portal\/login\/sso\/[\w-]+\/corp\/callback\n/,
  );
  const shown = await runJson(dataDir, 'sso', 'show', 'corp');
  assert.deepEqual(shown.roleMapping, [
    { value: 'cn=admins,dc=x', role: 'ADMIN' },
    { value: 'staff', role: 'USER' },
  ]);
  assert.deepEqual([shown.hasSecret, shown.createUsers, shown.defaultRole], [true, true, null]);
  const changes = [
    '--allowed-domains',
    'Example.com, example.org',
    '--enabled',
    'off',
    '--mcp',
    'on',
    '--role-claim',
    'none',
    '--map-role',
    'none',
  ];
  const changed = await runJson(dataDir, 'sso', 'change', 'corp', ...changes, '--default-role', 'VIEWER');
  assert.deepEqual(
    [
      changed.allowedDomains,
      changed.enabled,
      changed.mcp,
      changed.roleClaim,
      changed.roleMapping,
      changed.defaultRole,
      changed.hasSecret,
    ],
    [['example.com', 'example.org'], false, true, null, [], 'VIEWER', true],
  );
  const { stdout } = await run(['sso', 'list']);
  assert.match(
    stdout,
    /^ID +NAME +ISSUER +ENABLED +CHANGED\ncorp +Keycloak +https:\/\/sso\.example\.com\/realms\/one +no +20/,
  );
  assert.deepEqual(await run(['sso', 'remove', 'corp']), { code: 0, stdout: 'Removed corp.\n', stderr: '' });
  assert.match(
    (await run(['sso', 'show', 'corp'])).stderr,
    /^error: There is no identity provider with the id "corp"\.\n$/,
  );
});

test('sso: refuses what is no provider, and names the option or member', async (t) => {
  const { run } = runnerOf(t, SECRET);
  const refused = async (args: string[], message: RegExp) => {
    const { code, stderr } = await run(['sso', 'add', 'corp', ...args], SECRET);
    assert.equal(code, 1);
    assert.match(stderr, message);
  };
  await refused(['--preset', 'gitlab'], /^error: --preset: must be one of google/);
  await refused([...KEYCLOAK, '--create-users', 'yes'], /^error: --create-users: must be on or off/);
  await refused([...KEYCLOAK, '--map-role', 'admins'], /^error: --map-role: "admins" is not of the form/);
  await refused(['--preset', 'okta', '--client-id', 'a'], /^error: issuer: is required/);
  await refused([...KEYCLOAK, '--role-claim', 'g', '--map-role', 'a=BOSS'], /roleMapping\[0\]\.role: must be one of/);
});

test('sso: the operator maps to SUPER_ADMIN, and to tenants', async (t) => {
  const { dataDir, run } = runnerOf(t, SECRET);
  const acme = await runJson(dataDir, 'tenants', 'create', 'acme');
  const tenants = ['--installation', '--tenant-claim', 'org', '--map-tenant', 'acme=acme'];
  const roles = ['--role-claim', 'groups', '--map-role', 'root=SUPER_ADMIN'];
  assert.equal((await run(['sso', 'add', 'all', ...KEYCLOAK, ...tenants, ...roles, '--public-client'])).code, 0);
  const { identityProviders } = await runJson(dataDir, 'sso', 'list', '--installation');
  assert.deepEqual(identityProviders[0].tenantMapping, [{ value: 'acme', tenant: acme.id }]);
  assert.deepEqual((await runJson(dataDir, 'sso', 'list')).identityProviders, []);
  const { stdout } = await run(['tenants', 'set', 'acme', '--password-login', 'off']);
  assert.equal(stdout, 'Users of acme log in only with an identity provider from now on.\n');
  const last = await run(['sso', 'remove', 'all', '--installation']);
  assert.match(last.stderr, /only enabled identity provider/);
  assert.match((await run(['tenants', 'set', 'acme', '--password-login', 'maybe'])).stderr, /neither on nor off/);
});
