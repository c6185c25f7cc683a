import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, assertNames } from '../dashboards/support.ts';
import { EXECUTIONS, newDesk, sharedApp } from '../reviews/support.ts';

const MEGABYTE = 1024 * 1024;

/** What the schema alone refuses is in refusals.golden.txt. */
const BAD: [members: object, ...names: string[]][] = [
  [{ usage: [1] }, 'usage'],
  [{ usage: { text: 'x'.repeat(16 * 1024) } }, 'usage'],
  [{ messages: [null] }, 'messages[0]'],
  [{ messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
  [{ messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] }, 'messages[0].content[0].type'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: '' } }] }] },
    'messages[0].content[0].image_url.url',
  ],
  [{ messages: [{ role: 'user', content: 'a', tool_calls: [{ id: 'x' }] }] }, 'messages[0].tool_calls'],
  [{ messages: [{ role: 'assistant', content: null, tool_calls: [] }] }, 'messages[0].content'],
  [{ messages: [{ role: 'assistant', content: 'a', tool_calls: ['x'] }] }, 'messages[0].tool_calls[0]'],
  [{ messages: [{ role: 'assistant', content: null }] }, 'messages[0].content'],
];

test('POST /executions: invalid members are named with 400, and nothing is stored', async () => {
  const desk = await newDesk();
  for (const [members, ...names] of BAD) {
    assertNames(await desk.request('POST', EXECUTIONS, { id: 'run', ...members }), ...names);
  }
  assertError(await desk.request('GET', `${EXECUTIONS}/run`), 404, 'Not Found');
});

test('POST /executions: too many parts and calls are refused before validation', async () => {
  const desk = await newDesk();
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const conversation = (parts: number, calls: number, part: unknown = { type: 'text', text: '' }) => [
    { role: 'user', content: Array.from({ length: parts / 2 }, () => part) },
    { role: 'user', content: Array.from({ length: parts / 2 }, () => part) },
    { role: 'assistant', content: null, tool_calls: Array.from({ length: calls }, () => call) },
  ];
  const messages = conversation(12_000, 8_000);
  assert.deepEqual((await desk.record({ messages })).messages, messages);
  for (const bad of [conversation(12_000, 8_001), conversation(20_000, 1), conversation(200_000, 1, 7)]) {
    const answer = await desk.request('POST', EXECUTIONS, { messages: bad });
    assertNames(answer, 'messages');
    assert.match(answer.body.message[0], /20,000 content parts and tool calls/);
  }
});

test('POST /executions: values at the limits are stored', async () => {
  const desk = await newDesk();
  const name = 'é😀'.repeat(66).padEnd(200, 'x');
  const members = { id: name, agentId: name, threadId: name, provider: name, model: name, output: '' };
  const messages = Array.from({ length: 2_000 }, () => ({ role: 'user', content: '' }));
  const usage = { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) };
  const made = await desk.record({ ...members, messages, usage });
  assert.deepEqual({ ...made, ...members, messages, usage }, made);
  assert.deepEqual(await desk.right('GET', `${EXECUTIONS}/${encodeURIComponent(name)}`), made);
});

test('GET /executions/:id: an invalid or undecodable id is 400', async () => {
  const desk = await newDesk();
  assertNames(await desk.request('GET', `${EXECUTIONS}/${'x'.repeat(201)}`), 'executionId');
  assertNames(await desk.request('GET', `${EXECUTIONS}/a%00b`), 'executionId');
  assertError(await desk.request('GET', `${EXECUTIONS}/%E0%A4`), 400, 'Bad Request');
  assertError(await desk.request('GET', `${EXECUTIONS}/..%2F..%2Fetc`), 404, 'Not Found');
});

/** As clients send them: JSON text, for what a JavaScript value cannot say. */
const UNSOUND: [value: string, place: string][] = [
  ['1e999', ''],
  ['-1e999', ''],
  ['9007199254740993', ''],
  ['-9007199254740992', ''],
  ['{"a":[1,{"b":12345678901234567890}]}', '.a[1].b'],
  ['"\\ud800"', ''],
  ['{"a\\udfff":1}', '.a'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, '[0]'.repeat(32)],
  [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, '.a'.repeat(32)],
];

