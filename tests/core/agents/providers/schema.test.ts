import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf, VENDORS } from '../../../../src/core/agents/chat/capabilities.ts';
import type { ModelProviderDefinition } from '../../../../src/core/agents/providers/schema.ts';
import { checkFallbacks, providerDefinitions } from '../../../../src/core/agents/providers/service.ts';
import { definition, messagesOf } from '../../../support/providers.ts';

const SECRET = 'sk-this-is-the-secret';

const FULL = definition({
  version: 1,
  provider: 'bedrock',
  baseUrl: 'https://bedrock.example.com/base/',
  apiKey: { env: 'BEDROCK_KEY' },
  headers: { 'X-Team': 'support', authorization: { env: 'TOKEN' } },
  region: 'us-gov-west-1',
  defaults: {
    temperature: 0,
    maxTokens: 1,
    topP: 1,
    frequencyPenalty: -2,
    presencePenalty: 2,
    stop: ['END'],
    seed: 7,
    thinking: { type: 'enabled', budgetTokens: 1_024 },
    instructions: 'Be brief.',
    responseFormat: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
  },
  capabilities: capabilitiesOf({ provider: 'custom', model: 'any', legacy: false }),
  fallbacks: [
    { provider: 'openai', model: 'gpt-6' },
    { provider: 'custom', providerName: 'other', model: 'm' },
  ],
  allowPrivateNetwork: true,
  allowPrivateImages: true,
  strict: true,
  price: { inputPerMillion: 0, outputPerMillion: 12.5 },
  timeout: 0.01,
});

const one = (members: Record<string, unknown>): ModelProviderDefinition => providerDefinitions(definition(members))[0]!;
const refused = (members: Record<string, unknown>) => messagesOf(() => providerDefinitions(definition(members)));

test('providerDefinitionSchema: members are preserved and absent ones have defaults', () => {
  assert.deepEqual(providerDefinitions(FULL), [FULL]);
  assert.deepEqual(one({}), {
    ...definition(),
    version: 1,
    ...{
      defaults: {},
      capabilities: {},
      fallbacks: [],
      allowPrivateNetwork: false,
      allowPrivateImages: false,
      strict: false,
    },
  });
});

test('providerDefinitionSchema: every capability of the runtime can be set', () => {
  for (const provider of VENDORS) {
    const capabilities = capabilitiesOf({ provider, model: 'any', legacy: false });
    for (const [name, value] of Object.entries(capabilities)) {
      assert.deepEqual(one({ capabilities: { [name]: value } }).capabilities, { [name]: value });
    }
  }
});

test('definitionsOf: a file has one definition, an array or an object with the array', () => {
  const [a, b] = [definition({ name: 'a' }), definition({ name: 'b' })];
  const names = (input: unknown) => providerDefinitions(input).map(({ name }) => name);
  assert.deepEqual(names(a), ['a']);
  assert.deepEqual(names([b, a]), ['b', 'a']);
  assert.deepEqual(names({ providers: [a, b] }), ['a', 'b']);
  assert.deepEqual(names({ version: 1, providers: [a] }), ['a']);
});

test('definitionsOf: a file of another form is refused with the valid forms', async () => {
  const cases: [unknown, string[]][] = [
    [[], ['input: must hold at least one provider']],
    [{ providers: [] }, ['providers: must hold at least one provider']],
    [{ providers: {} }, ['providers: must be an array of providers']],
    [{ providers: [definition()], version: 2 }, ['version: must be 1, the only version that this program knows']],
    [{ providers: [definition()], name: 'x' }, ['name: unknown member']],
    [Array(1_001).fill(definition()), ['input: must hold at most 1000 providers']],
    [null, ['provider 1: input: must be an object']],
    ['text', ['provider 1: input: must be an object']],
    [[definition(), 7], ['provider 2: input: must be an object']],
    [{}, ['provider 1: name: is required', 'provider 1: provider: is required']],
  ];
  for (const [input, messages] of cases) {
    const said = await messagesOf(() => providerDefinitions(input));
    assert.deepEqual(said.slice(0, messages.length), messages);
  }
});

test('definitionsOf: all problems of all definitions are listed, by name or position', async () => {
  const input = [
    definition({ name: 'good' }),
    definition({ name: 'llama3.1', baseUrl: 'ftp://x', timeout: 0 }),
    definition({ name: 'not a name' }),
    definition({ name: 'good', provider: 'grok' }),
    definition({ name: 'good' }),
  ];
  assert.deepEqual(await messagesOf(() => providerDefinitions(input)), [
    'provider "llama3.1": baseUrl: must be an http or https URL such as http://localhost:11434/v1',
    'provider "llama3.1": timeout: must be at least 0.01',
    'provider 3: name: must be 1 to 100 letters, digits, -, _ or .',
    'provider "good": provider: must be one of openai, anthropic, bedrock, groq, gemini, xai, custom',
    'provider "good": name: is given twice',
  ]);
});

