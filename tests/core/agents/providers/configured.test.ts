import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { loadConfig } from '../../../../src/config.ts';
import { VENDORS } from '../../../../src/core/agents/chat/capabilities.ts';
import { definition, messagesOf, openProviders, rowsOf } from '../../../support/providers.ts';

const SECRET = 'sk-this-is-the-secret';

test('configured: a provider has its definition and its secrets', async (t) => {
  const { providers, tenantId } = await openProviders(t, { TOKEN: ` ${SECRET}\n`, AWS_REGION: 'eu-west-3' });
  const fallbacks = [{ provider: 'groq', model: 'm' }];
  const price = { inputPerMillion: 0.5, outputPerMillion: 0 };
  await providers.apply(tenantId, [
    definition({
      ...{
        apiKey: SECRET,
        headers: { 'X-A': { env: 'TOKEN' }, 'x-b': 'plain' },
        strict: true,
        timeout: 0.25,
        fallbacks,
        price,
      },
      ...{ defaults: { temperature: 0 }, capabilities: { seed: false }, allowPrivateNetwork: true },
    }),
    definition({ name: 'aws', provider: 'bedrock', baseUrl: undefined }),
    definition({ name: 'us', provider: 'bedrock', region: 'us-east-1' }),
    definition({ name: 'bare' }),
  ]);
  assert.deepEqual(await providers.configured(tenantId, 'local'), {
    name: 'local',
    connection: {
      ...{ provider: 'custom', baseUrl: 'https://models.example.com/v1', apiKey: SECRET, region: null },
      ...{ headers: { 'X-A': SECRET, 'x-b': 'plain' }, allowPrivateNetwork: true, allowPrivateImages: false },
    },
    ...{ defaults: { temperature: 0 }, capabilities: { seed: false }, strict: true, timeoutMs: 250, fallbacks, price },
  });
  const aws = await providers.configured(tenantId, 'aws');
  assert.deepEqual(aws.connection, {
    ...{
      provider: 'bedrock',
      baseUrl: null,
      apiKey: null,
      headers: {},
      region: 'eu-west-3',
      allowPrivateNetwork: false,
      allowPrivateImages: false,
    },
  });
  assert.equal((await providers.configured(tenantId, 'us')).connection.region, 'us-east-1');
  const bare = await providers.configured(tenantId, 'bare');
  assert.deepEqual([bare.timeoutMs, bare.price, bare.strict, bare.connection.apiKey], [null, null, false, null]);
});

test('configured: an unknown name is refused with the nearest known name', async (t) => {
  const { providers, tenantId, state } = await openProviders(t);
  const said = (name: string) => messagesOf(() => providers.configured(tenantId, name));
  assert.deepEqual(await said('local'), [
    'providerName: there is no provider "local", nor any other; `providers apply` installs them',
  ]);
  await providers.apply(
    tenantId,
    ['ollama', 'vllm'].map((name) => definition({ name })),
  );
  assert.deepEqual(await said('olama'), ['providerName: there is no provider "olama"; nearest: "ollama"']);
  assert.deepEqual(await said('zzzzzzzz'), ['providerName: there is no provider "zzzzzzzz"; known: "ollama", "vllm"']);
  const other = await state.tenants.create({ name: 'other' });
  await assert.rejects(providers.configured(other.id, 'ollama'), {
    code: 'invalid',
    message: 'providerName: there is no provider "ollama", nor any other; `providers apply` installs them',
  });
});

test('configured: an unset variable is named with its field, and read again once set', async (t) => {
  const environment: Record<string, string> = { EMPTY: '', ODD: `${SECRET}\nx-admin: 1` };
  const { providers, tenantId } = await openProviders(t, environment);
  const withKey = (name: string, env: string) => definition({ name, apiKey: { env } });
  const inHeader = definition({ name: 'd', headers: { 'x-a': { env: 'MISSING' } } });
  await providers.apply(tenantId, [withKey('a', 'MISSING'), withKey('b', 'EMPTY'), withKey('c', 'ODD'), inHeader]);
  const faults = {
    a: 'apiKey: the environment variable MISSING is not set.',
    b: 'apiKey: the environment variable EMPTY is not set.',
    c: 'apiKey: the environment variable ODD holds characters that no header takes.',
    d: 'headers.x-a: the environment variable MISSING is not set.',
  };
  for (const [name, fault] of Object.entries(faults)) {
    await assert.rejects(providers.configured(tenantId, name), {
      code: 'unavailable',
      message: `Provider "${name}" cannot be used: ${fault}`,
    });
  }
  environment.MISSING = SECRET;
  assert.equal((await providers.configured(tenantId, 'a')).connection.apiKey, SECRET);
});

