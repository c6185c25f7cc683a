import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { SendOutcome } from '../../src/core/watch/deliveries/message.ts';
import { makeSender } from '../../src/senders/index.ts';
import { sendSlack, sendWebhook, slackText } from '../../src/senders/webhook.ts';
import { lookupOf, pour, rejectionOf, startCanary, startServer, testDispatchers } from '../outbound/support.ts';
import { startSpeaker } from '../outbound/transport-support.ts';
import {
  CREATED_AT,
  contextOf,
  errorOf,
  ID,
  LOOPBACK,
  MESSAGE,
  SECRET,
  SECRETS,
  startSink,
  webhookTo,
} from './support.ts';

const sendTo = async (
  t: TestContext,
  url: string,
  given: Parameters<typeof contextOf>[1] = {},
): Promise<SendOutcome> => {
  const outcome = await sendWebhook(webhookTo(url), MESSAGE, contextOf(t, given));
  assert.doesNotMatch(errorOf(outcome), SECRETS);
  return outcome;
};

test('sendWebhook: the reference library verifies what arrives', async (t) => {
  const sink = await startSink(t);
  assert.deepEqual(await sendTo(t, sink.url), { kind: 'sent' });
  const [{ method, path, headers, body } = assert.fail()] = sink.received;
  assert.deepEqual(new Webhook(SECRET).verify(body, headers as Record<string, string>), {
    type: 'alert.alerting',
    timestamp: '2026-11-24T08:00:00.000Z',
    title: MESSAGE.title,
    text: MESSAGE.text,
    data: MESSAGE.data,
  });
  assert.deepEqual([method, path], ['POST', '/hooks/a-secret-path?token=a-secret-token']);
  assert.deepEqual(
    [headers['webhook-id'], headers['content-type'], headers['user-agent']],
    [ID, 'application/json', 'agent-runtime'],
  );
});

test('sendWebhook: the signature is the HMAC-SHA256 of id, timestamp and body', async (t) => {
  const sink = await startSink(t);
  await sendTo(t, sink.url, { timestamp: CREATED_AT + 1_999 });
  const [{ headers, body } = assert.fail()] = sink.received;
  const seconds = String(CREATED_AT / 1_000 + 1);
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signed = createHmac('sha256', key).update(`${ID}.${seconds}.${body}`).digest('base64');
  assert.deepEqual([headers['webhook-timestamp'], headers['webhook-signature']], [seconds, `v1,${signed}`]);
});

test('sendWebhook: a changed body, another secret and an old message do not verify', async (t) => {
  const sink = await startSink(t);
  await sendTo(t, sink.url);
  await sendTo(t, sink.url, { timestamp: Date.now() - 600_000 });
  const [now, old] = sink.received.map(({ body, headers }) => ({ body, headers: headers as Record<string, string> }));
  const webhook = new Webhook(SECRET);
  assert.throws(() => webhook.verify(now!.body.replace('3', '4'), now!.headers), /No matching signature/);
  assert.throws(() => new Webhook(SECRET.replace('_YS', '_YT')).verify(now!.body, now!.headers));
  assert.throws(() => webhook.verify(old!.body, old!.headers), /too old/);
  assert.equal(old!.body, now!.body, 'the body of each attempt is the same');
});

test('sendWebhook: every 2xx is accepted', async (t) => {
  for (const status of [200, 201, 202, 204, 299]) {
    const sink = await startSink(t, (response) => response.writeHead(status).end());
    assert.deepEqual(await sendTo(t, sink.url), { kind: 'sent' });
  }
});

test('sendWebhook: a failure is tried again, 410 is not', async (t) => {
  const expected: Record<number, SendOutcome> = {
    400: { kind: 'retry', error: 'the host answered with 400 Bad Request.', retryAfterMs: null },
    401: { kind: 'retry', error: 'the host answered with 401 Unauthorized.', retryAfterMs: null },
    410: { kind: 'dead', error: 'the host answered with 410 Gone.' },
    500: { kind: 'retry', error: 'the host answered with 500 Internal Server Error.', retryAfterMs: null },
    599: { kind: 'retry', error: 'the host answered with 599.', retryAfterMs: null },
  };
  for (const [status, outcome] of Object.entries(expected)) {
    const sink = await startSink(t, (response) => response.writeHead(Number(status)).end('a-secret text of the sink'));
    assert.deepEqual(await sendTo(t, sink.url), outcome);
  }
});

