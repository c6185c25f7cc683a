import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, type TestApp, testApp } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();

/*
 * Single requests, legal or cheap to send, that once froze, filled or wedged the server. A normal
 * request after each must succeed.
 */

let requests = 0;

async function assertWellAfter(app: TestApp): Promise<void> {
  const eventName = `after ${++requests}`;
  const { receipt } = (await app.request('POST', EVENTS, { events: [{ eventName, properties: { n: 1 } }] })).body;
  const ask = () => app.request('POST', `${EVENTS}/query`, { eventName }, { 'x-wait-for': receipt });
  let answer = await ask();
  // On a busy machine the previous flush may outlast the wait for a receipt.
  for (let again = 0; answer.status === 503 && again < 5; again++) answer = await ask();
  assert.deepEqual([answer.status, answer.body.total], [200, 1], JSON.stringify(answer.body));
  assert.equal((await app.request('GET', '/readyz')).status, 200);
}

rareTest('ingest: thousands of events with hundreds of keys do not delay other tenants', async (t) => {
  const app = await testApp(t);
  const keys = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]));
  const events = Array.from({ length: 2_000 }, (_, index) => ({
    eventName: `${index}`.padEnd(200, 'n'),
    properties: keys,
  }));
  assert.equal((await app.request('POST', EVENTS, { events })).status, 202);
  await assertWellAfter(app);
  const stored = await app.request('GET', `${EVENTS}/feed?limit=1`);
  assert.equal(stored.body.total, 2_001, 'every event is there, also those whose names are too many to be listed');
});

test('ingest: a million invalid numbers are refused with few messages', async () => {
  const app = await sharedApp();
  const body = `{"events":[{"eventName":"a","properties":{"n":[${'1e999,'.repeat(1_000_000)}1]}}]}`;
  const answer = await app.request('POST', EVENTS, body);
  assert.equal(answer.status, 400);
  assert.ok(answer.body.message.length <= 20, `${answer.body.message.length} messages`);
  await assertWellAfter(app);
});

test('ingest: messages about invalid events are capped and the rest is counted', async () => {
  const app = await sharedApp();
  const answer = await app.request('POST', EVENTS, { events: Array.from({ length: 1_000 }, () => ({})) });
  assert.equal(answer.body.message.length, 101);
  assert.equal(answer.body.message.at(-1), '... and 900 more');
});

test('ingest: thousands of new agents in one batch are registered at once', async (t) => {
  const app = await testApp(t);
  const events = Array.from({ length: 5_000 }, (_, index) => ({ eventName: 'a', agentId: `agent-${index}` }));
  assert.equal((await app.request('POST', EVENTS, { events })).body.accepted, 5_000);
  assert.equal(
    (await app.runtime.agents.listAll({ tenantId: app.tenantId })).length,
    5_001 + 1,
    'with default and support',
  );
  await assertWellAfter(app);
});

rareTest('POST /query: events with a thousand keys are returned as rows', async (t) => {
  const app = await testApp(t, { queryMemory: '512MB', queryTimeout: 60 });
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]));
  await app.ingest(Array.from({ length: 600 }, () => ({ eventName: 'wide', properties })));
  const answer = await app.request('POST', `${EVENTS}/query`, { eventName: 'wide', limit: 10 });
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
  assert.equal(answer.body.rows.length, 10);
  assert.equal(answer.body.columns.length, 1_004);
  await assertWellAfter(app);
});

test('parseBody: invalid UTF-8 is refused, not repaired', async () => {
  const app = await sharedApp();
  const send = (type: string, bytes: Buffer) =>
    fetch(`${app.url}${EVENTS}`, {
      method: 'POST',
      headers: { 'x-api-key': app.key, 'content-type': type },
      body: new Uint8Array(bytes),
    });
  for (const type of ['application/json', 'application/x-ndjson']) {
    const answer = await send(type, Buffer.from('{"eventName":"bad\xff"}', 'latin1'));
    assert.deepEqual(((await answer.json()) as { message: string[] }).message, ['body: is not valid UTF-8']);
  }
});

test('bufferBody: a body with a wrong Content-Encoding is refused as such', async () => {
  const app = await sharedApp();
  const answer = await app.request('POST', EVENTS, '{"events":[]}', { 'content-encoding': 'gzip' });
  assert.deepEqual([answer.status, answer.body.message], [400, ['body: is not validly compressed']]);
});

test('POST /query: exists takes a boolean; another value is refused as ambiguous', async () => {
  const app = await sharedApp();
  await app.ingest([
    { eventName: 'present', properties: { s: 1 } },
    { eventName: 'present' },
    { eventName: 'present' },
  ]);
  const ask = (value: unknown, operator = 'exists') =>
    app.request('POST', `${EVENTS}/query`, {
      eventName: 'present',
      filters: [{ propertyKey: 's', operator, value }],
    });
  for (const value of [undefined, null, true]) assert.equal((await ask(value)).body.total, 1, String(value));
  assert.equal((await ask(false)).body.total, 2);
  assert.equal((await ask(false, 'notExists')).body.total, 1);
  assert.equal((await ask('false')).body.total, 2);
  for (const value of ['no', 0, ['x']]) {
    const answer = await ask(value);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message[0], /^filters\[0\]\.value: must be left out, true or false for exists/);
  }
});
