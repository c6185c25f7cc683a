import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { testApp } from '../../../support/app.ts';
import { chat, type Received } from '../../../support/chat.ts';
import { rareTest } from '../../../support/rare.ts';
import { fakeUpstream, type ReceivedRequest } from '../../../support/upstream/server.ts';
import { TESTED, type Tested, vendorOf } from './faults/providers.ts';
import { type FuzzedRequest, fuzzedRequest } from './requests.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);

test('POST /chat: any request is sent or refused, and no provider gets an invalid one', (t) => fuzz(t, 75));

rareTest('POST /chat: any of 1,200 requests is sent or refused', (t) => fuzz(t, 1_200));

async function fuzz(t: TestContext, numRuns: number): Promise<void> {
  const { app, upstream } = await everyProvider(t);
  const counts = { asked: 0, refused: 0 };
  const oneOfBoth = fc.asyncProperty(fuzzedRequest, async (request) => {
    const before = upstream.requests.length;
    const received = await chat(app, request.body);
    const asked = upstream.requests.slice(before);
    if (received.status === 200) {
      counts.asked += 1;
      assertAsked(request, received, asked);
    } else {
      counts.refused += 1;
      assertRefused(received, asked);
    }
  });
  await fc.assert(oneOfBoth, { seed, numRuns });
  t.diagnostic(JSON.stringify(counts));
  // Both outcomes must occur often enough to prove anything.
  assert.ok(counts.asked > numRuns / 6 && counts.refused > numRuns / 6);
  assert.equal(upstream.open, 0);
  assert.equal((await app.request('GET', '/readyz')).status, 200);
}

async function everyProvider(t: TestContext) {
  const app = await testApp(t, { rateLimit: 0 });
  const upstream = await fakeUpstream(t);
  const definition = (name: Tested) => ({
    ...{ name, provider: vendorOf(name), baseUrl: upstream.baseUrl(vendorOf(name)) },
    ...{ apiKey: 'sk-fuzz', allowPrivateNetwork: true, ...(name === 'bedrock' ? { region: 'us-east-1' } : {}) },
  });
  await app.runtime.providers.apply(app.tenantId, TESTED.map(definition));
  return { app, upstream };
}

function assertAsked({ body }: FuzzedRequest, received: Received, asked: ReceivedRequest[]): void {
  assert.ok(received.complete);
  assert.equal(asked.length, 1);
  const [{ path, body: sent }] = asked as [ReceivedRequest];
  assert.match(path, PATH);
  if (path.endsWith('/chat/completions')) assertCompletion(sent, String(body.model));
  else assert.ok(typeof sent === 'object' && sent !== null);
}

/** A model, whatever it is called, is one part of the path. */
const PATH =
  /^(\/(openai\/|xai\/|custom\/)?v1\/(chat\/completions|responses|messages)|\/v1beta\/models\/[^/?#]+:streamGenerateContent\?alt=sse|\/model\/[^/?#]+\/converse-stream)$/;

/** 422: the provider of that name has no key here. */
function assertRefused({ status, text }: Received, asked: ReceivedRequest[]): void {
  assert.ok(status === 400 || status === 422, `${status} ${text}`);
  const { statusCode, message, error } = JSON.parse(text);
  assert.equal(statusCode, status);
  assert.equal(error, status === 400 ? 'Bad Request' : 'Unprocessable Entity');
  const messages: unknown[] = status === 400 ? message : [message];
  assert.ok(messages.length > 0 && messages.length <= 101);
  for (const one of messages) assert.match(String(one), /^.+: .|^\.\.\. and \d+ more$/su);
  assert.equal(asked.length, 0, text);
}

const content = z.union([
  z.string(),
  z.null(),
  z.array(z.looseObject({ type: z.enum(['text', 'image_url', 'file']) })),
]);
/** Other members of a call are the vendor's and are sent back unchanged. */
const call = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

/** As OpenAI's reference has it, and written here anew: what is sent must not be right by our own schema alone. */
const completion = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.enum(['system', 'user', 'developer']), content }),
        z.strictObject({ role: z.literal('assistant'), content, tool_calls: z.array(call).min(1).optional() }),
        z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
      ]),
    )
    .min(1),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  stop: z.array(z.string().min(1)).min(1).max(4).optional(),
  seed: z.int().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().regex(/^[\w-]{1,64}$/) }),
      }),
    )
    .min(1)
    .optional(),
  response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
});

function assertCompletion(sent: unknown, model: string): void {
  const { success, error } = completion.safeParse(sent);
  assert.ok(success, `${JSON.stringify(error?.issues)} in ${JSON.stringify(sent)}`);
  assert.equal((sent as { model: string }).model, model);
}
