import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import { streamingFetch } from '../../../src/outbound/fetch.ts';
import { sendRequest } from '../../../src/providers/shared/sdk-requests.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream, type ReceivedRequest } from '../../support/upstream/server.ts';
import { ANTHROPIC, API_KEY, CUSTOM, callOf, GROQ, LEGACY, type Offer, OPENAI, tell, XAI } from '../support.ts';

/* Requests are sent past the SDKs, and must be those that their own methods would send. */

const upstream = await fakeUpstream(scopeOfThisFile());

/** The SDK's own way of sending, over the same connections. */
function settings(offer: Offer) {
  const fetch = streamingFetch({ allowPrivateNetwork: true }) as unknown as typeof globalThis.fetch;
  return { apiKey: API_KEY, baseURL: upstream.baseUrl(offer.provider), maxRetries: 0, timeout: 3_600_000, fetch };
}

const viaChatCompletions = (offer: Offer, body: object) =>
  new OpenAI(settings(offer)).chat.completions.create(body as never).asResponse();

/** The method of each SDK that streams a chat. */
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
