import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import { streamingFetch } from '../../../src/outbound/fetch.ts';
import {
  faultOfConnection,
  faultOfStatus,
  faultOfVendorError,
  requestIdOf,
  shortMessage,
} from '../../../src/providers/shared/faults.ts';
import { dataUrlOf, fileOf, isText } from '../../../src/providers/shared/files.ts';
import { faultOfSdk, sendRequest } from '../../../src/providers/shared/sdk-requests.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream, type ReceivedRequest } from '../../support/upstream/server.ts';
import { ANTHROPIC, API_KEY, CUSTOM, callOf, GROQ, LEGACY, type Offer, OPENAI, tell, XAI } from '../support.ts';

/* Requests are sent past the SDKs, and must be those that their own methods would send. */

const upstream = await fakeUpstream(scopeOfThisFile());

function settings(offer: Offer) {
  const fetch = streamingFetch({ allowPrivateNetwork: true }) as unknown as typeof globalThis.fetch;
  return { apiKey: API_KEY, baseURL: upstream.baseUrl(offer.provider), maxRetries: 0, timeout: 3_600_000, fetch };
}

const viaChatCompletions = (offer: Offer, body: object) =>
  new OpenAI(settings(offer)).chat.completions.create(body as never).asResponse();

const METHODS: [Offer, (offer: Offer, body: object) => Promise<Response>][] = [
  [OPENAI, (offer, body) => new OpenAI(settings(offer)).responses.create(body as never).asResponse()],
  [LEGACY, viaChatCompletions],
  [XAI, viaChatCompletions],
  [CUSTOM, viaChatCompletions],
  [GROQ, (offer, body) => new Groq(settings(offer)).chat.completions.create(body as never).asResponse()],
  [
    ANTHROPIC,
    // With the key where every server of this API looks for it. `messages.create` would also write to the console.
    (offer, body) => {
      const defaultHeaders = { authorization: null, 'x-api-key': API_KEY };
      return new Anthropic({ ...settings(offer), defaultHeaders })
        .post('/v1/messages', { body, stream: true })
        .asResponse();
    },
  ],
];

for (const [offer, method] of METHODS) {
  test(`${offer.name}: requests equal those of the SDK's own method, header by header`, async () => {
    const { fault } = await tell(offer, upstream, { instructions: 'Grüße.' });
    assert.equal(fault, null);
    const ours = upstream.requests.at(-1)!;
    const response = await method(offer, ours.body as object);
    await response.text();
    const theirs = upstream.requests.at(-1)!;
    assert.notEqual(ours, theirs);
    assert.deepEqual(comparable(ours), comparable(theirs));
  });
}

test('sendRequest: the SDK builds a head once for each set of headers', async () => {
  let built = 0;
  const client = new Anthropic(settings(ANTHROPIC));
  const build = client.buildRequest.bind(client);
  client.buildRequest = (...given) => {
    built += 1;
    return build(...given);
  };
  const call = callOf(ANTHROPIC, upstream.baseUrl('anthropic'));
  const send = async (headers: Record<string, string>) => {
    const body = { model: 'm', stream: true, messages: [], max_tokens: 1 };
    const answer = await sendRequest(client, Anthropic.APIError, { path: '/v1/messages', headers, body }, call);
    await text(answer.body);
    return upstream.requests.at(-1)!.headers['x-team'];
  };
  assert.deepEqual(
    [await send({}), await send({ 'x-team': 'a' }), await send({}), await send({ 'x-team': 'a' })],
    [undefined, 'a', undefined, 'a'],
  );
  assert.equal(built, 2);
});

test("sendRequest: an error status is the SDK's own error with body and headers", async () => {
  const call = callOf(LEGACY, upstream.baseUrl('openai'));
  const client = new OpenAI(settings(LEGACY));
  upstream.script({ fault: { type: 'status', status: 429 } });
  const sent = sendRequest(
    client,
    OpenAI.APIError,
    { path: '/chat/completions', body: { model: 'm', stream: true } },
    call,
  );
  await assert.rejects(sent, (error) => error instanceof OpenAI.RateLimitError && error.headers instanceof Headers);
});

/** What does not differ between any two requests. */
function comparable({ method, path, headers, body }: ReceivedRequest): Partial<ReceivedRequest> {
  return { method, path, headers, body };
}

const read = (filename: string, file_data: string) =>
  fileOf({ type: 'file', file: { filename, file_data } }, 'messages[2].content[1]');

test('fileOf: the type comes from the data or else from the filename', () => {
  assert.deepEqual(read('a.txt', 'data:application/pdf;base64,AAAA'), { mediaType: 'application/pdf', base64: 'AAAA' });
  assert.deepEqual(read('A.PDF', 'AAAA'), { mediaType: 'application/pdf', base64: 'AAAA' });
  assert.deepEqual(read('a.csv', 'data:;base64,AAAA'), { mediaType: 'text/csv', base64: 'AAAA' });
  assert.deepEqual(read('a.docx', 'data:application/octet-stream;base64,AAAA').base64, 'AAAA');
  assert.equal(dataUrlOf(read('a.md', 'AAAA')), 'data:text/markdown;base64,AAAA');
});

