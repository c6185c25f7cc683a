import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { BlockedAddress, type DispatcherOptions } from '../../src/outbound/dispatchers.ts';
import { bodyOf, streamingFetch } from '../../src/outbound/fetch.ts';
import { SDKS, type Sdk } from './sdks-support.ts';
import { causesOf, lookupOf, rejectionOf, startServer, testDispatchers } from './support.ts';

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' };

for (const sdk of SDKS) {
  test(`${sdk.name}: a stream arrives as it is sent, event by event`, async (t) => {
    const arrived = Promise.withResolvers<void>();
    let asked = '';
    const { url } = await startServer(t, async (request, response) => {
      asked = await text(request);
      response.writeHead(200, EVENT_STREAM).write(sdk.event);
      await arrived.promise;
      response.end(sdk.event);
    });
    const response = await askFor(t, sdk, url).asResponse();
    assert.deepEqual([response.status, response.headers.get('x-request-id')], [200, 'r-1']);
    const body = bodyOf(response);
    const [first] = await once(body, 'data');
    assert.equal(String(first), sdk.event);
    arrived.resolve();
    assert.equal(await text(body), sdk.event);
    assert.match(asked, /grüße/);
    assert.equal(JSON.parse(asked).stream, true);
  });

  test(`${sdk.name}: the SDK can read the stream itself`, async (t) => {
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(200, EVENT_STREAM).end(sdk.event + sdk.event);
    });
    const events: unknown[] = [];
    for await (const event of await askFor(t, sdk, url).parsed()) events.push(event);
    assert.equal(events.length, 2);
    assert.match(JSON.stringify(events), /hé/);
  });

  test(`${sdk.name}: an error has the SDK's class, the status, the headers and what the body says`, async (t) => {
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' });
      response.end('{"error":{"type":"limit","message":"slow down"}}');
    });
    const error = await rejectionOf(askFor(t, sdk, url).asResponse());
    assert.ok(error instanceof sdk.errors.RateLimitError, String(error));
    assert.match(error.message, /slow down/);
    const { status, headers } = error as Error & { status: number; headers: Headers };
    assert.deepEqual([status, headers.get('retry-after')], [429, '3']);
  });

  test(`${sdk.name}: an error that is no JSON, breaks off or never ends is an error all the same`, async (t) => {
    const { url } = await startServer(t, (request, response) => {
      response.writeHead(401, { 'content-type': 'text/html' });
      if (request.url?.startsWith('/whole')) response.end('<h1>who are you</h1>');
      else if (request.url?.startsWith('/cut')) response.write('<h1>wh', () => response.destroy());
      else response.write('<'.repeat(200_000));
    });
    for (const path of ['/whole', '/cut', '/endless']) {
      const error = await rejectionOf(askFor(t, sdk, url + path).asResponse());
      assert.ok(error instanceof sdk.errors.AuthenticationError, `${path}: ${error}`);
    }
  });

  test(`${sdk.name}: a redirect is an error, and is not followed`, async (t) => {
    const elsewhere = await startServer(t, (_request, response) => response.end());
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const error = await rejectionOf(askFor(t, sdk, url).asResponse());
    assert.ok(error instanceof sdk.errors.APIError && !(error instanceof sdk.errors.APIConnectionError));
    assert.equal((error as Error & { status?: number }).status, 307);
    assert.equal(elsewhere.connections, 0);
  });

  test(`${sdk.name}: leaving before the headers ends the request, as the SDK says it`, async (t) => {
    const reached = Promise.withResolvers<http.ServerResponse>();
    const { url } = await startServer(t, (_request, response) => reached.resolve(response));
    const leaving = new AbortController();
    const error = rejectionOf(askFor(t, sdk, url, {}, leaving.signal).asResponse());
    const closed = once(await reached.promise, 'close');
    leaving.abort();
    assert.ok((await error) instanceof sdk.errors.APIUserAbortError, String(await error));
    await closed;
  });

  test(`${sdk.name}: leaving while it connects is felt at once`, async (t) => {
    const asked = Promise.withResolvers<void>();
    const connections = { lookup: () => asked.resolve() };
    const leaving = new AbortController();
    const error = rejectionOf(askFor(t, sdk, 'http://slow.test', connections, leaving.signal).asResponse());
    await asked.promise;
    leaving.abort();
    assert.ok((await error) instanceof sdk.errors.APIUserAbortError, String(await error));
  });

  test(`${sdk.name}: leaving in the middle ends the request and the stream`, async (t) => {
    const reached = Promise.withResolvers<http.ServerResponse>();
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(200, EVENT_STREAM).write(sdk.event);
      reached.resolve(response);
    });
    const leaving = new AbortController();
    const body = bodyOf(await askFor(t, sdk, url, {}, leaving.signal).asResponse());
    await once(body, 'data');
    const closed = once(await reached.promise, 'close');
    leaving.abort();
    await assert.rejects(buffer(body), { name: 'AbortError' });
    await closed;
  });

  test(`${sdk.name}: a stream that is cut is an error of its body`, async (t) => {
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(200, EVENT_STREAM).write(sdk.event, () => response.destroy());
    });
    const body = bodyOf(await askFor(t, sdk, url).asResponse());
    await assert.rejects(buffer(body), { code: 'UND_ERR_SOCKET' });
  });

  test(`${sdk.name}: who refuses the connection or breaks it off before the headers cannot be reached`, async (t) => {
    const { url } = await startServer(t, (request) => void request.socket.destroy());
    const gone = await startServer(t, () => undefined);
    gone.server.close();
    for (const [address, code] of [
      [url, 'UND_ERR_SOCKET'],
      [gone.url, 'ECONNREFUSED'],
    ] as const) {
      const error = await rejectionOf(askFor(t, sdk, address).asResponse());
      assert.ok(error instanceof sdk.errors.APIConnectionError, String(error));
      assert.equal((error.cause as { code?: string }).code, code);
    }
  });

  test(`${sdk.name}: an address that is not public is found as the cause of the SDK's error`, async (t) => {
    const server = await startServer(t, (_request, response) => response.end());
    const lookup = lookupOf({ 'inside.test': [['127.0.0.1']] });
    const fetch = streamingFetch({ allowPrivateNetwork: false }, testDispatchers(t, { lookup }));
    for (const host of ['127.0.0.1', 'inside.test']) {
      const error = await rejectionOf(sdk.ask({ baseURL: `http://${host}:${server.port}`, fetch }).asResponse());
      assert.ok(error instanceof sdk.errors.APIConnectionError, String(error));
      assert.ok(causesOf(error).some((one) => one instanceof BlockedAddress));
    }
    assert.equal(server.connections, 0);
  });

  test(`${sdk.name}: the SDK's own time-out and its own retries work`, async (t) => {
    const fetch = streamingFetch({ allowPrivateNetwork: true }, testDispatchers(t));
    const silent = await startServer(t, () => undefined);
    const error = await rejectionOf(sdk.ask({ baseURL: silent.url, fetch, timeout: 20 }).asResponse());
    assert.ok(error instanceof sdk.errors.APIConnectionTimeoutError, String(error));
    let asked = 0;
    const { url } = await startServer(t, (_request, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(503, { 'retry-after-ms': '1' }).write('.'.repeat(200_000));
      else response.writeHead(200, EVENT_STREAM).end(sdk.event);
    });
    assert.equal(await text(bodyOf(await sdk.ask({ baseURL: url, fetch, maxRetries: 1 }).asResponse())), sdk.event);
  });
}

function askFor(t: TestContext, sdk: Sdk, baseURL: string, options: DispatcherOptions = {}, signal?: AbortSignal) {
  const fetch = streamingFetch({ allowPrivateNetwork: true }, testDispatchers(t, options));
  return sdk.ask({ baseURL, fetch }, signal);
}
