import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { Fault, Outcome } from './upstream/outcomes.ts';
import { type FakeUpstream, fakeUpstream } from './upstream/server.ts';

/*
 * Each fault as it is on the wire, seen by a client that knows no vendor. What the vendors' SDKs make of answers is in
 * upstream.test.ts.
 */

interface Protocol {
  path: string;
  /** Of an answer to which nothing happened. */
  terminal: string;
}

const PROTOCOLS: Record<string, Protocol> = {
  responses: { path: '/v1/responses', terminal: 'response.completed' },
  chat: { path: '/v1/chat/completions', terminal: '[DONE]' },
  groq: { path: '/openai/v1/chat/completions', terminal: '[DONE]' },
  xai: { path: '/xai/v1/chat/completions', terminal: '[DONE]' },
  custom: { path: '/custom/v1/chat/completions', terminal: '[DONE]' },
  anthropic: { path: '/v1/messages', terminal: 'message_stop' },
  gemini: { path: '/v1beta/models/gemini:streamGenerateContent?alt=sse', terminal: '"STOP"' },
  bedrock: { path: '/model/nova/converse-stream', terminal: 'messageStop' },
};
const ALL = Object.keys(PROTOCOLS);
const SSE = ALL.filter((name) => name !== 'bedrock');

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  /** Bytes as they came, read by read. */
  reads: Buffer[];
  body: string;
  /** False where the connection broke before the response had ended. */
  complete: boolean;
}

function begin(upstream: FakeUpstream, name: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(`${upstream.url}${PROTOCOLS[name]!.path}`, { method: 'POST', agent: false }, resolve);
    asking.on('error', reject);
    asking.end(JSON.stringify({ model: 'm', stream: true }));
  });
}

async function whole(response: IncomingMessage): Promise<Seen> {
  const reads: Buffer[] = [];
  try {
    for await (const read of response) reads.push(read);
  } catch {
    // What was read until then is told, and that it is not complete.
  }
  const { statusCode = 0, headers, complete } = response;
  return { status: statusCode, headers, reads, body: Buffer.concat(reads).toString(), complete };
}

async function see(upstream: FakeUpstream, name: string, outcome: Outcome): Promise<Seen> {
  upstream.script(outcome);
  return whole(await begin(upstream, name));
}

/** For every protocol, the outcome and what is seen of it. */
async function forEach(
  t: TestContext,
  names: string[],
  outcome: Outcome,
  look: (seen: Seen, name: string) => void,
): Promise<void> {
  const upstream = await fakeUpstream(t);
  for (const name of names) look(await see(upstream, name, outcome), name);
}

const fault = (fault: Fault): Outcome => ({ fault });

test('a clean answer ends with its marker, and with the response', async (t) => {
  await forEach(t, ALL, {}, ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body.includes(PROTOCOLS[name]!.terminal)], [200, true, true], name);
  });
});

test('each vendor names a request in its own header, or in none', async (t) => {
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

test('an answer that is cut breaks after what was said', async (t) => {
  await forEach(t, ALL, fault({ type: 'cut', after: 1 }), ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body.includes('Olá'), body.includes('mundo')], [200, false, true, false], name);
  });
});

test('an answer can be cut when it has opened, and when it has only headers', async (t) => {
  await forEach(t, ALL, fault({ type: 'cut', after: 0 }), ({ body, complete }, name) => {
    // Gemini has nothing that opens an answer.
    assert.deepEqual([complete, body.includes('Olá'), body.length > 0], [false, false, name !== 'gemini'], name);
  });
  await forEach(t, ALL, fault({ type: 'cut', after: 'headers' }), ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body], [200, false, ''], name);
  });
});

test('an answer that ends early lacks its marker alone', async (t) => {
  await forEach(t, ALL, fault({ type: 'earlyEnd', after: 1 }), ({ body, complete }, name) => {
    assert.deepEqual(
      [complete, body.includes('Olá'), body.includes(PROTOCOLS[name]!.terminal)],
      [true, true, false],
      name,
    );
  });
});

test('an error can be the first event, or come in the middle, and nothing follows it', async (t) => {
  await forEach(t, ALL, fault({ type: 'errorEvent', after: 'headers' }), ({ status, body }, name) => {
    assert.equal(status, 200);
    const [first = '', ...others] = framesOf(body, name);
    assert.match(first, /error|exception/i, name);
    assert.deepEqual(others, [], name);
  });
  await forEach(t, ALL, fault({ type: 'errorEvent', after: 1, kind: 'overloaded' }), ({ body }, name) => {
    assert.match(body, /Olá/, name);
    assert.match(framesOf(body, name).at(-1)!, /overload|serviceUnavailable/i, name);
  });
});

test('broken JSON stands where a frame would, and the rest follows', async (t) => {
  await forEach(t, SSE, fault({ type: 'badJson', after: 1 }), ({ body, complete }, name) => {
    const data = [...body.matchAll(/^data: (.*?)\r?$/gm)].map(([, json]) => json!).filter((json) => json !== '[DONE]');
    assert.equal(data.filter((json) => !isJson(json)).length, 1, name);
    assert.deepEqual([complete, body.includes(PROTOCOLS[name]!.terminal)], [true, true], name);
  });
  await forEach(t, ['bedrock'], fault({ type: 'badJson', after: 1 }), ({ reads }) => {
    const bodies = decoded(Buffer.concat(reads));
    assert.equal(bodies.filter((json) => !isJson(json)).length, 1);
  });
});