test('definitionsOf: a problem names its field and the remedy', async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ version: 2 }, 'version: must be 1, the only version that this program knows'],
    [{ baseURL: 'https://x' }, 'baseURL: unknown member; did you mean baseUrl?'],
    [{ baseUrl: undefined }, 'baseUrl: is required with custom'],
    [{ region: 'eu-west-1' }, 'region: is for bedrock only'],
    [{ provider: 'bedrock', region: 'evil.example.com/' }, 'region: must be a region such as eu-central-1'],
    [{ defaults: { temperature: 3 } }, 'defaults.temperature: must be at most 2'],
    [{ defaults: { model: 'x' } }, 'defaults.model: unknown member'],
    [{ defaults: { maxTokens: '9' } }, 'defaults.maxTokens: must be a number'],
    [{ capabilities: { vision: true } }, 'capabilities.vision: unknown member'],
    [{ capabilities: { images: 'all' } }, 'capabilities.images: must be one of any, inline, none'],
    [{ price: { inputPerMillion: 1 } }, 'price.outputPerMillion: is required'],
    [{ price: { inputPerMillion: 1, outputPerMillion: -1 } }, 'price.outputPerMillion: must be at least 0'],
    [{ timeout: 601 }, 'timeout: must be at most 600'],
    [{ strict: 'yes' }, 'strict: must be a boolean'],
    [{ fallbacks: Array(6).fill({ provider: 'groq', model: 'm' }) }, 'fallbacks: must have at most 5 items'],
    [{ fallbacks: [{ provider: 'custom', model: 'm' }] }, 'fallbacks[0].providerName: is required with custom'],
    [{ fallbacks: [{ provider: 'groq' }] }, 'fallbacks[0].model: is required'],
  ];
  for (const [members, message] of cases) assert.deepEqual(await refused(members), [`provider "local": ${message}`]);
  assert.deepEqual(await refused({ name: 'x'.repeat(101) }), [
    'provider 1: name: must be 1 to 100 letters, digits, -, _ or .',
  ]);
});

test('providerDefinitionSchema: a vendor needs a key, except own servers and AWS', async () => {
  for (const provider of VENDORS.filter((one) => one !== 'custom')) {
    const own = { provider, baseUrl: undefined };
    assert.equal(one({ provider }).provider, provider);
    assert.equal(one({ ...own, apiKey: 'k' }).apiKey, 'k');
    if (provider === 'bedrock') assert.equal(one(own).apiKey, undefined);
    else
      assert.match(
        (await refused(own))[0]!,
        /apiKey: is required with \w+; \{"env": "[A-Z]+_API_KEY"\} is the server's own$/,
      );
  }
});

test('providerDefinitionSchema: private addresses are refused in every notation', async () => {
  const hosts = [
    ...'localhost LOCALHOST. api.localhost 127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 0.0.0.0 10.0.0.1'.split(' '),
    ...'172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 [::1] [::] [fe80::1] [fd00::1] [::ffff:10.0.0.1]'.split(' '),
    ...['[64:ff9b::7f00:1]', '224.0.0.1', '255.255.255.255'],
  ];
  for (const host of hosts) {
    const baseUrl = `http://${host}:11434/v1`;
    assert.deepEqual(
      await refused({ baseUrl }),
      [
        'provider "local": baseUrl: is in a private network; say "allowPrivateNetwork": true if the server is to reach it',
      ],
      host,
    );
    assert.equal(one({ baseUrl, allowPrivateNetwork: true }).baseUrl, baseUrl);
  }
  for (const host of ['example.com', '93.184.216.34', '[2606:4700::1111]', 'localhost.example.com', 'ollama']) {
    assert.equal(one({ baseUrl: `https://${host}/v1` }).allowPrivateNetwork, false, host);
  }
});

test('baseUrl: http or https without user, query or fragment, and never repeated', async () => {
  const bad = [
    ...[
      '',
      'models.example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'http://',
      'https://exa mple.com',
      'http:/x.de',
    ],
    ...[
      'http:\\\\example.com',
      'https://example.com/\n',
      ' https://example.com',
      'javascript:alert(1)',
      'https://a:99999',
    ],
    ...[`https://user:${SECRET}@example.com`, `https://${SECRET}@example.com`, `https://example.com/?key=${SECRET}`],
    ...['https://example.com/?', 'https://example.com/#', `https://example.com/#${SECRET}`, 7, null, ['https://x.de']],
  ];
  for (const baseUrl of bad) {
    const messages = await refused({ baseUrl });
    assert.match(messages[0]!, /^provider "local": baseUrl: must /, String(baseUrl));
    assert.ok(!messages.join().includes(SECRET));
  }
});

