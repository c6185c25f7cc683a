import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ChatEvent, ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { ResponseBody } from '../../../src/outbound/response-body.ts';
import { AnthropicReader } from '../../../src/providers/anthropic/reader.ts';
import { ChatCompletionReader } from '../../../src/providers/chat-completions/reader.ts';
import { readEvents } from '../../../src/providers/shared/reading.ts';
import { SseDecoder, type SseMessage } from '../../../src/providers/shared/sse.ts';
import { startServer } from '../../outbound/support.ts';
import { rareTest } from '../../support/rare.ts';
import { askAt, bodyOf, CUSTOM, cutAt, readAll } from '../support.ts';
import { eventsOf } from '../transcripts.ts';

const say = (content: string) => ({ choices: [{ delta: { content } }] });
const END = { choices: [{ delta: {}, finish_reason: 'stop' }] };

type Say = (response: ServerResponse) => unknown;

async function reads(t: TestContext, answer: Say) {
  const server = await startServer(t, (request, response) => {
    request.resume();
    answer(response);
  });
  return (await askAt(CUSTOM, server.url)).events;
}

/** The reads until the end of what comes, though it is no end of an answer. */
async function* endless(reads: AsyncGenerator<ChatEvent[]>): AsyncGenerator<ChatEvent[]> {
  try {
    yield* reads;
  } catch (fault) {
    assert.equal((fault as ProviderFault).kind, 'broken');
  }
}

const tell = async (t: TestContext, answer: Say) => readAll(await reads(t, answer));

test('readEvents: the events of a read are one batch, texts joined and usage first', async (t) => {
  const counted = (completion_tokens: number) => ({ ...say('c'), usage: { prompt_tokens: 1, completion_tokens } });
  const thought = { choices: [{ delta: { reasoning: 'd' } }] };
  const events = await reads(t, (response) =>
    response.end(eventsOf(say('a'), say('b'), counted(1), counted(2), thought, say('e'), END, '[DONE]')),
  );
  const all: ChatEvent[][] = [];
  for await (const read of events) all.push(read);
  assert.deepEqual(all, [
    [
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'text', text: 'abcc' },
      { type: 'reasoning', text: 'd' },
      { type: 'text', text: 'e' },
      { type: 'finish', reason: 'stop' },
    ],
  ]);
});

test('readEvents: a comment or part of an event gives an empty batch', async () => {
  const comments = bodyOf(': thinking\n\n', eventsOf(say('a')), ': thinking\n\n', 'data: {', '"choices":[]}\n\n');
  const reads: unknown[] = [];
  for await (const read of endless(readEvents(comments, new ChatCompletionReader()))) reads.push(read);
  assert.deepEqual(reads, [[], [{ type: 'text', text: 'a' }], [], [], []]);
  const ping = bodyOf('event: ping\ndata: {"type": "ping"}\n\n');
  const [read] = await Array.fromAsync(endless(readEvents(ping, new AnthropicReader({ mayContinue: false }))));
  assert.deepEqual(read, []);
});

