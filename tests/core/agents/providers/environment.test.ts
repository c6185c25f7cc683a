import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { loadConfig } from '../../../../src/config.ts';
import { VENDORS } from '../../../../src/core/agents/chat/capabilities.ts';
import { openProviders } from '../../../support/providers.ts';

const SECRET = 'sk-this-is-the-secret';
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
