import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { SseDecoder, type SseMessage } from '../../../src/providers/shared/sse.ts';
import { rareTest } from '../../support/rare.ts';

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