test('configured: a secret moved to another row does not open', async (t) => {
  const { providers, tenantId, dataDir, pass, state } = await openProviders(t);
  const { definitions, rewrite, moveTo } = rowsOf(t, dataDir);
  const other = await state.tenants.create({ name: 'other' });
  await providers.apply(tenantId, [
    definition({ name: 'a', apiKey: SECRET, headers: { 'x-a': 'plain' } }),
    definition({ name: 'b', apiKey: 'another' }),
  ]);
  const [a, b] = definitions().map((text) => JSON.parse(text) as { apiKey: object; headers: { 'x-a': object } });
  const moved: [string, object][] = [
    ['b', { ...b, apiKey: a!.apiKey }],
    ['a', { ...a, apiKey: a!.headers['x-a'] }],
    ['b', a!],
  ];
  const refusal = { code: 'unavailable', message: /the stored secret was changed where it is stored/ };
  for (const [name, content] of moved) {
    rewrite(name, JSON.stringify(content));
    pass(500);
    await assert.rejects(providers.configured(tenantId, name), refusal);
  }
  rewrite('a', JSON.stringify(a));
  pass(500);
  assert.equal((await providers.configured(tenantId, 'a')).connection.apiKey, SECRET, 'as it was, it opens');
  moveTo(other.id, 'a');
  await assert.rejects(providers.configured(other.id, 'a'), refusal);
});

test('configured: missing sealing keys are reported, and a new key repairs that', async (t) => {
  const { providers, tenantId, beside } = await openProviders(t, {
    AGENT_RUNTIME_SECRET_KEY: 'the first of two secrets of this test',
  });
  const one = definition({ apiKey: SECRET });
  await providers.apply(tenantId, one);
  const later = await beside({ AGENT_RUNTIME_SECRET_KEY: 'the second of two secrets of this test' });
  await assert.rejects(later.providers.configured(tenantId, 'local'), {
    code: 'unavailable',
    message:
      'Provider "local" cannot be used: apiKey: the stored secret was sealed with another AGENT_RUNTIME_SECRET_KEY than the one that is here.',
  });
  assert.equal((await later.providers.list(tenantId))[0]?.apiKey, 'set');
  await assert.rejects(later.providers.apply(tenantId, one), { code: 'unavailable', message: /--abandon-lost/ });
  await later.state.sealing.rotate({ abandonLost: true });
  assert.deepEqual(await later.providers.apply(tenantId, one), [{ name: 'local', outcome: 'changed' }]);
  assert.equal((await later.providers.configured(tenantId, 'local')).connection.apiKey, SECRET);
});

test('configured: changes of other processes show after 500 ms, own ones at once', async (t) => {
  const { providers, tenantId, pass, beside } = await openProviders(t);
  const other = (await beside()).providers;
  const timeout = async () => (await providers.configured(tenantId, 'local')).timeoutMs;
  await assert.rejects(timeout(), { code: 'invalid' });
  await other.apply(tenantId, definition({ timeout: 1 }));
  assert.equal(await timeout(), 1_000, 'that there was none is not kept');
  await other.apply(tenantId, definition({ timeout: 2 }));
  pass(499);
  assert.equal(await timeout(), 1_000);
  pass(1);
  assert.equal(await timeout(), 2_000);
  await providers.apply(tenantId, definition({ timeout: 3 }));
  assert.equal(await timeout(), 3_000);
  pass(-3_600_000);
  await other.apply(tenantId, definition({ timeout: 4 }));
  assert.equal(await timeout(), 4_000, 'a clock that is set back keeps nothing alive');
  await other.remove(tenantId, 'local');
  pass(500);
  await assert.rejects(timeout(), { code: 'invalid' });
  await other.apply(tenantId, definition({ timeout: 5 }));
  assert.equal(await timeout(), 5_000);
  await providers.remove(tenantId, 'local');
  await assert.rejects(timeout(), { code: 'invalid' });
});

test('configured: concurrent chats share one read of the store', async (t) => {
  const { providers, tenantId, pass } = await openProviders(t);
  await providers.apply(tenantId, definition());
  const all = await Promise.all(Array.from({ length: 100 }, () => providers.configured(tenantId, 'local')));
  assert.equal(new Set(all).size, 1);
  pass(500);
  assert.notEqual(await providers.configured(tenantId, 'local'), all[0], 'and again when it is old');
});

const of = async (t: TestContext, environment: Record<string, string>) =>
  (await openProviders(t, environment)).providers;

