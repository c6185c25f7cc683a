import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConverseStreamOutput } from '@aws-sdk/client-bedrock-runtime';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { frameBytes } from '../../../src/providers/bedrock/client.ts';
import { readConverse } from '../../../src/providers/bedrock/provider.ts';
import { cutAt, readAll } from '../support.ts';

type Event = ConverseStreamOutput;
const STOP = { messageStop: { stopReason: 'end_turn' } } as Event;
const METADATA = {
  metadata: { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, metrics: undefined },
} as Event;
const delta = (contentBlockIndex: number, part: object) =>
  ({ contentBlockDelta: { contentBlockIndex, delta: part } }) as Event;
const text = (index: number, words: string) => delta(index, { text: words });
const thought = (index: number, part: object) => delta(index, { reasoningContent: part });
const end = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } }) as Event;
const call = (contentBlockIndex: number, toolUseId: string, ...parts: string[]): Event[] => [
  { contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId, name: 'find' } } } } as Event,
  ...parts.map((input) => delta(contentBlockIndex, { toolUse: { input } })),
  end(contentBlockIndex),
];

async function* source(lists: Event[][], failure?: Error): AsyncGenerator<Event> {
  for (const list of lists) {
    await new Promise(setImmediate);
    yield* list;
  }
  if (failure) throw failure;
}

async function told(lists: Event[][], failure?: Error) {
  let closed = false;
  const close = () => {
    closed = true;
  };
  return { ...(await readAll(readConverse(source(lists, failure), close))), closed };
}

test('readConverse: events that arrive together are one batch', async () => {
  const lists = [[text(0, 'a'), text(0, 'b')], [text(0, 'c')], [text(0, 'd'), end(0), STOP, METADATA]];
  const reads = await Array.fromAsync(readConverse(source(lists), () => undefined));
  assert.deepEqual(reads, [
    [{ type: 'text', text: 'ab' }],
    [{ type: 'text', text: 'c' }],
    [
      { type: 'text', text: 'd' },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
      { type: 'finish', reason: 'stop' },
    ],
  ]);
});

test('ConverseReader: every stop reason has a finish reason', async () => {
  const reasons = {
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    guardrail_intervened: 'content_filter',
    content_filtered: 'content_filter',
    malformed_tool_use: 'other',
  };
  for (const [stopReason, expected] of Object.entries(reasons)) {
    const { finish } = await told([[{ messageStop: { stopReason } } as Event, METADATA]]);
    assert.equal(finish, expected, stopReason);
  }
});

test('ConverseReader: cached tokens count as input', async () => {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 22,
    cacheReadInputTokens: 3,
    cacheWriteInputTokens: 4,
  };
  const { usage: counted } = await told([[STOP, { metadata: { usage, metrics: undefined } } as Event]]);
  assert.deepEqual(counted, { inputTokens: 17, outputTokens: 5, cachedInputTokens: 3, cacheWriteTokens: 4 });
});

test('ConverseReader: a call arrives when complete, except those of the service', async () => {
  const toolUse = { toolUseId: 'srv', name: 'nova_grounding', type: 'server_tool_use' };
  const { calls, finish } = await told([
    call(0, 'one', '{"a":', ' 1.50}'),
    [
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse } } } as Event,
      delta(1, { toolUse: { input: '{}' } }),
      end(1),
    ],
    call(2, 'two'),
    [{ messageStop: { stopReason: 'tool_use' } } as Event, METADATA],
  ]);
  assert.deepEqual(
    calls.map(({ id, function: { name, arguments: json } }) => [id, name, json]),
    [
      ['one', 'find', '{"a": 1.50}'],
      ['two', 'find', '{}'],
    ],
  );
  assert.equal(finish, 'tool_calls');
});

