import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { CHAT, chat, chatApp } from '../../../support/chat.ts';

const part = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const tool = (definition: object) => ({ tools: [{ type: 'function', function: definition }] });

/** What the schema alone refuses is in refusals.golden.txt. */
const REFUSED: [string, object, RegExp][] = [
  ['a model that leads elsewhere', { model: '../secrets' }, /^model: must not be a path/],
  [
    'an unknown role',
    { messages: [{ role: 'developer', content: 'x' }] },
    /^messages\[0\]\.role: must be one of .*; developer is system here$/,
  ],
  [
    'an unknown part',
    part({ type: 'audio', audio: {} }),
    /^messages\[0\]\.content\[0\]\.type: must be one of text, image_url, file/,
  ],
  [
    'base64 that is none',
    part({ type: 'file', file: { filename: 'a', file_data: '%%%' } }),
    /file\.file_data: must be base64/,
  ],
  [
    'an image of another protocol',
    part({ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }),
    /image_url\.url: must be/,
  ],
  [
    'an answer without its call',
    { messages: [{ role: 'tool', content: 'x', tool_call_id: 'a' }] },
    /^messages\[0\]\.tool_call_id: answers no call/,
  ],
  [
    'an answer that names no call',
    { messages: [{ role: 'tool', content: 'x' }] },
    /^messages\[0\]\.tool_call_id: is required/,
  ],
  ['too many stop sequences', { stop: Array(17).fill('x') }, /^stop: must have at most 16 items/],
  ['an empty stop sequence', { stop: [''] }, /^stop\[0\]: must not be empty/],
  ['a tool without a name', tool({}), /^tools\[0\]\.function\.name: is required/],
  [
    'a tool whose name no vendor takes',
    tool({ name: 'find order' }),
    /^tools\[0\]\.function\.name: must be 1 to 64 letters/,
  ],
  [
    'an unknown format',
    { responseFormat: { type: 'xml' } },
    /^responseFormat\.type: must be one of text, json_object, json_schema/,
  ],
  ['a schema without one', { responseFormat: { type: 'json_schema' } }, /^responseFormat\.json_schema: is required/],
  [
    'thinking of another kind',
    { thinking: { type: 'hard' } },
    /^thinking\.type: must be one of enabled, adaptive, disabled/,
  ],
  [
    'a budget of nothing',
    { thinking: { type: 'enabled', budgetTokens: 0 } },
    /^thinking\.budgetTokens: must be at least 1/,
  ],
  [
    'an unknown server tool',
    { serverTools: ['shell'] },
    /^serverTools\[0\]: must be one of web_search, code_execution/,
  ],
  [
    'a server tool that the provider lacks',
    { serverTools: ['web_search'] },
    /^serverTools\[0\]: web_search is not possible with .+ \(custom\)/,
  ],
  ['an unknown member', { max_tokens: 5 }, /^max_tokens: unknown member; did you mean maxTokens\?/],
  [
    "OpenAI's word for it",
    { max_completion_tokens: 5 },
    /^max_completion_tokens: unknown member; did you mean maxTokens/,
  ],
  ['another of them', { top_p: 1 }, /^top_p: unknown member; did you mean topP\?/],
  ['what need not be asked for', { stream: true }, /^stream: unknown member; leave it out, every answer streams$/],
  ['custom without a name', { providerName: undefined }, /^providerName: is required with custom/],
  ['an unknown name', { providerName: 'locale' }, /^providerName: .*local/],
  ['a name of another provider', { provider: 'groq' }, /^provider: must be custom/],
];

test('POST /chat: an invalid request is 400, names the field and is not sent', async (t) => {
  const app = await chatApp(t);
  for (const [what, members, expected] of REFUSED) {
    const { status, text, headers } = await chat(app, app.ask(members));
    const body = JSON.parse(text);
    assert.equal(status, 400, `${what}: ${text}`);
    assert.ok(
      Array.isArray(body.message) && body.message.some((one: string) => expected.test(one)),
      `${what}: ${text}`,
    );
    assert.equal(headers['x-execution-id'], undefined, what);
  }
  assert.equal(app.upstream.requests.length, 0);
});