test('a bad checksum spoils a frame of Bedrock', async (t) => {
  await forEach(t, ['bedrock'], fault({ type: 'badChecksum', after: 1 }), ({ reads }) => {
    assert.throws(() => decoded(Buffer.concat(reads)), /checksum/);
  });
});

test('a page for people comes with 200', async (t) => {
  await forEach(t, ALL, fault({ type: 'html' }), ({ status, headers, body, complete }, name) => {
    assert.deepEqual([status, headers['content-type'], complete], [200, 'text/html', true], name);
    assert.match(body, /<html>/);
  });
});

test('a hang sends what it may and then nothing, until the client leaves', async (t) => {
  const upstream = await fakeUpstream(t);
  for (const [index, name] of ALL.entries()) {
    upstream.script(fault({ type: 'hang', after: 1 }));
    const response = await begin(upstream, name);
    let text = '';
    for await (const read of response) {
      text += read;
      if (text.includes('Olá')) break;
    }
    response.destroy();
    await upstream.whenAborted(index + 1);
    assert.equal(upstream.open, 0, name);
  }
});

test('a hang can come with headers alone, and before them', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'hang', after: 'headers' }));
  const response = await begin(upstream, 'responses');
  assert.deepEqual([response.statusCode, upstream.open, upstream.bytesSent], [200, 1, 0]);
  response.destroy();
  await upstream.whenAborted();

  upstream.script(fault({ type: 'hangBeforeHeaders' }));
  const asking = request(`${upstream.url}/v1/responses`, { method: 'POST', agent: false });
  const answered = new Promise((resolve) => asking.on('response', resolve).on('error', resolve));
  asking.end('{"stream":true}');
  await upstream.whenRequested(2);
  asking.destroy();
  assert.match(String(await answered), /socket hang up/);
  await upstream.whenAborted(2);
});

test('a reset before headers is no answer at all', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'resetBeforeHeaders' }));
  for (const name of ALL) await assert.rejects(begin(upstream, name), { code: 'ECONNRESET' }, name);
  assert.equal(upstream.aborted, 0, 'it was not the client who left');
});

test('a wait is asked for in seconds, as a date, or within the body', async (t) => {
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

test('error bodies have the forms of their vendors', async (t) => {
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

test('a redirect leads to where a clean answer waits', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'redirect' }));
  for (const name of ALL) {
    const { statusCode, headers } = await begin(upstream, name);
    assert.deepEqual([statusCode, headers.location], [302, `/elsewhere${PROTOCOLS[name]!.path}`]);
    const followed = await fetch(`${upstream.url}${headers.location}`, { method: 'POST', body: '{"stream":true}' });
    assert.match(await followed.text(), /mundo/, name);
  }
});

test('a character comes in two reads, and is whole when they are joined', async (t) => {
  await forEach(t, ALL, { wire: 'utf8Split' }, ({ reads, body }, name) => {
    assert.match(body, /mundo 🌍/, name);
    const halves = reads.filter((read) => read.subarray(-2).equals(Buffer.from('🌍').subarray(0, 2)));
    assert.ok(halves.length > 0, name);
  });
});

test('lines end with CRLF, comments stand between events, data has many lines', async (t) => {
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

test('drop by drop, or all at once', async (t) => {
  await forEach(t, ALL, { wire: 'slowDrip' }, ({ reads, body }, name) => {
    assert.ok(reads.length > Buffer.byteLength(body) / 20, `${name}: ${reads.length} reads of ${body.length} bytes`);
  });
  await forEach(t, ALL, { wire: 'oneWrite' }, ({ reads }, name) => assert.equal(reads.length, 1, name));
});

test('text without end waits while nobody reads it', async (t) => {
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

test('outcomes are used up one by one, and the last stays', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'status', status: 500 }), fault({ type: 'status', status: 429 }), {});
  const statuses = [];
  for (let time = 0; time < 4; time++) statuses.push((await whole(await begin(upstream, 'chat'))).status);
  assert.deepEqual(statuses, [500, 429, 200, 200]);
});

test('what is held comes when it is let go', async (t) => {
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

test('requests are kept as they came', async (t) => {
  const upstream = await fakeUpstream(t);
  await whole(await begin(upstream, 'gemini'));
  const [{ method, path, headers, body } = assert.fail()] = upstream.requests;
  assert.deepEqual([method, path, body], ['POST', PROTOCOLS.gemini!.path, { model: 'm', stream: true }]);
  assert.equal(headers.host, new URL(upstream.url).host);
});

test('what is no request of a vendor is refused', async (t) => {
  const upstream = await fakeUpstream(t);
  assert.equal((await fetch(`${upstream.url}/v2/else`, { method: 'POST' })).status, 404);
  const unstreamed = await fetch(`${upstream.url}/v1/messages`, { method: 'POST', body: '{"model":"m"}' });
  assert.equal(unstreamed.status, 400);
  assert.equal(unstreamed.headers.get('content-type'), 'application/json');
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const codec = () =>
  new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );

/** The bodies of frames; each says in its first four bytes how long it is. */
function decoded(bytes: Buffer): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const frame = bytes.subarray(at, at + bytes.readUInt32BE(at));
    bodies.push(Buffer.from(codec().decode(frame).body).toString());
  }
  return bodies;
}

/** Events, or for Bedrock all in one: its names can be read in the bytes. */
function framesOf(body: string, name: string): string[] {
  return name === 'bedrock' ? [body] : body.split(/\r?\n\r?\n/).filter((frame) => frame.trim());
}

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
