import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { SqlCredentialStore } from '../../../../../src/storage/state/sql/connectors.ts';
import { connector, HOSTS, openConnectors, tablesOf } from '../../../../support/connectors.ts';
import { messagesOf } from '../../../../support/providers.ts';

const SECRET = 'sk-this-is-the-secret';

test('CredentialService: a credential is returned as set, and listed without secret', async (t) => {
  const { credentials, tenantId, pass } = await openConnectors(t);
  const main = {
    name: 'main',
    username: 'José',
    secret: SECRET,
    hosts: ['API.example.com', 'bücher.example', '[::1]'],
  };
  assert.deepEqual(await credentials.set(tenantId, main, null), { name: 'main', outcome: 'created' });
  const { version, ...rest } = await credentials.secretOf(tenantId, 'main');
  const hosts = ['api.example.com', 'xn--bcher-kva.example', '[::1]'];
  assert.deepEqual(rest, { name: 'main', username: 'José', secret: SECRET, hosts });
  assert.ok(Number.isSafeInteger(version));
  pass(1_000);
  assert.deepEqual(await credentials.set(tenantId, { name: 'main', secret: 'new' }, null), {
    name: 'main',
    outcome: 'changed',
  });
  assert.deepEqual(await credentials.list(tenantId), [
    {
      ...{ name: 'main', username: null, hosts, connectors: [] },
      ...{ createdAt: '2027-01-15T08:00:00.000Z', updatedAt: '2027-01-15T08:00:01.000Z' },
      lastUsedAt: '2027-01-15T08:00:00.000Z',
    },
  ]);
  assert.equal((await credentials.secretOf(tenantId, 'main')).secret, 'new');
});

test('CredentialService: a use is recorded once a minute, and never fails', async (t) => {
  const { credentials, tenantId, pass } = await openConnectors(t);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  const lastUsedAt = async () => (await credentials.list(tenantId))[0]?.lastUsedAt;
  assert.equal(await lastUsedAt(), null);
  const use = () => credentials.secretOf(tenantId, 'main');
  await use();
  pass(59_000);
  await use();
  assert.equal(await lastUsedAt(), '2027-01-15T08:00:00.000Z');
  const touch = t.mock.method(SqlCredentialStore.prototype, 'touch', () => Promise.reject(new Error('disk full')));
  pass(1_000);
  assert.equal((await use()).secret, SECRET);
  assert.equal(await lastUsedAt(), '2027-01-15T08:00:00.000Z');
  touch.mock.restore();
  pass(60_000);
  await use();
  assert.equal(await lastUsedAt(), '2027-01-15T08:02:00.000Z');
});

test('CredentialService: the list names the connectors that list a credential', async (t) => {
  const { credentials, connectors, tenantId, state } = await openConnectors(t);
  const other = await state.tenants.create({ name: 'other' });
  for (const name of ['main', 'spare']) await credentials.set(tenantId, { name, secret: SECRET, hosts: HOSTS }, null);
  const listing = (slug: string) => connector({ slug, name: slug, credentials: ['main'] });
  await connectors.apply(tenantId, [listing('b'), listing('a')], null);
  await connectors.apply(other.id, [listing('theirs')], null);
  const listed = (await credentials.list(tenantId)).map(({ name, connectors: slugs }) => [name, slugs]);
  assert.deepEqual(listed, [
    ['main', ['a', 'b']],
    ['spare', []],
  ]);
});

test('CredentialService: invalid fields are named without the secret', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  const messagesFor = (members: object) =>
    messagesOf(() => credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS, ...members }, null));
  const oneLine = 'secret: must be printable ASCII on one line, without blanks at its ends';
  const cases: [object, string][] = [
    [{ secret: '' }, 'secret: must not be empty'],
    [{ secret: undefined }, 'secret: is required'],
    [{ secret: { env: 'A' } }, 'secret: must be a string'],
    [{ secret: `${SECRET}\n` }, oneLine],
    [{ secret: ` ${SECRET}` }, oneLine],
    [{ secret: `${SECRET}é` }, oneLine],
    [{ secret: `${SECRET}\r\nx-admin: 1` }, oneLine],
    [{ secret: 'a'.repeat(10_001) }, 'secret: must have at most 10000 characters'],
    [{ secret: '$TOKEN' }, 'secret: is not looked up; a definition may say {"env": "NAME"} in its place'],
    [{ username: 'a:b' }, 'username: must have neither a colon nor control characters'],
    [{ username: 'a\u0000' }, 'username: must have neither a colon nor control characters'],
    [{ username: '' }, 'username: must not be empty'],
    [{ name: '../x' }, 'name: must be 1 to 100 letters, digits, -, _ and ., the first a letter or digit'],
    [{ hosts: Array(21).fill('a.example') }, 'hosts: must hold at most 20'],
    [{ token: SECRET }, 'token: unknown member'],
  ];
  for (const [members, message] of cases) assert.deepEqual(await messagesFor(members), [message]);
  const noHosts = [
    'https://a.example',
    'a.example/b',
    'a.example:443',
    'ana@a.example',
    '*.a.example',
    'a b',
    'a\0',
    '',
    '::1',
  ];
  const message = 'must be a host name such as api.example.com, with no scheme, port or path';
  assert.deepEqual(
    await messagesFor({ hosts: noHosts }),
    noHosts.map((_, index) => `hosts[${index}]: ${message}`),
  );
  assert.deepEqual(await credentials.list(tenantId), []);
});

