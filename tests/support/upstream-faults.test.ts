import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import type { Fault, Outcome } from './upstream/outcomes.ts';
import { fakeUpstream } from './upstream/server.ts';
import { ALL, begin, decoded, ENDPOINTS, forEach, framesOf, isJson, SSE } from './upstream-client.ts';

/*
 * Each fault as it is on the wire. What the vendors' SDKs make of answers is in upstream.test.ts.
 */

const fault = (fault: Fault): Outcome => ({ fault });

test('FakeUpstream: a cut answer breaks off after its first part', async (t) => {
  await forEach(t, ALL, fault({ type: 'cut', after: 1 }), ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body.includes('Olá'), body.includes('mundo')], [200, false, true, false], name);
  });
});

test('FakeUpstream: an answer can be cut after its opening or after the headers', async (t) => {
  await forEach(t, ALL, fault({ type: 'cut', after: 0 }), ({ body, complete }, name) => {
    // Gemini has nothing that opens an answer.
    assert.deepEqual([complete, body.includes('Olá'), body.length > 0], [false, false, name !== 'gemini'], name);
  });
  await forEach(t, ALL, fault({ type: 'cut', after: 'headers' }), ({ status, body, complete }, name) => {
    assert.deepEqual([status, complete, body], [200, false, ''], name);
  });
});

test('FakeUpstream: an answer that ends early lacks only its end marker', async (t) => {
  await forEach(t, ALL, fault({ type: 'earlyEnd', after: 1 }), ({ body, complete }, name) => {
    assert.deepEqual(
      [complete, body.includes('Olá'), body.includes(ENDPOINTS[name]!.terminal)],
      [true, true, false],
      name,
    );
  });
});

test('FakeUpstream: an error comes first or midway, and nothing follows it', async (t) => {
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

test('FakeUpstream: broken JSON replaces one frame, and the rest follows', async (t) => {
  await forEach(t, SSE, fault({ type: 'badJson', after: 1 }), ({ body, complete }, name) => {
    const data = [...body.matchAll(/^data: (.*?)\r?$/gm)].map(([, json]) => json!).filter((json) => json !== '[DONE]');
    assert.equal(data.filter((json) => !isJson(json)).length, 1, name);
    assert.deepEqual([complete, body.includes(ENDPOINTS[name]!.terminal)], [true, true], name);
  });
  await forEach(t, ['bedrock'], fault({ type: 'badJson', after: 1 }), ({ reads }) => {
    const bodies = decoded(Buffer.concat(reads));
    assert.equal(bodies.filter((json) => !isJson(json)).length, 1);
  });
});

test('FakeUpstream: a frame of Bedrock can have a wrong checksum', async (t) => {
  await forEach(t, ['bedrock'], fault({ type: 'badChecksum', after: 1 }), ({ reads }) => {
    assert.throws(() => decoded(Buffer.concat(reads)), /checksum/);
  });
});

test('FakeUpstream: an HTML page is sent with status 200', async (t) => {
  await forEach(t, ALL, fault({ type: 'html' }), ({ status, headers, body, complete }, name) => {
    assert.deepEqual([status, headers['content-type'], complete], [200, 'text/html', true], name);
    assert.match(body, /<html>/);
  });
});

test('FakeUpstream: a hang sends its first part, then nothing until a disconnect', async (t) => {
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

test('FakeUpstream: a hang can begin before or after the headers', async (t) => {
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

test('FakeUpstream: a reset before the headers sends nothing', async (t) => {
  const upstream = await fakeUpstream(t);
  upstream.script(fault({ type: 'resetBeforeHeaders' }));
  for (const name of ALL) await assert.rejects(begin(upstream, name), { code: 'ECONNRESET' }, name);
  assert.equal(upstream.aborted, 0, 'it was not the client who left');
});
