import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { auditedProviders, definition, messagesOf, openProviders, rowsOf } from '../../../support/providers.ts';

const SECRET = 'sk-this-is-the-secret';

test('ProviderService.apply: created, unchanged and changed, audited without secrets', async (t) => {
  const { providers, tenantId, state } = await openProviders(t);
  const one = definition({ apiKey: SECRET, headers: { 'x-a': SECRET, 'x-b': { env: 'B' } }, timeout: 3 });
  const apply = async (input: unknown) => (await providers.apply(tenantId, input)).map(({ outcome }) => outcome);
  assert.deepEqual(await providers.apply(tenantId, one), [{ name: 'local', outcome: 'created' }]);
  assert.deepEqual(await apply(one), ['unchanged']);
  assert.deepEqual(await apply([definition({ name: 'other' }), one]), ['created', 'unchanged']);
  for (const change of [
    { apiKey: `${SECRET}2` },
    { headers: { 'x-a': SECRET, 'x-b': { env: 'C' } } },
    { headers: { 'x-a': SECRET } },
    { timeout: 4 },
    { apiKey: { env: 'A' } },
  ]) {
    assert.deepEqual(await apply({ ...one, ...change }), ['changed'], JSON.stringify(change));
    assert.deepEqual(await apply({ ...one, ...change }), ['unchanged']);
  }
  await providers.remove(tenantId, 'local');
  const lines = await auditedProviders(state, tenantId);
  const applied = (target: string, outcome: string) => ({
    ...{ action: 'provider.applied', target, details: { provider: 'custom', outcome } },
  });
  assert.deepEqual(lines, [
    applied('local', 'created'),
    applied('other', 'created'),
    ...Array.from({ length: 5 }, () => applied('local', 'changed')),
    { action: 'provider.removed', target: 'local', details: {} },
  ]);
});

test('ProviderService.apply: one invalid definition refuses the whole file', async (t) => {
  const { providers, tenantId, state } = await openProviders(t);
  await providers.apply(tenantId, definition({ timeout: 1 }));
  const input = [definition({ timeout: 2 }), definition({ name: 'new' }), definition({ name: 'bad', timeout: -1 })];
  assert.deepEqual(await messagesOf(() => providers.apply(tenantId, input)), [
    'provider "bad": timeout: must be at least 0.01',
  ]);
  const dangling = definition({ name: 'b', fallbacks: [{ provider: 'custom', providerName: 'c', model: 'm' }] });
  await assert.rejects(providers.apply(tenantId, [definition({ timeout: 2 }), dangling]), { code: 'invalid' });
  const shown = await providers.list(tenantId);
  assert.deepEqual(
    shown.map(({ name, timeout }) => [name, timeout]),
    [['local', 1]],
  );
  assert.equal((await auditedProviders(state, tenantId)).length, 1);
});

test('ProviderService: fallbacks may form cycles, and block a removal', async (t) => {
  const { providers, tenantId } = await openProviders(t);
  const onto = (name: string, providerName: string) =>
    definition({ name, fallbacks: [{ provider: 'custom', providerName, model: 'm' }] });
  await providers.apply(tenantId, [onto('a', 'b'), onto('b', 'a')]);
  await providers.apply(tenantId, onto('c', 'a'));
  await assert.rejects(providers.remove(tenantId, 'a'), {
    code: 'conflict',
    message: 'Provider "a" is needed: "b", "c" fall back on it. Change that first.',
  });
  const asOpenai = { ...definition({ name: 'a' }), provider: 'openai' };
  assert.deepEqual(await messagesOf(() => providers.apply(tenantId, asOpenai)), [
    'provider "b": fallbacks[0].provider: must be openai, as "a" is',
    'provider "c": fallbacks[0].provider: must be openai, as "a" is',
  ]);
  await providers.remove(tenantId, 'c');
  await providers.apply(tenantId, definition({ name: 'b' }));
  await providers.remove(tenantId, 'a');
  await assert.rejects(providers.remove(tenantId, 'a'), { code: 'not_found' });
});

test('ProviderService.list: secrets are hidden', async (t) => {
  const { providers, tenantId } = await openProviders(t);
  const headers = { 'x-a': SECRET, 'x-b': { env: 'B' } };
  await providers.apply(tenantId, definition({ apiKey: SECRET, headers, region: undefined }));
  const [shown] = await providers.list(tenantId);
  assert.deepEqual(shown, {
    ...{ version: 1, name: 'local', provider: 'custom', baseUrl: 'https://models.example.com/v1' },
    ...{
      defaults: {},
      capabilities: {},
      fallbacks: [],
      allowPrivateNetwork: false,
      allowPrivateImages: false,
      strict: false,
    },
    ...{ apiKey: 'set', headers: { 'x-a': 'set', 'x-b': { env: 'B' } } },
    ...{ createdAt: '2027-01-15T08:00:00.000Z', updatedAt: '2027-01-15T08:00:00.000Z' },
  });
});

test('ProviderService.apply: secrets are stored sealed; without any no key is made', async (t) => {
  const { providers, tenantId, dataDir } = await openProviders(t);
  const { definitions } = rowsOf(t, dataDir);
  await providers.apply(tenantId, definition({ name: 'a', apiKey: { env: 'A' } }));
  assert.ok(!readdirSync(dataDir).includes('sealing-keys.json'));
  await providers.apply(tenantId, definition({ name: 'b', apiKey: SECRET, headers: { 'x-a': SECRET } }));
  assert.ok(readdirSync(dataDir).includes('sealing-keys.json'));
  const [a, b] = definitions();
  assert.deepEqual((JSON.parse(a!) as { apiKey: unknown }).apiKey, { env: 'A' });
  assert.match(b!, /"apiKey":\{"sealed":"v1\.[\w-]{8}\.[\w-]+"\},"headers":\{"x-a":\{"sealed":"v1\./);
  assert.ok(!definitions().join().includes('this-is'));
});

test('TenantStore.remove: the providers of that tenant only are removed', async (t) => {
  const { providers, tenantId, state } = await openProviders(t);
  const { id } = await state.tenants.create({ name: 'other' });
  for (const tenant of [tenantId, id]) await providers.apply(tenant, [definition(), definition({ name: 'b' })]);
  const removed = await state.tenantStore.remove(id);
  assert.equal(removed?.providers, 2);
  assert.deepEqual(await providers.list(id), []);
  assert.equal((await providers.list(tenantId)).length, 2);
  await assert.rejects(providers.apply(id, definition()), { code: 'not_found' });
});