test('setCredentialSchema: a valid host equals the hostname of its URL', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  const texts = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const input = { name: 'main', secret: 's', hosts: [text] };
      const taken = await credentials.set(tenantId, input, null).catch((error: { code?: string }) => error.code);
      if (taken === 'invalid') return;
      const { hosts } = await credentials.secretOf(tenantId, 'main');
      assert.deepEqual(hosts, [new URL(`https://${text}/path`).hostname.replace(/\.$/, '')]);
    }),
    { numRuns: 200 },
  );
});

test('CredentialService: a secret is stored sealed only', async (t) => {
  const { credentials, tenantId, dataDir, state } = await openConnectors(t);
  await credentials.list(tenantId);
  assert.ok(!readdirSync(dataDir).includes('sealing-keys.json'), 'without a secret no key is made');
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  await credentials.secretOf(tenantId, 'main');
  assert.match(
    tablesOf(t, dataDir).prepare('SELECT sealed FROM credentials').pluck().get() as string,
    /^v1\.[\w-]{8}\./,
  );
  await state.close();
  for (const file of readdirSync(dataDir)) {
    assert.ok(!readFileSync(join(dataDir, file)).includes(SECRET), file);
  }
});

test('CredentialService: a row moved to another name or tenant does not open', async (t) => {
  const { credentials, tenantId, dataDir, pass, state } = await openConnectors(t);
  const tables = tablesOf(t, dataDir);
  const other = await state.tenants.create({ name: 'other' });
  for (const [tenant, name] of [
    [tenantId, 'a'],
    [tenantId, 'b'],
    [other.id, 'a'],
  ] as const) {
    await credentials.set(tenant, { name, secret: `${SECRET} of ${name}`, hosts: HOSTS }, null);
  }
  const sealedOf = (tenant: string, name: string) =>
    tables
      .prepare('SELECT sealed FROM credentials WHERE tenant_id = ? AND name = ?')
      .pluck()
      .get(tenant, name) as string;
  const write = (sealed: string, tenant: string, name: string) => {
    tables.prepare('UPDATE credentials SET sealed = ? WHERE tenant_id = ? AND name = ?').run(sealed, tenant, name);
    pass(500);
  };
  const [a, b, theirs] = [sealedOf(tenantId, 'a'), sealedOf(tenantId, 'b'), sealedOf(other.id, 'a')];
  const refusal = {
    code: 'unavailable',
    message:
      'Credential "a" cannot be used: the stored secret was changed where it is stored, or belongs to something else. Set it again: `credentials set a`.',
  };
  for (const foreign of [b, theirs, `${a.slice(0, -1)}${a.endsWith('A') ? 'B' : 'A'}`, 'nonsense', '']) {
    write(foreign, tenantId, 'a');
    await assert.rejects(credentials.secretOf(tenantId, 'a'), refusal, foreign);
  }
  write(a, other.id, 'a');
  await assert.rejects(credentials.secretOf(other.id, 'a'), refusal);
  write(a, tenantId, 'a');
  assert.equal((await credentials.secretOf(tenantId, 'a')).secret, `${SECRET} of a`, 'as it was, it opens');
  tables.prepare("UPDATE credentials SET name = 'c' WHERE tenant_id = ? AND name = 'a'").run(tenantId);
  await assert.rejects(credentials.secretOf(tenantId, 'c'), { code: 'unavailable' });
});

test('CredentialService: a row with changed hosts or user does not open', async (t) => {
  const { credentials, tenantId, dataDir, pass } = await openConnectors(t);
  const tables = tablesOf(t, dataDir);
  for (const change of [`hosts = '["evil.example"]'`, `hosts = '[]'`, `username = 'somebody'`]) {
    await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: ['api.example.com'] }, null);
    assert.equal((await credentials.secretOf(tenantId, 'main')).secret, SECRET);
    tables.prepare(`UPDATE credentials SET ${change} WHERE tenant_id = ?`).run(tenantId);
    pass(500);
    await assert.rejects(credentials.secretOf(tenantId, 'main'), { code: 'unavailable' }, change);
  }
});