test('apiKey: a header value or the name of a variable', async () => {
  for (const apiKey of ['k', SECRET, '$ecret-1', 'a b', '~!"#', 'x'.repeat(10_000), { env: 'A' }, { env: '_a1' }]) {
    assert.deepEqual(one({ apiKey, headers: { 'x-key': apiKey } }).headers, { 'x-key': apiKey });
  }
  const bad: [unknown, RegExp][] = [
    ['', /must not be empty$/],
    ['x'.repeat(10_001), /must have at most 10000 characters$/],
    ...[`${SECRET}\n`, ` ${SECRET}`, `${SECRET}\r\nx-admin: 1`, `${SECRET}\0`, `${SECRET}é`, `\t${SECRET}`].map(
      (text): [string, RegExp] => [text, /must be printable ASCII on one line, without blanks at its ends$/],
    ),
    ...['$OPENAI_API_KEY', '$' + '{SUPPORT_TEAM_KEY}', '$' + '{key}', 'Bearer $TOKEN'].map((text): [string, RegExp] => [
      text,
      /is not looked up; a variable is written \{"env": "NAME"\}$/,
    ]),
    ...[7, null, [], [SECRET], {}, { [SECRET]: 1 }, { env: 'A', [SECRET]: 'x' }, { sealed: SECRET }].map(
      (value): [unknown, RegExp] => [value, /must be a string, or \{"env": "NAME"\}$/],
    ),
    ...['', SECRET, 'A=B', 'A B', '1A', 7, null].map((env): [unknown, RegExp] => [
      { env },
      /\.env: must be the name of an environment variable: letters, digits and _$/,
    ]),
  ];
  for (const [secret, message] of bad) {
    for (const [field, members] of [
      ['apiKey', { apiKey: secret }],
      ['headers.x-key', { headers: { 'x-key': secret } }],
    ] as const) {
      const messages = await refused(members);
      assert.match(messages[0]!, message);
      assert.ok(messages[0]!.startsWith(`provider "local": ${field}`), messages[0]);
      assert.ok(messages.length === 1 && !messages.join().includes(SECRET), messages.join());
    }
  }
});

test('headers: framing, malformed and repeated names are refused', async () => {
  const framing = 'Host content-length Transfer-Encoding CONNECTION Upgrade expect TE trailer';
  for (const name of framing.split(' ')) {
    assert.deepEqual(await refused({ headers: { [name]: 'x' } }), [
      `provider "local": headers.${name}: is the connection's own and cannot be set`,
    ]);
  }
  const names = ['', 'a b', 'a:b', 'a\r\nb', 'é', `x ${SECRET}`, 'x'.repeat(201)];
  const unkept = JSON.parse('{"__proto__": "x"}') as object;
  for (const headers of [...names.map((name) => ({ [name]: 'x' })), unkept]) {
    assert.deepEqual(await refused({ headers }), [
      'provider "local": headers: has a name that is none of a header: letters, digits, -, _ and .',
    ]);
  }
  assert.deepEqual(await refused({ headers: { 'x-a': '1', 'X-A': '2' } }), [
    'provider "local": headers.X-A: is given twice; case does not matter in headers',
  ]);
  for (const headers of [[], 'x', null]) {
    assert.deepEqual(await refused({ headers }), ['provider "local": headers: must be an object']);
  }
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, 'x']));
  assert.deepEqual(await refused({ headers: many }), ['provider "local": headers: must hold at most 50']);
  assert.deepEqual(one({ headers: {} }).headers, {});
});

test('checkFallbacks: a fallback names a known provider and its vendor', async () => {
  const onto = (providerName: string | undefined, provider: string) =>
    definition({ fallbacks: [{ providerName, provider, model: 'm' }] });
  const check = (first: object, ...others: object[]) => checkFallbacks(providerDefinitions([first, ...others]));
  check(onto(undefined, 'openai'));
  check(onto('other', 'custom'), definition({ name: 'other' }));
  check(onto('local', 'custom'), definition({ name: 'other' }));
  assert.deepEqual(await messagesOf(() => check(onto('othr', 'custom'), definition({ name: 'other' }))), [
    'provider "local": fallbacks[0].providerName: there is no provider "othr"; nearest: "other"',
  ]);
  assert.deepEqual(await messagesOf(() => check(onto('other', 'openai'), definition({ name: 'other' }))), [
    'provider "local": fallbacks[0].provider: must be custom, as "other" is',
  ]);
});
