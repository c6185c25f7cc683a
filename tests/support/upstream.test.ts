import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rareTest } from './rare.ts';
import { scopeOfThisFile } from './shared.ts';
import type { Answer, Outcome, Piece } from './upstream/outcomes.ts';
import { fakeUpstream } from './upstream/server.ts';
import { nothingRead, type Read, SDKS } from './upstream-sdks.ts';

/* The fake is right when the vendors' own SDKs take it for the vendor. */

type Sdk = keyof typeof SDKS;
const ALL = Object.keys(SDKS) as Sdk[];
const THINKING = ALL.filter((sdk) => sdk !== 'chat');

const upstream = await fakeUpstream(scopeOfThisFile());

async function read(sdk: Sdk, outcome: Outcome): Promise<Read> {
  upstream.script(outcome);
  const read = nothingRead();
  await SDKS[sdk](upstream, read);
  return read;
}

const GREETING = 'Olá mundo 🌍';
const CALLS: Piece[] = [
  { type: 'text', text: 'Let me look.' },
  { type: 'toolCall', id: 'call_1', name: 'find_order', arguments: '{"number":"A-17","notes":["🌍","ã"]}' },
  { type: 'toolCall', id: 'call_2', name: 'find_user', arguments: '{"name":"Ana"}' },
];
const USAGE = { inputTokens: 100, outputTokens: 30, cachedInputTokens: 40, cacheWriteTokens: 10, reasoningTokens: 20 };

for (const sdk of ALL) {
  test(`${sdk}: text comes as it was meant`, async () => {
    assert.equal((await read(sdk, {})).text, GREETING);
  });

  test(`${sdk}: tool calls come with their names and whole arguments, beside text`, async () => {
    const { text, calls } = await read(sdk, { pieces: CALLS });
    assert.equal(text, 'Let me look.');
    assert.deepEqual(calls, {
      find_order: '{"number":"A-17","notes":["🌍","ã"]}',
      find_user: '{"name":"Ana"}',
    });
  });

  test(`${sdk}: an answer of nothing ends well`, async () => {
    const { text, finish } = await read(sdk, { pieces: [] });
    assert.equal(text, '');
    assert.ok(finish);
  });

  test(`${sdk}: a refusal in words can be read`, async () => {
    assert.equal((await read(sdk, { pieces: [{ type: 'refusal', text: 'No.' }] })).text, 'No.');
  });
}

for (const sdk of THINKING) {
  test(`${sdk}: thoughts come apart from text`, async () => {
    const { text, reasoning } = await read(sdk, {
      pieces: [
        { type: 'reasoning', text: 'First ' },
        { type: 'reasoning', text: 'thought.', signature: 'c2lnbmVk' },
        { type: 'text', text: 'Said.' },
      ],
    });
    assert.deepEqual([reasoning, text], ['First thought.', 'Said.']);
  });
}

for (const sdk of ['anthropic', 'gemini', 'bedrock'] as const) {
  test(`${sdk}: signed thoughts keep their signature`, async () => {
    const { signature } = await read(sdk, { pieces: [{ type: 'reasoning', text: 'So.', signature: 'c2lnbmVk' }] });
    assert.equal(signature, 'c2lnbmVk');
  });
}

test("FakeUpstream: OpenAI's chat completions contain no reasoning", async () => {
  assert.deepEqual((await read('chat', { pieces: [{ type: 'reasoning', text: 'Hm.' }] })).reasoning, '');
});

const CHAT_FINISHES = { stop: 'stop', length: 'length', tool_calls: 'tool_calls', content_filter: 'content_filter' };
const FINISHES: Record<Sdk, Partial<Record<Answer['finish'], string>>> = {
  responses: { stop: 'completed', length: 'max_output_tokens', content_filter: 'content_filter' },
  chat: CHAT_FINISHES,
  groq: CHAT_FINISHES,
  xai: CHAT_FINISHES,
  custom: CHAT_FINISHES,
  anthropic: {
    ...{ stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' },
    ...{ content_filter: 'refusal', pause_turn: 'pause_turn' },
  },
  gemini: { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', content_filter: 'SAFETY' },
  bedrock: { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'content_filtered' },
};

test('FakeUpstream: each vendor has its own stop reasons', async () => {
  for (const sdk of ALL) {
    for (const [finish, word] of Object.entries(FINISHES[sdk])) {
      assert.equal((await read(sdk, { finish: finish as Answer['finish'] })).finish, word, `${sdk} ${finish}`);
    }
  }
});

test('FakeUpstream: Gemini answers a blocked prompt with a reason, no candidate', async () => {
  assert.equal((await read('gemini', { pieces: [], finish: 'content_filter' })).finish, 'SAFETY');
});

const CHAT_USAGE = {
  prompt_tokens: 100,
  completion_tokens: 30,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 20 },
};
const USAGES: Record<Sdk, object> = {
  responses: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 20 },
    total_tokens: 130,
  },
  chat: CHAT_USAGE,
  groq: { ...CHAT_USAGE, queue_time: 0.01, prompt_time: 0.002, completion_time: 0.02, total_time: 0.022 },
  xai: { ...CHAT_USAGE, completion_tokens: 10 },
  custom: CHAT_USAGE,
  anthropic: {
    input_tokens: 50,
    cache_read_input_tokens: 40,
    cache_creation_input_tokens: 10,
    output_tokens: 30,
    output_tokens_details: { thinking_tokens: 20 },
  },
  gemini: {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 20,
    totalTokenCount: 130,
  },
  bedrock: {
    inputTokens: 50,
    cacheReadInputTokens: 40,
    cacheWriteInputTokens: 10,
    outputTokens: 30,
    totalTokens: 130,
  },
};