test('CredentialService: missing keys are reported, and a new key fixes it', async (t) => {
  const { credentials, tenantId, beside } = await openConnectors(t, {
    AGENT_RUNTIME_SECRET_KEY: 'the first of two secrets of this test',
  });
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  const { credentials: later, state } = await beside({
    AGENT_RUNTIME_SECRET_KEY: 'the second of two secrets of this test',
  });
  await assert.rejects(later.secretOf(tenantId, 'main'), {
    code: 'unavailable',
    message:
      'Credential "main" cannot be used: the stored secret was sealed with another AGENT_RUNTIME_SECRET_KEY than the one that is here. Set it again: `credentials set main`.',
  });
  assert.equal((await later.list(tenantId))[0]?.name, 'main');
  const again = () => later.set(tenantId, { name: 'main', secret: SECRET }, null);
  await assert.rejects(again(), { code: 'unavailable', message: /`secrets rotate --abandon-lost` goes on/ });
  await state.sealing.rotate({ abandonLost: true });
  await later.set(tenantId, { name: 'main', secret: SECRET }, null);
  assert.equal((await later.secretOf(tenantId, 'main')).secret, SECRET);
});

test('CredentialService: a version changes with each set, in all processes alike', async (t) => {
  const { credentials, tenantId, beside, pass } = await openConnectors(t);
  const other = await beside();
  const versions = new Set<number>();
  for (let count = 0; count < 5; count++) {
    await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
    other.pass(500);
    const { version } = await credentials.secretOf(tenantId, 'main');
    assert.equal((await other.credentials.secretOf(tenantId, 'main')).version, version);
    versions.add(version);
    if (count === 2) await credentials.remove(tenantId, 'main', null);
    pass(-1_000); // A clock that is set back has no say in it.
  }
  assert.equal(versions.size, 5);
});

test('CredentialService: changes of other processes show after half a second', async (t) => {
  const { credentials, tenantId, pass, beside } = await openConnectors(t);
  const other = (await beside()).credentials;
  const secret = async () => (await credentials.secretOf(tenantId, 'main')).secret;
  const absent = {
    code: 'unavailable',
    message: 'Credential "main" is not stored; `credentials set main` stores it.',
  };
  await assert.rejects(secret(), absent);
  await other.set(tenantId, { name: 'main', secret: 'one', hosts: HOSTS }, null);
  assert.equal(await secret(), 'one', 'that there was none is not kept');
  await other.set(tenantId, { name: 'main', secret: 'two' }, null);
  pass(499);
  assert.equal(await secret(), 'one');
  pass(1);
  assert.equal(await secret(), 'two');
  await credentials.set(tenantId, { name: 'main', secret: 'three', hosts: HOSTS }, null);
  assert.equal(await secret(), 'three');
  await other.remove(tenantId, 'main', null);
  pass(500);
  await assert.rejects(secret(), absent);
  await credentials.set(tenantId, { name: 'main', secret: 'four', hosts: HOSTS }, null);
  assert.equal(await secret(), 'four');
  await credentials.remove(tenantId, 'main', null);
  await assert.rejects(secret(), absent);
});

test('CredentialService: concurrent calls open a credential once', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  const find = t.mock.method(SqlCredentialStore.prototype, 'find');
  await Promise.all(Array.from({ length: 100 }, () => credentials.secretOf(tenantId, 'main')));
  assert.equal(find.mock.callCount(), 1);
});

test('CredentialService: a listed credential stays, an unknown one gets suggestions', async (t) => {
  const { credentials, connectors, tenantId } = await openConnectors(t);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  const listing = ['a', 'b'].map((slug) => connector({ slug, credentials: ['main', 'mair'] }));
  await connectors.apply(tenantId, listing, null);
  const remove = (name: string) => credentials.remove(tenantId, name, null);
  await assert.rejects(remove('main'), {
    code: 'conflict',
    message: 'Credential "main" is needed: connectors "a", "b" list it. Change that first.',
  });
  await assert.rejects(remove('mair'), {
    code: 'not_found',
    message: 'name: there is no credential "mair"; nearest: "main"',
  });
  await connectors.remove(tenantId, 'b', null);
  await assert.rejects(remove('main'), { code: 'conflict', message: /"a" lists it/ });
  await connectors.remove(tenantId, 'a', null);
  await remove('main');
  await assert.rejects(remove('main'), {
    code: 'not_found',
    message: 'name: there is no credential "main", nor any other; `credentials set` stores one',
  });
});

test('CredentialService: a new credential without hosts is refused with a suggestion', async (t) => {
  const { connectors, credentials, tenantId } = await openConnectors(t);
  const set = (members: object = {}) =>
    messagesOf(() => credentials.set(tenantId, { name: 'main', secret: SECRET, ...members }, null));
  const needed = 'hosts: name the hosts that the secret may be sent to (`--hosts` of `credentials set`): ';
  const example = 'api.example.com for example, and with OAuth the host of the token URL, too';
  assert.deepEqual(await set(), [`${needed}${example}`]);
  assert.deepEqual(await set({ hosts: [] }), [`${needed}${example}`]);
  const auth = { type: 'oauth2', tokenUrl: 'https://login.example.com/token' };
  await connectors.apply(tenantId, connector({ auth, credentials: ['main'] }), null);
  assert.deepEqual(await set(), [`${needed}connector "pets" sends it to "pets.example.com", "login.example.com"`]);
  assert.deepEqual(await credentials.list(tenantId), []);
});
