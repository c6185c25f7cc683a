import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault, Outcome, Piece } from './upstream/outcomes.ts';
import { fakeUpstream } from './upstream/server.ts';
import { ALL, begin, ENDPOINTS, forEach, SSE, see, whole } from './upstream-client.ts';

/*
 * How answers and refusals travel, and what a test can see and steer meanwhile. What breaks is in upstream-faults.test.ts.
 */

const fault = (fault: Fault): Outcome => ({ fault });

test('FakeUpstream: a complete answer ends with its marker and the response', async (t) => {
  await forEach(t, ALL, {}, ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body.includes(ENDPOINTS[name]!.terminal)], [200, true, true], name);
  });
});

test('FakeUpstream: each vendor sends the request id in its own header or in none', async (t) => {
  const upstream = await fakeUpstream(t);
  const headers: Record<string, string | null> = {
    ...{ responses: 'x-request-id', chat: 'x-request-id', groq: 'x-request-id', xai: 'x-request-id' },
    ...{ anthropic: 'request-id', bedrock: 'x-amzn-requestid', gemini: null, custom: null },
  };
  for (const outcome of [{}, fault({ type: 'status', status: 500 })]) {
    for (const name of ALL) {
      const seen = await see(upstream, name, outcome);
      const header = headers[name];
      const { requestId } = upstream.requests.at(-1)!;
      assert.equal(header ? seen.headers[header] : null, requestId, name);
    }
  }
});

test('FakeUpstream: blocks and items are numbered in their order', async (t) => {
  const pieces: Piece[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Let me look.' },
    { type: 'toolCall', name: 'first', arguments: '{"a":1}' },
    { type: 'toolCall', name: 'second', arguments: '{}' },
    { type: 'text', text: 'Done.' },
  ];
  const numbers = {
    responses: /"output_index":(\d)/g,
    anthropic: /"index":(\d)/g,
    bedrock: /"contentBlockIndex":(\d)/g,
  };
  await forEach(t, Object.keys(numbers), { pieces }, ({ body }, name) => {
    const found = [...body.matchAll(numbers[name as keyof typeof numbers])].map(([, number]) => number!);
    assert.deepEqual([...new Set(found)], ['0', '1', '2', '3', '4'], name);
    assert.deepEqual(found, found.toSorted(), `${name}: each ends before the next begins`);
  });
});

test('FakeUpstream: a retry delay is in seconds, a date or in the body', async (t) => {
  const upstream = await fakeUpstream(t);
  for (const name of ALL) {
    const seconds = await see(upstream, name, fault({ type: 'status', status: 429, retry: { seconds: 7 } }));
    assert.deepEqual([seconds.status, seconds.headers['retry-after']], [429, '7'], name);
    const dated = await see(upstream, name, fault({ type: 'status', status: 429, retry: { date: 3_600 } }));
    const ahead = Date.parse(dated.headers['retry-after']!) - Date.now();
    assert.ok(ahead > 3_000_000 && ahead <= 3_600_000, `${name} ${dated.headers['retry-after']}`);
  }
  const { body, headers } = await see(
    upstream,
    'gemini',
    fault({ type: 'status', status: 429, retry: { retryInfo: 8 } }),
  );
  assert.equal(JSON.parse(body).error.details[0].retryDelay, '8s');
  assert.equal(headers['retry-after'], undefined);
});

test('FakeUpstream: error bodies have the shape of their vendor', async (t) => {
  const upstream = await fakeUpstream(t);
  const refused = async (name: string, outcome: Outcome = fault({ type: 'status', status: 404 })) => {
    const { status, body } = await see(upstream, name, outcome);
    return { status, body: JSON.parse(body) };
  };
  assert.equal((await refused('responses')).body.error.code, 'model_not_found');
  assert.equal(typeof (await refused('xai')).body.error, 'string');
  assert.equal((await refused('custom')).body.error.code, 404);
  assert.equal((await refused('anthropic')).body.error.type, 'not_found_error');
  assert.equal((await refused('gemini')).body.error.status, 'NOT_FOUND');
  assert.deepEqual(Object.keys((await refused('bedrock')).body), ['message']);

  const key = fault({ type: 'refusedKey' });
  const gemini = await refused('gemini', key);
  assert.deepEqual([gemini.status, gemini.body.error.details[0].reason], [400, 'API_KEY_INVALID']);
  assert.equal((await refused('xai', key)).status, 400);
  assert.equal((await refused('anthropic', key)).status, 401);
  assert.equal((await refused('bedrock', key)).status, 403);
});