test('FakeUpstream: each vendor counts tokens in its own way', async () => {
  for (const sdk of ALL) {
    const { usage } = await read(sdk, { usage: USAGE });
    assert.partialDeepStrictEqual(usage, USAGES[sdk], sdk);
  }
});

test('FakeUpstream: usage is absent where none is set', async () => {
  for (const sdk of ALL.filter((one) => one !== 'anthropic')) {
    assert.equal((await read(sdk, { usage: null })).usage, null, sdk);
  }
});

test('FakeUpstream: text is surrounded by all the events that a vendor sends', async () => {
  assert.deepEqual((await read('responses', {})).events, [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  // The SDK keeps pings to itself.
  assert.deepEqual((await read('anthropic', {})).events, [
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  assert.deepEqual((await read('bedrock', {})).events, [
    'messageStart',
    'contentBlockDelta',
    'contentBlockDelta',
    'contentBlockStop',
    'messageStop',
    'metadata',
  ]);
});

test('FakeUpstream: every SDK recognises an error within a stream', async () => {
  for (const sdk of ALL) {
    for (const after of ['headers', 1] as const) {
      await assert.rejects(read(sdk, { fault: { type: 'errorEvent', after } }), `${sdk} ${after}`);
    }
  }
  // Google's SDK sees its second form only where it comes alone.
  for (const sdk of ['responses', 'groq', 'gemini', 'bedrock'] as const) {
    await assert.rejects(read(sdk, { fault: { type: 'failure', after: 'headers' } }), sdk);
  }
});

test('FakeUpstream: refusals have the status and text that SDKs recognise', async () => {
  for (const sdk of ALL) {
    for (const status of [400, 401, 403, 404, 429, 500, 503, 529]) {
      const thrown = await read(sdk, { fault: { type: 'status', status, message: 'Not today.' } }).then(
        () => assert.fail(`${sdk} ${status} was taken`),
        (error) => error,
      );
      assert.equal(thrown.status ?? thrown.$metadata?.httpStatusCode, status, sdk);
      assert.match(thrown.message, /Not today\./, `${sdk} ${status}`);
    }
  }
});

test('FakeUpstream: Amazon names its errors in a header', async () => {
  for (const [status, name] of [
    [400, 'ValidationException'],
    [403, 'AccessDeniedException'],
    [429, 'ThrottlingException'],
    [503, 'ServiceUnavailableException'],
  ] as const) {
    await assert.rejects(read('bedrock', { fault: { type: 'status', status } }), { name });
  }
  await assert.rejects(read('bedrock', { fault: { type: 'refusedKey' } }), { name: 'UnrecognizedClientException' });
});

rareTest('FakeUpstream: SDKs read an answer however its bytes are split', async () => {
  for (const sdk of ALL) {
    for (const wire of ['crlf', 'comments', 'utf8Split', 'slowDrip', 'oneWrite'] as const) {
      assert.equal((await read(sdk, { wire })).text, GREETING, `${sdk} ${wire}`);
    }
    // Google's SDK reads the first line of data alone.
    if (sdk === 'gemini') await assert.rejects(read(sdk, { wire: 'multiLine' }));
    else assert.equal((await read(sdk, { wire: 'multiLine' })).text, GREETING, `${sdk} multiLine`);
  }
});

test('FakeUpstream: SDKs report damaged frames, at the latest on use', async () => {
  await assert.rejects(read('bedrock', { fault: { type: 'badChecksum', after: 1 } }), /checksum/);
  for (const sdk of ALL) await assert.rejects(read(sdk, { fault: { type: 'badJson', after: 1 } }), sdk);
});

test('FakeUpstream: SDKs take an answer without its end marker as complete', async () => {
  for (const sdk of ALL) {
    const { text, finish } = await read(sdk, { fault: { type: 'earlyEnd', after: 1 } });
    assert.deepEqual([text, finish], ['Olá ', null], sdk);
  }
});