test('fileOf: an unknown type is refused with its path and a remedy', () => {
  for (const name of ['a', 'a.unknown', '.pdf']) {
    assert.throws(() => read(name, 'AAAA'), {
      kind: 'refused',
      message: /^messages\[2\]\.content\[1\]\.file\.file_data: .*data: URL/,
    });
  }
});

test('isText: accepts text formats of people and programs', () => {
  for (const type of ['text/plain', 'text/x-python', 'application/json', 'application/ld+json', 'image/svg+xml']) {
    assert.ok(isText(type), type);
  }
  for (const type of ['application/pdf', 'image/png', 'application/vnd.ms-excel', 'application/x-json-seq']) {
    assert.ok(!isText(type), type);
  }
});

const waitOf = (headers: Record<string, string>) => faultOfStatus(429, 'm', headers).retryAfterMs;

test('faultOfStatus: the retry delay is read from every valid source', () => {
  assert.equal(waitOf({ 'retry-after': '2' }), 2_000);
  assert.equal(waitOf({ 'retry-after': '0.5' }), 500);
  assert.equal(waitOf({ 'retry-after-ms': '250', 'retry-after': '2' }), 250);
  assert.equal(waitOf({ 'retry-after-ms': 'soon', 'retry-after': '2' }), 2_000);
  assert.equal(waitOf({ 'retry-after': new Date(0).toUTCString() }), 0);
  assert.equal(waitOf({ 'retry-after': '-5' }), 0);
  for (const said of ['', 'soon', 'Infinity', '1e400']) assert.equal(waitOf({ 'retry-after': said }), null, said);
  for (const said of ['', 'Infinity']) assert.equal(waitOf({ 'retry-after-ms': said }), null, said);
  assert.equal(waitOf({}), null);
});

test('faultOfStatus: an invalid key is a credential fault under any status', () => {
  const kindOf = (message: string) => faultOfStatus(400, message).kind;
  for (const message of [
    'Incorrect API key provided: xa***42. You can obtain an API key from https://console.x.ai.',
    'API key not valid. Please pass a valid API key.',
    'API key expired. Please renew the API key.',
    'Invalid API Key',
  ]) {
    assert.equal(kindOf(message), 'credential', message);
  }
  assert.equal(kindOf('messages.0.content: is invalid'), 'refused');
  assert.equal(kindOf('The key api of the object is not valid.'), 'refused');
});

test('requestIdOf: the id is found under every header name and cut to a length', () => {
  assert.equal(requestIdOf({ 'x-request-id': 'a' }), 'a');
  assert.equal(requestIdOf({ 'request-id': 'b' }), 'b');
  assert.equal(requestIdOf({ 'x-amzn-requestid': 'c' }), 'c');
  assert.equal(requestIdOf({ 'x-request-id': 'x'.repeat(1_000) })?.length, 200);
  assert.equal(requestIdOf({}), null);
});

test('shortened: long texts are cut between characters, on one line', () => {
  assert.equal(shortMessage(' a\n\tb '), 'a b');
  const cut = shortMessage(`${'x'.repeat(999)}🌍 and more`);
  assert.ok(cut.isWellFormed() && cut.length <= 1_010);
});

test('faultOfConnection: an error keeps its code only', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:80'), { code: 'ECONNREFUSED' });
  for (const error of [refused, new Error('Connection error.', { cause: refused })]) {
    const { kind, message, status } = faultOfConnection(error);
    assert.deepEqual([kind, message, status], ['unavailable', 'The provider cannot be reached (ECONNREFUSED).', null]);
  }
  const other = faultOfConnection(new TypeError('Headers.append: "sk-secret" is an invalid header value.'));
  assert.equal(other.message, 'The request could not be sent.');
});

test('faultOfSdk: an error keeps its message and two headers', () => {
  const headers = new Headers({ 'x-request-id': 'r1', 'retry-after': '1', 'set-cookie': 'session=secret' });
  const bodies = [{ message: 'No.' }, { error: { message: 'No.' } }, { error: { error: { message: 'No.' } } }, 'No.'];
  for (const error of bodies) {
    const fault = faultOfSdk(Object.assign(new Error('400 No.'), { status: 400, headers, error }));
    assert.equal(fault.message, 'No.');
    assert.deepEqual([fault.requestId, fault.retryAfterMs], ['r1', 1_000]);
    assert.ok(!JSON.stringify(fault).includes('secret'));
  }
  const bare = faultOfSdk(Object.assign(new Error('502 status code (no body)'), { status: 502, headers }));
  assert.equal(bare.message, '502 status code (no body)');
  const own = faultOfVendorError({ message: 'x' });
  assert.equal(faultOfSdk(own), own);
});