test('POST /chat: the limits of ranges are valid', async (t) => {
  const app = await chatApp(t);
  const ends = [
    { temperature: 0, topP: 0, frequencyPenalty: -2, presencePenalty: -2, maxTokens: 1, seed: 0, stop: [] },
    {
      temperature: 2,
      topP: 1,
      frequencyPenalty: 2,
      presencePenalty: 2,
      maxTokens: 1_000_000,
      stop: ['a', 'b', 'c', 'd'],
    },
  ];
  for (const members of ends) assert.equal((await chat(app, app.ask(members))).status, 200);
});

test('POST /chat: a vendor without a key is 422 with the setting to change', async (t) => {
  const app = await testApp(t);
  const body = { projectId: 'p', provider: 'openai', model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
  const { status, body: answer } = await app.request('POST', CHAT, body);
  assert.equal(status, 422);
  assert.match(answer.message, /Set OPENAI_API_KEY/);
});

test("POST /chat: another tenant's provider is unknown", async (t) => {
  const app = await chatApp(t);
  await app.runtime.tenants.create({ name: 'other' });
  const key = await app.newKey({ tenant: 'other' });
  const { status, text } = await chat(app, app.ask(), { key });
  assert.equal(status, 400);
  assert.ok(!text.includes('local"') || !text.includes('known'));
  assert.equal(app.upstream.requests.length, 0);
});

test('POST /chat: a private custom server needs permission in its definition', async (t) => {
  const app = await chatApp(t);
  const { port } = new URL(app.upstream.url);
  // A name, which is checked when connecting.
  await app.runtime.providers.apply(app.tenantId, {
    name: 'sneaky',
    provider: 'custom',
    baseUrl: `http://127.0.0.1.nip.invalid:${port}/custom/v1`,
  });
  const { status, text } = await chat(app, app.ask({ providerName: 'sneaky' }));
  assert.equal(status, 502);
  assert.ok(!text.includes('nip.invalid'), text);
  assert.equal(app.upstream.requests.length, 0);
});

test('POST /chat: images for private servers are loaded by the runtime only', async (t) => {
  const app = await chatApp(t);
  await app.runtime.providers.apply(app.tenantId, {
    name: 'gateway',
    provider: 'openai',
    baseUrl: app.upstream.baseUrl('openai'),
    allowPrivateNetwork: true,
  });
  for (const url of [
    app.upstream.url,
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/a.png',
    'http://0x7f.1/a.png',
  ]) {
    for (const provider of [{}, { provider: 'openai', providerName: 'gateway' }]) {
      const body = app.ask({ ...part({ type: 'image_url', image_url: { url } }), ...provider });
      const { status, text } = await chat(app, body);
      assert.equal(status, 400, url);
      assert.match(JSON.parse(text).message[0], /^messages\[0\]\.content\[0\]\.image_url\.url: /);
    }
  }
  assert.equal(app.upstream.requests.length, 0);
});

test('POST /chat: more concurrent chats than a key may have are 429 until one ends', async (t) => {
  const app = await chatApp(t, { chatStreams: 2 });
  app.upstream.script({ pieces: [{ type: 'text', text: 'one' }, { type: 'hold' }, { type: 'text', text: ' two' }] });
  const running = [chat(app, app.ask()), chat(app, app.ask())];
  await app.upstream.whenRequested(2);
  const refused = await chat(app, app.ask());
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  const another = await app.newKey();
  app.upstream.release();
  app.upstream.release();
  app.upstream.release();
  assert.equal((await chat(app, app.ask(), { key: another })).text, 'one two');
  for (const { text } of await Promise.all(running)) assert.equal(text, 'one two');
  app.upstream.release();
  assert.equal((await chat(app, app.ask())).status, 200);
});

test("POST /chat: a provider's refusal is quoted without the key in it", async (t) => {
  const app = await chatApp(t, {}, { apiKey: 'sk-of-the-operator-1', headers: { 'x-team': 'secret-team-header' } });
  const message = 'Model sk-of-the-operator-1 is not for secret-team-header';
  app.upstream.script({ fault: { type: 'status', status: 404, message } });
  const received = await chat(app, app.ask());
  const told = 'provider: "local" (custom) refused the request (404): Model [secret] is not for [secret]';
  assert.deepEqual(JSON.parse(received.text).message, [told]);
  const { chat: facts } = await app.executionOf(received);
  assert.deepEqual(facts.error, { kind: 'refused', message: 'Model [secret] is not for [secret]', status: 404 });
});