test('ConverseReader: thoughts are reasoning, and part of the first call', async () => {
  const { reasoning, calls } = await told([
    [thought(0, { text: 'Hm, ' }), thought(0, { text: 'well.' }), thought(0, { signature: 'c2ln' }), end(0)],
    [thought(1, { redactedContent: Buffer.from('da') }), thought(1, { redactedContent: Buffer.from('ta') }), end(1)],
    [text(2, 'Let me look.'), end(2)],
    call(3, 'one', '{}'),
    call(4, 'two', '{}'),
    [STOP, METADATA],
  ]);
  assert.equal(reasoning, 'Hm, well.');
  assert.deepEqual(calls[0]!.extra_content, {
    anthropic: {
      thinking: [
        { type: 'thinking', thinking: 'Hm, well.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      ],
    },
  });
  assert.ok(!('extra_content' in calls[1]!));
});

test('ConverseReader: unsigned thoughts of other models are dropped', async () => {
  const { calls } = await told([[thought(0, { text: 'Hm.' }), end(0), ...call(1, 'one', '{}'), STOP, METADATA]]);
  assert.ok(!('extra_content' in calls[0]!));
});

test('ConverseReader: unknown events and parts are ignored', async () => {
  const future = { $unknown: ['hologram', {}] } as unknown as Event;
  const { text: said, finish } = await told([
    [future, { contentBlockStart: { contentBlockIndex: 0, start: { image: { format: 'png' } } } } as Event],
    [delta(0, { image: { source: {} } }), delta(0, { citation: {} }), delta(0, { $unknown: ['x', 1] }), end(0)],
    [text(1, 'Olá'), STOP, METADATA],
  ]);
  assert.deepEqual({ said, finish }, { said: 'Olá', finish: 'stop' });
});

test('readConverse: events without content give an empty batch as a sign of life', async () => {
  const lists = [call(0, 'c', '{}').slice(0, 2), [end(0)], [STOP], [METADATA]];
  const reads = await Array.fromAsync(readConverse(source(lists), () => undefined));
  assert.deepEqual(
    reads.map((read) => read.map(({ type }) => type)),
    [[], ['tool_call'], [], ['usage', 'finish']],
  );
});

test('readConverse: an answer without usage is whole, whether it ends or breaks off', async () => {
  for (const failure of [undefined, new Error('aborted')]) {
    const { text: said, finish, usage, fault } = await told([[text(0, 'Olá'), end(0)], [STOP]], failure);
    assert.deepEqual({ said, finish, usage, fault }, { said: 'Olá', finish: 'stop', usage: null, fault: null });
  }
});

test('readConverse: an answer whose usage never comes is whole', async () => {
  const closed = new AbortController();
  async function* hanging(): AsyncGenerator<Event> {
    yield* [text(0, 'Olá'), STOP];
    await new Promise((_, reject) => {
      closed.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }
  const { text: said, finish, fault } = await readAll(readConverse(hanging(), () => closed.abort()));
  assert.deepEqual({ said, finish, fault }, { said: 'Olá', finish: 'stop', fault: null });
});

test('readConverse: an answer without its marker is broken, after its events', async () => {
  const failures: [Error | undefined, string][] = [
    [undefined, 'broken'],
    [new Error('Truncated event message received.'), 'broken'],
    [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'broken'],
    [Object.assign(new Error('Too many.'), { name: 'ThrottlingException', $fault: 'client' }), 'rate_limited'],
    [Object.assign(new Error('No.'), { name: 'ValidationException', $fault: 'client' }), 'refused'],
    [Object.assign(new Error('Oh.'), { name: 'ModelStreamErrorException', $fault: 'client' }), 'unavailable'],
    [Object.assign(new Error(''), { name: 'InternalFailure' }), 'unavailable'],
  ];
  for (const [failure, kind] of failures) {
    const { text: said, finish, fault, closed } = await told([[text(0, 'Olá')]], failure);
    assert.deepEqual({ said, finish, kind: fault?.kind }, { said: 'Olá', finish: null, kind }, failure?.message);
    assert.ok(fault instanceof ProviderFault && fault.message !== '');
    assert.ok(closed);
  }
});

test('readConverse: a reader that stops closes the connection', async () => {
  let closed = false;
  const events = readConverse(source([[text(0, 'a')], [text(0, 'b')]]), () => {
    closed = true;
  });
  for await (const _ of events) break;
  assert.ok(closed);
});

test('readConverse: the connection of a whole answer is read to the end and reused', async () => {
  const { finish, closed } = await told([[text(0, 'a'), STOP, METADATA], []]);
  assert.deepEqual({ finish, closed }, { finish: 'stop', closed: false });
});

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

async function* reads(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

test('frameBytes: frames pass unchanged however they are split', async () => {
  const frame = fc
    .uint8Array({ maxLength: 300 })
    .map((body) => codec.encode({ headers: { ':event-type': { type: 'string', value: 'x' } }, body }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 6 }),
      fc.array(fc.nat(3_000), { maxLength: 10 }),
      async (frames, places) => {
        const parts = cutAt(Buffer.concat(frames), places);
        assert.deepEqual(await Array.fromAsync(frameBytes(reads(parts))), parts);
      },
    ),
  );
});

test('frameBytes: an impossible length is refused before memory is allocated', async () => {
  const frame = codec.encode({ headers: {}, body: new Uint8Array(10) });
  for (const bytes of [Buffer.from('<!doctype html>'), Buffer.from([0, 0, 0, 15]), Buffer.from([1, 0x10, 0, 1])]) {
    for (const places of [[], [1, 2, 3], [frame.length + 2]]) {
      const parts = cutAt(Buffer.concat([frame, bytes]), places);
      await assert.rejects(Array.fromAsync(frameBytes(reads(parts))), RangeError);
    }
  }
});