test("connectionOfEnvironment: vendors' variables give every tenant a key", async (t) => {
  const names = {
    openai: 'OPENAI_API_KEY',
    anthropic: 'ANTHROPIC_API_KEY',
    groq: 'GROQ_API_KEY',
    gemini: 'GEMINI_API_KEY',
    xai: 'XAI_API_KEY',
    bedrock: 'AWS_BEARER_TOKEN_BEDROCK',
  } as const;
  const elsewhere = Object.keys(names).map((name) => [
    `${name.toUpperCase()}_BASE_URL`,
    'https://elsewhere.example.com',
  ]);
  const keys = Object.entries(names).map(([provider, name]) => [name, `${provider}-key`]);
  const providers = await of(t, Object.fromEntries([...keys, ...elsewhere]) as Record<string, string>);
  for (const provider of Object.keys(names) as (keyof typeof names)[]) {
    assert.deepEqual(providers.ofEnvironment(provider), {
      name: null,
      connection: {
        ...{ provider, baseUrl: null, apiKey: `${provider}-key`, headers: {}, region: null },
        allowPrivateNetwork: false,
        allowPrivateImages: false,
      },
      ...{ defaults: {}, capabilities: {}, price: null, strict: false, timeoutMs: null, fallbacks: [] },
    });
  }
  assert.deepEqual(new Set(providers.available()), new Set(Object.keys(names)));
});

test('connectionOfEnvironment: the first set variable of a vendor counts', async (t) => {
  const keyOf = async (environment: Record<string, string>) =>
    (await of(t, environment)).ofEnvironment('gemini').connection.apiKey;
  assert.equal(await keyOf({ GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' }), 'a');
  assert.equal(await keyOf({ GEMINI_API_KEY: ' ', GOOGLE_API_KEY: 'b\n' }), 'b');
});

test('connectionOfEnvironment: without a key the error names the variable to set', async (t) => {
  const providers = await of(t, { OPENAI_API_KEY: '' });
  const remedy = 'or name a provider that `providers apply` installed.';
  assert.throws(() => providers.ofEnvironment('openai'), {
    code: 'unprocessable',
    message: `provider: no key for openai is configured. Set OPENAI_API_KEY, ${remedy}`,
  });
  assert.throws(() => providers.ofEnvironment('gemini'), {
    code: 'unprocessable',
    message: `provider: no key for gemini is configured. Set GEMINI_API_KEY or GOOGLE_API_KEY, ${remedy}`,
  });
  assert.throws(() => providers.ofEnvironment('custom'), {
    code: 'invalid',
    message: 'providerName: is required with custom; name a provider that `providers apply` installed',
  });
  assert.deepEqual(providers.available(), []);
});

test('connectionOfEnvironment: an invalid key is refused and not repeated', async (t) => {
  const providers = await of(t, { GROQ_API_KEY: `${SECRET}\nx-admin: 1` });
  assert.throws(
    () => providers.ofEnvironment('groq'),
    (error: Error & { code: string }) =>
      error.code === 'unavailable' &&
      error.message === 'provider: the environment variable GROQ_API_KEY holds characters that no header takes.' &&
      !inspect(error).includes(SECRET),
  );
});

test('connectionOfEnvironment: bedrock takes a bearer token or AWS credentials', async (t) => {
  const token = await of(t, { AWS_BEARER_TOKEN_BEDROCK: SECRET, AWS_DEFAULT_REGION: 'eu-west-1' });
  const { apiKey, region } = token.ofEnvironment('bedrock').connection;
  assert.deepEqual([apiKey, region], [SECRET, 'eu-west-1']);
  const chain = await of(t, { AWS_PROFILE: 'work', AWS_REGION: 'us-east-2', AWS_DEFAULT_REGION: 'eu-west-1' });
  const found = chain.ofEnvironment('bedrock').connection;
  assert.deepEqual([found.apiKey, found.region, chain.available()], [null, 'us-east-2', ['bedrock']]);
  const nothing = await of(t, { AWS_REGION: 'us-east-2' });
  assert.equal(nothing.ofEnvironment('bedrock').connection.apiKey, null, 'a machine of AWS has a role of its own');
  assert.deepEqual(nothing.available(), []);
});

test('describeSettings: no value of a provider variable appears', () => {
  const config = loadConfig({}, {}, Object.fromEntries(VENDORS.map((name) => [`${name}_API_KEY`, SECRET])));
  assert.equal(config.variable('openai_API_KEY'), SECRET);
  for (const text of [
    JSON.stringify(config),
    inspect(config, { depth: 9, showHidden: true }),
    String(config.variable),
  ]) {
    assert.ok(!text.includes(SECRET), text);
  }
  assert.throws(
    () => loadConfig({ dataDir: '' }, {}, { OPENAI_API_KEY: SECRET }),
    (error: Error) => error.message.includes('dataDir') && !inspect(error).includes(SECRET),
  );
});
