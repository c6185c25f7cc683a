import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT, type ChatApp, chat, chatApp } from '../../../support/chat.ts';
import { rareTest } from '../../../support/rare.ts';

/*
 * Bodies that are no requests, or are as large as one may be. Each is answered shortly, no provider hears of it, and the next
 * request is served as if nothing had happened.
 */

const timeout = 60_000;
const MEGABYTE = 1024 * 1024;
const MANY = 2_700_000;

async function assertRefused(app: ChatApp, what: string, body: string, status = 400): Promise<void> {
  const received = await chat(app, body);
  assert.equal(received.status, status, `${what}: ${received.text.slice(0, 300)}`);
  const answer = JSON.parse(received.text);
  assert.equal(answer.statusCode, status, what);
  assert.equal(Array.isArray(answer.message), status === 400, what);
  assert.ok(received.text.length < 20_000, `${what}: ${received.text.length} characters`);
}

async function assertHealthy(app: ChatApp): Promise<void> {
  assert.equal(app.upstream.requests.length, 0);
  const { status, complete } = await chat(app, app.ask());
  assert.deepEqual([status, complete, app.upstream.requests.length], [200, true, 1]);
  assert.equal((await app.request('GET', '/readyz')).status, 200);
}

test('POST /chat: a body that is not a JSON object is refused', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const right = JSON.stringify(app.ask());
  const texts = ['', ' ', 'null', '[]', '"x"', '0', '{', '{}', '{"messages":', `${right}${right}`, `\uFEFF${right}x`];
  for (const text of texts) await assertRefused(app, JSON.stringify(text), text);
  await assertRefused(app, 'an infinity', right.replace('{', '{"temperature":1e999,'));
  await assertRefused(app, 'a member that is none', right.replace('{', '{"__proto__":{"temperature":1},'));
  await assertRefused(app, 'a nest', '['.repeat(MEGABYTE) + ']'.repeat(MEGABYTE));
  await assertHealthy(app);
});

rareTest('POST /chat: endless lists of tiny members are refused as a whole', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const having = (member: string, text: string) =>
    JSON.stringify({ ...app.ask(), [member]: 'HERE' }).replace('"HERE"', text);
  const empty = `[${'{},'.repeat(MANY)}{}]`;
  await assertRefused(app, 'messages', having('messages', empty));
  await assertRefused(app, 'parts', having('messages', `[{"role":"user","content":${empty}}]`));
  await assertRefused(app, 'calls', having('messages', `[{"role":"assistant","content":null,"tool_calls":${empty}}]`));
  await assertRefused(app, 'tools', having('tools', empty));
  await assertRefused(app, 'stop', having('stop', `[${'"",'.repeat(MANY)}""]`));
  await assertRefused(app, 'serverTools', having('serverTools', `[${'"",'.repeat(MANY)}""]`));
  const numbers = `[{"type":"function","function":{"name":"f","parameters":{"a":[${'1e999,'.repeat(MANY / 3)}1]}}}]`;
  await assertRefused(app, 'numbers', having('tools', numbers));
  await assertHealthy(app);
});

test('POST /chat: thousands of equal mistakes give a hundred messages', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const many = <Item>(item: (index: number) => Item) => Array.from({ length: 19_000 }, (_, index) => item(index));
  const conversation = (role: string, members: object) =>
    JSON.stringify(app.ask({ messages: [{ role, content: null, ...members }] }));
  const call = (index: number) => ({ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } });
  const image = { type: 'image_url', image_url: { url: 'x' } };
  await assertRefused(app, 'unanswered calls', conversation('assistant', { tool_calls: many(call) }));
  await assertRefused(app, 'images of nobody', conversation('assistant', { content: many(() => image) }));
  await assertRefused(app, 'images of nowhere', conversation('user', { content: many(() => image) }));
  await assertRefused(app, 'parts of no kind', conversation('user', { content: many(() => ({ type: 'x' })) }));
  await app.runtime.providers.apply(app.tenantId, {
    ...{ name: 'local', provider: 'custom', baseUrl: app.upstream.baseUrl('custom'), allowPrivateNetwork: true },
    capabilities: { images: 'none' },
  });
  const url = 'data:image/png;base64,AAAA';
  const content = many(() => ({ ...image, image_url: { url } }));
  await assertRefused(app, 'images that the model does not take', conversation('user', { content }));
  const members = Object.fromEntries(many((index) => [`member ${index}`, 1]));
  await assertRefused(app, 'unknown members', JSON.stringify({ ...app.ask(), ...members }));
  await assertHealthy(app);
});

test('POST /chat: a data: URL with too many parameters is invalid', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const image = (url: string) =>
    app.ask({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
  for (const url of [`data:image/png${';a=b'.repeat(4 * MEGABYTE)}`, `data:${'a'.repeat(16 * MEGABYTE)}`]) {
    await assertRefused(app, 'an image', JSON.stringify(image(url)));
  }
  await assertHealthy(app);
});

test('POST /chat: a slow body delays no other request and is served', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const body = Buffer.from(JSON.stringify(app.ask()));
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json', 'content-length': body.length };
  const slow = request(`${app.url}${CHAT}`, { method: 'POST', headers, agent: false });
  const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
  for (const byte of body.subarray(0, -1)) {
    slow.write(Buffer.from([byte]));
    await sleep(2);
  }
  const others = await Promise.all(Array.from({ length: 10 }, () => chat(app, app.ask())));
  for (const { status } of others) assert.equal(status, 200);
  slow.end(body.subarray(-1));
  const [response] = await answered;
  assert.equal(response.statusCode, 200);
  response.resume();
});