test('POST /executions: values that no store can hold are refused', async () => {
  const desk = await newDesk();
  const refused = async (body: string, place: string) => {
    const answer = await desk.request('POST', EXECUTIONS, body);
    assertError(answer, 400, 'Bad Request');
    assert.ok(answer.body.message[0].startsWith(place), `${place}: ${answer.body.message[0]}`);
  };
  for (const [value, place] of UNSOUND) {
    await refused(`{"output":${value}}`, `output${place}`);
    const deeper = place.startsWith('[0][0]')
      ? place.slice(0, -3)
      : place.startsWith('.a.a')
        ? place.slice(0, -2)
        : place;
    await refused(`{"usage":{"x":${value}}}`, `usage.x${deeper}`);
    const call = `{"messages":[{"role":"assistant","content":null,"tool_calls":[{"x":${value}}]}]}`;
    await refused(call, place === deeper ? `messages[0].tool_calls[0].x${place}` : 'messages[0].tool_calls[0].x');
  }
});

test('POST /executions: any depth of nesting is refused without a crash', async () => {
  const desk = await newDesk();
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  for (const value of [deep, objects]) {
    for (const body of [
      `{"output":${value}}`,
      `{"usage":{"a":${value}}}`,
      `{"usage":${value}}`,
      `{"extra":${value}}`,
      `{"messages":${value}}`,
      `{"messages":[{"role":"user","content":${value}}]}`,
      `{"messages":[{"role":"assistant","content":null,"tool_calls":[{"a":${value}}]}]}`,
      `{"id":${value}}`,
      value,
    ]) {
      assertError(await desk.request('POST', EXECUTIONS, body), 400, 'Bad Request');
    }
  }
});

test("POST /executions: members named like Object's are stored only where free", async () => {
  const desk = await newDesk();
  const free = '{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":"x","hasOwnProperty":null}';
  const call = `{"id":"c","type":"function","function":${free},"__proto__":{"b":2}}`;
  const messages = `[{"role":"assistant","content":null,"tool_calls":[${call}]}]`;
  const body = `{"id":"run","output":${free},"usage":${free},"messages":${messages}}`;
  const app = await sharedApp();
  const text = async (method: string, path: string, sent?: string) =>
    (
      await fetch(`${app.url}${path}`, {
        method,
        headers: { 'x-api-key': desk.key, 'content-type': 'application/json' },
        ...(sent === undefined ? {} : { body: sent }),
      })
    ).text();
  for (const answer of [await text('POST', EXECUTIONS, body), await text('GET', `${EXECUTIONS}/run`)]) {
    assert.ok(answer.includes(`"output":${free}`), answer);
    assert.ok(answer.includes(`"usage":${free}`), answer);
    assert.ok(answer.includes(`"messages":${messages}`), answer);
  }
  for (const [bad, name] of [
    ['{"__proto__":{"status":"failed"}}', '__proto__'],
    ['{"constructor":1}', 'constructor'],
    ['{"messages":[{"role":"user","content":"a","__proto__":{}}]}', 'messages[0].__proto__'],
  ] as const) {
    assertNames(await desk.request('POST', EXECUTIONS, bad), name);
  }
});

test('POST /executions: texts are stored unchanged', async () => {
  const desk = await newDesk();
  const texts = [
    'a\0b',
    "'); DROP TABLE executions; --",
    '\u202eابجد\u202c',
    '😀👨‍👩‍👧‍👦🏳️‍🌈',
    '\u2028\u2029\ufeff',
    'e\u0301 é',
    '<script>alert(1)</script>',
    '\\u0000 \\" \\\\',
    `${'Z'}\u0300`.repeat(500),
  ];
  const messages = texts.map((content) => ({ role: 'user', content }));
  const usage = Object.fromEntries(texts.map((value) => [value, value]));
  const made = await desk.record({ id: 'run', messages, output: texts, usage });
  assert.deepEqual([made.messages, made.output, made.usage], [messages, texts, usage]);
  assert.deepEqual(await desk.right('GET', `${EXECUTIONS}/run`), made);
});

test('POST /executions: an update that grows too large is 422 and changes nothing', async () => {
  const desk = await newDesk();
  const half = 'x'.repeat(5 * MEGABYTE);
  const messages = [{ role: 'user', content: half }];
  await desk.record({ id: 'run', messages });
  for (const [members, field] of [
    [{ output: half }, /^output: .*8 MB/],
    [{ output: half, messages: [...messages, ...messages.map(() => ({ role: 'user', content: '' }))].slice(1) }, null],
  ] as const) {
    const answer = await desk.request('POST', EXECUTIONS, { id: 'run', ...members });
    if (field === null) {
      assert.equal(answer.status, 200, 'in place of the messages there is room');
      continue;
    }
    assertError(answer, 422, 'Unprocessable Entity');
    assert.match(answer.body.message, field);
    assert.equal((await desk.right('GET', `${EXECUTIONS}/run`)).output, null);
  }
  const answer = await desk.request('POST', EXECUTIONS, { id: 'run', messages });
  assertError(answer, 422, 'Unprocessable Entity');
  assert.match(answer.body.message, /^messages: /);
});