test('sendWebhook: Retry-After of 429 and 503 counts, in seconds or as a date', async (t) => {
  const now = Date.UTC(2026, 10, 24, 9);
  const asked = async (status: number, retryAfter: string) => {
    const sink = await startSink(t, (response) => response.writeHead(status, { 'retry-after': retryAfter }).end());
    const outcome = await sendTo(t, sink.url, { timestamp: now });
    return outcome.kind === 'retry' && outcome.retryAfterMs;
  };
  assert.equal(await asked(429, '120'), 120_000);
  assert.equal(await asked(503, new Date(now + 90_000).toUTCString()), 90_000);
  assert.equal(await asked(503, 'soon'), null);
  assert.equal(await asked(500, '120'), null);
});

test('sendWebhook: a redirect is not followed', async (t) => {
  const elsewhere = await startSink(t);
  for (const status of [301, 302, 303, 307, 308]) {
    const sink = await startSink(t, (response) => response.writeHead(status, { location: elsewhere.url }).end());
    const outcome = await sendTo(t, sink.url);
    assert.match(errorOf(outcome), new RegExp(`^the host answered with ${status} .*; redirects are not followed\\.$`));
    assert.equal(outcome.kind, 'retry');
  }
  assert.equal(elsewhere.connections, 0);
});

test('sendWebhook: a hanging sink is left when the attempt ends', async (t) => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const sink = await startServer(t, (request) => {
    request.once('close', leave);
    resolve();
  });
  const controller = new AbortController();
  const sending = sendTo(t, sink.url, { signal: controller.signal });
  await asked;
  const reason = new Error('the time is over');
  controller.abort(reason);
  assert.equal(await rejectionOf(sending), reason);
  await left;
});

test('sendWebhook: an endless body is cut off; the status before it counts', async (t) => {
  for (const [status, kind] of [
    [200, 'sent'],
    [500, 'retry'],
  ] as const) {
    let written = 0;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const sink = await startServer(t, (request, response) => {
      request.resume();
      response.writeHead(status);
      response.once('close', () => {
        written = response.socket?.bytesWritten ?? 0;
        resolve();
      });
      pour(response);
    });
    assert.equal((await sendTo(t, sink.url)).kind, kind);
    await closed;
    assert.ok(written < 20_000_000, `${written} bytes were taken`);
  }
});

