import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { SseDecoder, type SseMessage } from '../../../src/providers/shared/sse.ts';

const TEXT = new TextEncoder();

function decode(chunks: Uint8Array[]): SseMessage[] {
  const decoder = new SseDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

/** What a parser that others wrote makes of the same text. */
function reference(text: string): SseMessage[] {
  const messages: SseMessage[] = [];
  const onEvent = ({ event = '', data }: EventSourceMessage) => messages.push({ event, data });
  createParser({ onEvent }).feed(text);
  return messages;
}

/** Cuts bytes wherever it pleases, also within characters and line ends. */
const cut = (bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> =>
  fc
    .array(fc.nat(bytes.length), { maxLength: 12 })
    .map((cuts) => [0, ...cuts.sort((one, other) => one - other), bytes.length])
    .map((at) => at.slice(1).map((end, index) => bytes.subarray(at[index], end)));

const word = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, ''));
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom('data:', 'data: ', 'data:  ', 'data'), word).map((two) => two.join('')),
  },
  fc
    .tuple(fc.constantFrom('event:', 'event: ', 'id: ', 'retry: ', ':', ': ', 'datum:', ''), word)
    .map((two) => two.join('')),
  fc.constantFrom('data', 'event', 'data:', '', '', ''),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 })
  .map((lines) => lines.map((two) => two.join('')).join(''));

test('any stream, cut anywhere, gives what another parser makes of it in one piece', () => {
  const streams = stream.chain((text) => cut(TEXT.encode(text)).map((chunks) => ({ text, chunks })));
  fc.assert(
    fc.property(streams, ({ text, chunks }) => {
      // It waits for what follows a return at the end; a line feed there, or none, comes to the same.
      const whole = text.endsWith('\r') ? `${text}\n` : text;
      assert.deepEqual(decode(chunks), reference(whole));
    }),
    { numRuns: 3_000 },
  );
});

test('any text in data comes out as it went in, whatever it is cut into', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' ').toWellFormed());
  const streams = texts.chain((text) => cut(TEXT.encode(`data: ${text}\r\n\r\n`)).map((chunks) => ({ text, chunks })));
  fc.assert(
    fc.property(streams, ({ text, chunks }) => {
      assert.deepEqual(decode(chunks), [{ event: '', data: text }]);
    }),
    { numRuns: 1_000 },
  );
});

test('a mark of the byte order at the beginning is none of the first field', () => {
  assert.deepEqual(decode([TEXT.encode('\uFEFFdata: a\n\n')]), [{ event: '', data: 'a' }]);
});

test('a message whose end has not come is not told', () => {
  assert.deepEqual(decode([TEXT.encode('data: a\n\ndata: b\n')]), [{ event: '', data: 'a' }]);
});

test('twice the bytes, one at a time, are twice the work', () => {
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

test('what is no event is kept aside, as far as it tells anything', () => {
  const decoder = new SseDecoder();
  decoder.push(TEXT.encode('data: a\n\nid: 1\nretry: 2\n: comment\n{"error":\n'));
  decoder.push(TEXT.encode('{"code":500}}'));
  assert.deepEqual(JSON.parse(decoder.stray), { error: { code: 500 } });
  for (let times = 0; times < 100; times++) decoder.push(TEXT.encode(`${'<p>'.repeat(10_000)}\n`));
  assert.ok(decoder.stray.length < 200_000);
});

test('a message without an end is broken, and is not gathered for ever', () => {
  const endless = { kind: 'broken', message: 'The provider sent a message without an end.' };
  const megabyte = 'x'.repeat(1_024 * 1_024);
  const inOneLine = new SseDecoder();
  assert.throws(() => {
    for (let times = 0; times < 70; times++) inOneLine.push(TEXT.encode(megabyte));
  }, endless);
  const inManyLines = new SseDecoder();
  assert.throws(() => {
    for (let times = 0; times < 70; times++) inManyLines.push(TEXT.encode(`data: ${megabyte}\n`));
  }, endless);
});