test('readEvents: the text does not depend on how the stream is written and split', async () => {
  const data = (content: string, more: object = {}) => JSON.stringify({ id: 'c', ...say(content), ...more });
  const written: ((content: string) => string)[] = [
    (content) => `data: ${data(content)}\n\n`,
    (content) => `data: ${data(content)}\n\n`,
    (content) => `data: ${data(content)}\r\n\r\n`,
    (content) => `data:${data(content)}\n\n`,
    (content) => `: ping\n\nid: 7\ndata: ${data(content)}\n\n`,
    (content) => `data: ${data(content, { id: 'd' })}\n\n`,
    (content) => `event: \nretry: 5\ndata: ${data(content, { usage: null })}\n\n\n`,
    (content) => `data: ${data(content).replace(',', ',\ndata: ')}\n\n`,
  ];
  const text = fc.oneof(
    fc.constantFrom(' the', 'Olá', '🌍', '\n', '"', '\\', '"}}]}\n\n'),
    fc.string({ unit: 'grapheme' }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, fc.constantFrom(...written)), { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (chunks, places) => {
        const events = chunks.map(([content, write]) => write(content)).join('');
        const bytes = Buffer.from(events + eventsOf(END, '[DONE]'));
        const {
          fault,
          finish,
          text: told,
        } = await readAll(readEvents(bodyOf(...cutAt(bytes, places)), new ChatCompletionReader()));
        assert.deepEqual([fault, finish, told], [null, 'stop', chunks.map(([content]) => content).join('')]);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('readChunk: a known chunk within another event is not skimmed', async () => {
  const [chunk, last] = [eventsOf(say('a')), eventsOf(END, '[DONE]')];
  const textAfter = async (part: string) => {
    const { text, fault } = await readAll(readEvents(bodyOf(chunk, part, chunk, last), new ChatCompletionReader()));
    return `${text} ${fault?.kind ?? 'whole'}`;
  };
  assert.equal(await textAfter(': '), 'a whole', 'a comment');
  assert.equal(await textAfter('x'), 'a whole', 'no field of an event');
  assert.equal(await textAfter('data: ['), 'a broken', 'a text within what is no JSON');
  assert.equal(await textAfter('data: [1,\n'), 'a broken', 'a line of longer data');
  assert.equal(await textAfter('event: error\n'), 'a unavailable', 'an error');
  assert.equal(await textAfter('id: 7\n'), 'aa whole', 'another field of the same event');
});

test('readEvents: events before a fault in the same read are delivered', async (t) => {
  const told = await tell(t, (response) => response.end(eventsOf(say('a'), '{"choices":[{', say('b'))));
  assert.deepEqual([told.text, told.fault?.kind], ['a', 'broken']);
  assert.equal(told.fault?.message, 'The provider sent invalid JSON.');
});

test('readEvents: a whole answer ends though its server does not', async () => {
  let isLeft = false;
  const leave = () => {
    isLeft = true;
  };
  const body = new ResponseBody({ pause: () => undefined, resume: () => undefined, abort: leave });
  body.push(Buffer.from(eventsOf(say('a'), END)));
  const all: ChatEvent[] = [];
  for await (const read of readEvents(body, new ChatCompletionReader(), 20)) all.push(...read);
  assert.deepEqual(all, [
    { type: 'text', text: 'a' },
    { type: 'finish', reason: 'stop' },
  ]);
  assert.ok(isLeft);
});

test('readEvents: JSON that is not a chunk is broken', async (t) => {
  for (const data of ['null', '{"choices":[null,1],"x_groq":null}', '{"choices":[{"delta":{"tool_calls":[null]}}]}']) {
    const told = await tell(t, (response) => response.end(eventsOf(say('a'), data)));
    assert.deepEqual([told.text, told.fault?.kind], ['a', 'broken'], data);
  }
});

test('readEvents: an error in plain JSON instead of the stream is read', async (t) => {
  const told = await tell(t, (response) =>
    response.end(JSON.stringify({ error: { message: 'Model not\nloaded.', code: 503 } }, null, 2)),
  );
  assert.deepEqual([told.fault?.kind, told.fault?.message], ['unavailable', 'Model not loaded.']);
});

test('readEvents: a whole answer in place of the stream is read', async (t) => {
  const content = 'Hello! '.repeat(50_000);
  const whole = { choices: [{ message: { content }, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } };
  for (const space of [0, 2]) {
    const told = await tell(t, (response) => response.end(JSON.stringify(whole, null, space)));
    assert.deepEqual([told.text === content, told.usage?.inputTokens, told.finish], [true, 1, 'stop']);
  }
});

test('readEvents: an error in a field of its own is read', async (t) => {
  const told = await tell(t, (response) =>
    response.end(`${eventsOf(say('a'))}error: {"code":503,"message":"Slot."}\n\n`),
  );
  assert.deepEqual([told.text, told.fault?.kind, told.fault?.message], ['a', 'unavailable', 'Slot.']);
});

test('readEvents: an error after events and an end without a blank line are read', async () => {
  const read = async (text: string, size: number) => {
    const body = new ResponseBody({ pause: () => undefined, resume: () => undefined, abort: () => undefined });
    for (let at = 0; at < text.length; at += size) body.push(Buffer.from(text.slice(at, at + size)));
    body.end();
    const told = [];
    try {
      for await (const events of readEvents(body, new ChatCompletionReader())) told.push(...events);
    } catch (error) {
      told.push((error as Error).message);
    }
    return told.at(-1);
  };
  for (const size of [1, 2, 3, 1_000]) {
    assert.equal(await read(`${eventsOf(say('a'))}${JSON.stringify({ error: { message: 'Full.' } })}`, size), 'Full.');
    assert.deepEqual(await read(eventsOf(say('a'), END).trimEnd(), size), { type: 'finish', reason: 'stop' });
  }
});

test('readEvents: a body that is not a stream is broken', async (t) => {
  for (const body of ['<html>Log in</html>', '', '\n\n\n', 'data', '"text"', '[1]']) {
    const told = await tell(t, (response) => response.end(body));
    assert.deepEqual([told.text, told.fault?.kind], ['', 'broken'], body);
    assert.equal(told.fault?.message, 'The provider ended its answer before it was whole.', body);
  }
});

test('readEvents: events without data are ignored', async (t) => {
  const told = await tell(t, (response) => response.end(eventsOf(say('a'), '', say('b'), END, '', '[DONE]')));
  assert.deepEqual([told.text, told.finish], ['ab', 'stop']);
});

test('readEvents: with a finish reason an answer is whole without the marker', async (t) => {
  const ended = await tell(t, (response) => response.end(eventsOf(say('a'), END)));
  assert.deepEqual([ended.text, ended.finish, ended.fault], ['a', 'stop', null]);
  const cut = await tell(t, (response) => {
    response.write(eventsOf(say('a'), END), () => response.destroy());
  });
  assert.deepEqual([cut.text, cut.finish, cut.fault], ['a', 'stop', null]);
});

test('readEvents: the marker ends the answer and then a connection that stays open', async (t) => {
  let closed: Promise<unknown> | undefined;
  const told = await tell(t, (response) => {
    closed = once(response, 'close');
    response.write(eventsOf(say('a'), END, '[DONE]'));
  });
  assert.deepEqual([told.text, told.finish], ['a', 'stop']);
  await closed;
});

test('readEvents: nothing after the marker is read', async (t) => {
  const told = await tell(t, (response) => response.end(eventsOf(say('a'), END, '[DONE]', { error: 'too late' })));
  assert.deepEqual([told.text, told.finish, told.fault], ['a', 'stop', null]);
});

test('readEvents: a character split by the network is joined', async (t) => {
  const bytes = Buffer.from(eventsOf(say('🌍'), END, '[DONE]'));
  const at = bytes.indexOf(0xf0) + 2;
  const told = await tell(t, (response) => {
    response.write(bytes.subarray(0, at), () => setImmediate(() => response.end(bytes.subarray(at))));
  });
  assert.equal(told.text, '🌍');
});

const TEXT = new TextEncoder();

type Golden = [stream: string, ...messages: [event: string, data: string][]];

/** Random streams with their messages, recorded from a decoder of our own that agreed with `eventsource-parser` 4.1.3. */
const GOLDEN = readFileSync(new URL('sse-golden.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden);

function decode(chunks: Uint8Array[]): SseMessage[] {
  const decoder = new SseDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

/** Bytes cut anywhere, also within characters and line ends. */
const cut = (bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> =>
  fc
    .array(fc.nat(bytes.length), { maxLength: 12 })
    .map((cuts) => [0, ...cuts.sort((one, other) => one - other), bytes.length])
    .map((at) => at.slice(1).map((end, index) => bytes.subarray(at[index], end)));

test('SseDecoder: recorded streams cut anywhere give the recorded messages', () => {
  assert.ok(GOLDEN.length >= 150);
  for (const [stream, ...recorded] of GOLDEN) {
    const messages = recorded.map(([event, data]) => ({ event, data }));
    assert.deepEqual(decode([TEXT.encode(stream)]), messages, stream);
    fc.assert(
      fc.property(cut(TEXT.encode(stream)), (chunks) => assert.deepEqual(decode(chunks), messages)),
      { numRuns: 20 },
    );
  }
});

test('SseDecoder: any text in data comes out unchanged, wherever it is cut', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' ').toWellFormed());
  const streams = texts.chain((text) => cut(TEXT.encode(`data: ${text}\r\n\r\n`)).map((chunks) => ({ text, chunks })));
  fc.assert(
    fc.property(streams, ({ text, chunks }) => {
      assert.deepEqual(decode(chunks), [{ event: '', data: text }]);
    }),
    { numRuns: 1_000 },
  );
});

test('SseDecoder: a byte order mark at the beginning is dropped', () => {
  assert.deepEqual(decode([TEXT.encode('\uFEFFdata: a\n\n')]), [{ event: '', data: 'a' }]);
});

test('SseDecoder: an unfinished message is not delivered', () => {
  assert.deepEqual(decode([TEXT.encode('data: a\n\ndata: b\n')]), [{ event: '', data: 'a' }]);
});

rareTest('SseDecoder: work grows linearly with bytes that arrive one at a time', () => {
  const work = (kilobytes: number) => {
    const bytes = TEXT.encode(`data: ${'x'.repeat(kilobytes * 1_024)}\n\n`);
    const decoder = new SseDecoder();
    const before = process.cpuUsage();
    let messages = 0;
    for (let at = 0; at < bytes.length; at++) messages += decoder.push(bytes.subarray(at, at + 1)).length;
    assert.equal(messages, 1);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  work(256);
  const least = (kilobytes: number) => Math.min(...[1, 2, 3].map(() => work(kilobytes)));
  const ratio = least(2_048) / least(256);
  // Eight times the bytes; were each to cost what came before it, it would be 64 times the work.
  assert.ok(ratio < 24, `${ratio}`);
});

test('SseDecoder: stray holds the text outside events, up to a limit', () => {
  const decoder = new SseDecoder();
  decoder.push(TEXT.encode('data: a\n\nid: 1\nretry: 2\n: comment\n{"error":\n'));
  decoder.push(TEXT.encode('{"code":500}}'));
  assert.deepEqual(JSON.parse(decoder.stray), { error: { code: 500 } });
  for (let times = 0; times < 100; times++) decoder.push(TEXT.encode(`${'<p>'.repeat(10_000)}\n`));
  assert.ok(decoder.stray.length < 200_000);
});

test('SseDecoder: an endless message is refused as broken', () => {
  const endless = { kind: 'broken', message: 'The provider sent a message without an end.' };
  const megabyte = 'x'.repeat(1_024 * 1_024);
  const inOneLine = new SseDecoder();
  inOneLine.push(TEXT.encode('data: '));
  assert.throws(() => {
    for (let times = 0; times < 70; times++) inOneLine.push(TEXT.encode(megabyte));
  }, endless);
  const inManyLines = new SseDecoder();
  assert.throws(() => {
    for (let times = 0; times < 70; times++) inManyLines.push(TEXT.encode(`data: ${megabyte}\n`));
  }, endless);
});