test('FakeUpstream: a redirect leads to a complete answer', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'redirect' }));
  for (const name of ALL) {
    const { statusCode, headers } = await begin(upstream, name);
    assert.deepEqual([statusCode, headers.location], [302, `/elsewhere${ENDPOINTS[name]!.path}`]);
    const followed = await fetch(`${upstream.url}${headers.location}`, { method: 'POST', body: '{"stream":true}' });
    assert.match(await followed.text(), /mundo/, name);
  }
});

test('FakeUpstream: a character can be split across two reads', async (t) => {
  await forEach(t, ALL, { wire: 'utf8Split' }, ({ reads, body }, name) => {
    assert.match(body, /mundo 🌍/, name);
    const halves = reads.filter((read) => read.subarray(-2).equals(Buffer.from('🌍').subarray(0, 2)));
    assert.ok(halves.length > 0, name);
  });
});

test('FakeUpstream: SSE can have CRLF, comments and data of several lines', async (t) => {
  await forEach(t, SSE, { wire: 'crlf' }, ({ body }, name) => {
    assert.doesNotMatch(body, /(?<!\r)\n/, name);
  });
  await forEach(t, SSE, { wire: 'comments' }, ({ body }, name) => {
    assert.match(body, /^: keepalive\r?\n\r?\n/, name);
  });
  await forEach(t, SSE, { wire: 'multiLine' }, ({ body }, name) => {
    assert.match(body, /^data: \{\r?\ndata: /m, name);
  });
  await forEach(t, ['gemini'], {}, ({ body }) => assert.doesNotMatch(body, /(?<!\r)\n/, "Google's own line end"));
});

test('FakeUpstream: an answer is sent byte by byte or in one piece', async (t) => {
  await forEach(t, ALL, { wire: 'slowDrip' }, ({ reads, body }, name) => {
    assert.ok(reads.length > Buffer.byteLength(body) / 20, `${name}: ${reads.length} reads of ${body.length} bytes`);
  });
  await forEach(t, ALL, { wire: 'oneWrite' }, ({ reads }, name) => assert.equal(reads.length, 1, name));
});

test('FakeUpstream: endless text pauses while nobody reads it (backpressure)', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'endless' }));
  const response = await begin(upstream, 'chat');
  response.pause();
  const stalled = await settled(() => upstream.bytesSent);
  assert.ok(stalled > 10_000, 'what the network holds was sent');
  let read = 0;
  for await (const bytes of response) {
    read += bytes.length;
    if (read > stalled + 1_000_000) break;
  }
  assert.ok(upstream.bytesSent > stalled, 'it goes on when it is read');
  response.destroy();
  await upstream.whenAborted();
  assert.equal(upstream.open, 0);
});

test('FakeUpstream: outcomes are used in order, and the last one repeats', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'status', status: 500 }), fault({ type: 'status', status: 429 }), {});
  const statuses = [];
  for (let time = 0; time < 4; time++) statuses.push((await whole(await begin(upstream, 'chat'))).status);
  assert.deepEqual(statuses, [500, 429, 200, 200]);
});

test('FakeUpstream: a held answer is sent after its release', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script({ pieces: [{ type: 'text', text: 'now' }, { type: 'hold' }, { type: 'text', text: 'later' }] });
  const response = await begin(upstream, 'anthropic');
  let text = '';
  for await (const read of response) {
    text += read;
    if (text.includes('now') && !text.includes('later')) {
      assert.equal(upstream.open, 1);
      upstream.release();
    }
  }
  assert.match(text, /message_stop/);
});

test('FakeUpstream: requests are recorded unchanged', async (t) => {
  const upstream = await fakeUpstream(t);
  await whole(await begin(upstream, 'gemini'));
  const [{ method, path, headers, body } = assert.fail()] = upstream.requests;
  assert.deepEqual([method, path, body], ['POST', ENDPOINTS.gemini!.path, { model: 'm', stream: true }]);
  assert.equal(headers.host, new URL(upstream.url).host);
});

test('FakeUpstream: an invalid request of a vendor is refused', async (t) => {
  const upstream = await fakeUpstream(t);
  assert.equal((await fetch(`${upstream.url}/v2/else`, { method: 'POST' })).status, 404);
  const unstreamed = await fetch(`${upstream.url}/v1/messages`, { method: 'POST', body: '{"model":"m"}' });
  assert.equal(unstreamed.status, 400);
  assert.equal(unstreamed.headers.get('content-type'), 'application/json');
});

/** A number that has stayed the same for many turns. */
async function settled(value: () => number): Promise<number> {
  let last = -1;
  let calm = 0;
  while (calm < 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    calm = value() === last ? calm + 1 : 0;
    last = value();
  }
  return last;
}