test('sendWebhook: a false Content-Length changes nothing of the status before it', async (t) => {
  for (const length of [1, 1_000]) {
    const sink = await startSpeaker(t, (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\na body of twenty byte`),
    );
    assert.deepEqual(await sendTo(t, sink.url), { kind: 'sent' });
  }
});

test('sendWebhook: no HTTP, no answer and no server are tried again', async (t) => {
  const babble = await startSpeaker(t, (socket) => socket.end('a-secret word\r\n\r\n'));
  const silent = await startSpeaker(t, (socket) => socket.end());
  const gone = await startServer(t, () => undefined);
  gone.server.close();
  await once(gone.server, 'close');
  const broken = (code: string) => `could not be reached, or broke the connection off (${code}).`;
  for (const [{ url }, problem] of [
    [babble, 'answered what is no HTTP.'],
    [silent, broken('UND_ERR_SOCKET')],
    [gone, broken('ECONNREFUSED')],
  ] as const) {
    assert.deepEqual(await sendTo(t, url), { kind: 'retry', error: `the host ${problem}` });
  }
});

test('sendWebhook: private addresses are dead at once unless the operator allows them', async (t) => {
  const canary = await startCanary(t);
  const urls = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.0.0.1'];
  for (const host of urls) {
    const outcome = await sendTo(t, `http://${host}:${canary.port}`, { networks: [] });
    assert.equal(outcome.kind, 'dead', host);
    assert.match(
      errorOf(outcome),
      /is not at a public address; only the operator may allow others \(AGENT_RUNTIME_ALERT_NETWORKS\)\.$/,
    );
  }
  const elsewhere = await sendTo(t, `http://127.0.0.1:${canary.port}`, { networks: ['10.0.0.0/8'] });
  assert.deepEqual(elsewhere, {
    kind: 'dead',
    error:
      'the host is neither at a public address nor in a network that the operator allows (AGENT_RUNTIME_ALERT_NETWORKS).',
  });
  assert.equal(canary.connections(), 0);
  assert.equal((await sendTo(t, `http://127.0.0.1:${canary.port}`)).kind, 'sent');
  assert.equal(canary.connections(), 1);
});

test('sendWebhook: a name that leads to a private address is dead at once', async (t) => {
  const canary = await startCanary(t);
  const lookup = lookupOf({ 'hooks.test': [['127.0.0.1']], 'mixed.test': [['93.184.216.34', '127.0.0.1']] });
  const connections = testDispatchers(t, { lookup });
  for (const host of ['hooks.test', 'mixed.test']) {
    const outcome = await sendTo(t, `http://${host}:${canary.port}`, { networks: [], connections });
    assert.equal(outcome.kind, 'dead');
    assert.match(errorOf(outcome), new RegExp(`^${host}:${canary.port} is not at a public address`));
  }
  assert.equal(canary.connections(), 0);
  const allowed = await sendTo(t, `http://hooks.test:${canary.port}`, { connections });
  assert.deepEqual([allowed.kind, canary.connections()], ['sent', 1]);
});

test('sendWebhook: a name that is not found is tried again', async (t) => {
  const connections = testDispatchers(t, { lookup: lookupOf({}) });
  for (const networks of [[], LOOPBACK]) {
    const outcome = await sendTo(t, 'https://hooks.test', { networks, connections });
    assert.deepEqual(outcome, {
      kind: 'retry',
      error: 'hooks.test could not be reached, or broke the connection off (ENOTFOUND).',
    });
  }
});

test('sendWebhook: a URL that is none of http and https is dead at once', async (t) => {
  for (const url of ['ftp://example.com', 'https://user:a-secret@example.com', 'nothing']) {
    const outcome = await sendWebhook({ ...webhookTo(''), url }, MESSAGE, contextOf(t));
    assert.deepEqual(outcome, { kind: 'dead', error: 'The URL of the target is not valid.' });
  }
});

test('makeSender: sends by the type of the target, e-mail not without a mail server', async (t) => {
  const sink = await startSink(t);
  const sender = makeSender({ mail: null, networks: LOOPBACK });
  const { connections: _, ...context } = contextOf(t);
  assert.deepEqual(await sender.send(webhookTo(sink.url), MESSAGE, context), { kind: 'sent' });
  assert.deepEqual(await sender.send({ type: 'slack', url: `${sink.url}/slack` }, MESSAGE, context), { kind: 'sent' });
  assert.deepEqual(
    sink.received.map(({ path, headers }) => [path.slice(0, 6), headers['webhook-id'] !== undefined]),
    [
      ['/hooks', true],
      ['/slack', false],
    ],
  );
  const outcome = await sender.send({ type: 'email', to: ['ana@example.com'] }, MESSAGE, context);
  assert.equal(outcome.kind, 'retry');
  assert.match(errorOf(outcome), /^No mail server is set: .*AGENT_RUNTIME_SMTP_URL/);
});

test('sendSlack: the body is what incoming webhooks take', async (t) => {
  const sink = await startSink(t, (response) => response.end('ok'));
  const target = { type: 'slack' as const, url: `${sink.url}/services/T0/B0/x` };
  assert.deepEqual(await sendSlack(target, MESSAGE, contextOf(t)), { kind: 'sent' });
  const [{ method, path, headers, body } = assert.fail()] = sink.received;
  assert.deepEqual([method, path, headers['content-type']], ['POST', '/services/T0/B0/x', 'application/json']);
  assert.deepEqual(JSON.parse(body), { text: '*Too few orders*\norders: 3, fewer than 10\nyesterday: 12' });
});

test('slackText: values of events mention nobody and link nowhere', () => {
  const text = slackText({
    title: 'A *b*\n<!channel>',
    text: '<https://evil.example|x> & @everyone @Here @allan @all',
  });
  assert.equal(
    text,
    '*A ∗b∗ &lt;!channel&gt;*\n&lt;https://evil.example|x&gt; &amp; @\u200beveryone @\u200bHere @allan @\u200ball',
  );
});

test('slackText: has at most 2,000 characters, and ends within no escape', () => {
  for (let length = 1_980; length < 2_010; length += 1) {
    const text = slackText({ title: 't', text: `${'a'.repeat(length)}<😀${'b'.repeat(100)}` });
    assert.ok(text.length <= 2_000 && text.isWellFormed(), String(length));
    assert.match(text, /(a|&lt;|😀|b|\ufffd)\n…$/);
  }
  assert.equal(slackText({ title: 't', text: 'a'.repeat(1_996) }).length, 2_000);
});
