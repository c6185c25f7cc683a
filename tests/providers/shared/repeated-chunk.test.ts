import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RepeatedChunk } from '../../../src/providers/shared/repeated-chunk.ts';

const chunkOf = (content: unknown, others: object = {}) =>
  JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...others });

const eventOf = (chunk: string) => `data: ${chunk}\n\n`;

/** Null where it must be read. */
function textOf(repeated: RepeatedChunk, chunk: string): string | null {
  const bytes = Buffer.from(eventOf(chunk));
  const { text, end } = repeated.skim(bytes, 0);
  return end === bytes.length ? text : null;
}

test('RepeatedChunk: the text of a similar chunk is read without parsing', () => {
  const repeated = new RepeatedChunk();
  assert.equal(textOf(repeated, chunkOf('one')), null);
  repeated.learn(chunkOf('one'), 'one');
  assert.equal(textOf(repeated, chunkOf('Olá 🌍')), 'Olá 🌍');
  assert.equal(textOf(repeated, chunkOf('')), '');
});

test('RepeatedChunk: texts of adjacent events are joined up to the first other one', () => {
  const repeated = new RepeatedChunk();
  repeated.learn(chunkOf('one'), 'one');
  const [first, second] = [eventOf(chunkOf('Olá')), eventOf(chunkOf(' mundo 🌍'))];
  for (const other of [
    '',
    eventOf('[DONE]'),
    ': ping\n\n',
    second.slice(0, 20),
    second.slice(0, -1),
    second.slice(0, -9),
  ]) {
    const bytes = Buffer.from(`: before\n\n${first}${second}${other}`);
    const from = bytes.indexOf('data:');
    assert.deepEqual(
      repeated.skim(bytes, from),
      { text: 'Olá mundo 🌍', end: bytes.length - Buffer.byteLength(other) },
      other,
    );
  }
  assert.deepEqual(repeated.skim(Buffer.from(': ping\n\n'), 0), { text: '', end: 0 });
});

test('RepeatedChunk: a different chunk or an escaped text is not skimmed', () => {
  const repeated = new RepeatedChunk();
  repeated.learn(chunkOf('one'), 'one');
  for (const other of [
    chunkOf('a"b'),
    chunkOf('a\\b'),
    chunkOf('a\nb'),
    chunkOf('a', { id: 'd' }),
    chunkOf(null),
    '[DONE]',
    '',
  ]) {
    assert.equal(textOf(repeated, other), null, other);
  }
});

test('RepeatedChunk: a chunk with an ambiguous text is not learned', () => {
  const repeated = new RepeatedChunk();
  const twice = '{"content":"one","choices":[{"delta":{"content":"one"}}]}';
  repeated.learn(twice, 'one');
  assert.equal(textOf(repeated, twice), null);
  for (const elsewhere of [
    '"m":{"content":"one"}',
    '"m":{"content": "one"}',
    '"m":{"c\\u006fntent":"one"}',
    '"m":\n1',
  ]) {
    repeated.learn(`{${elsewhere},"choices":[{"delta":{"content":"one"}}]}`, 'one');
    assert.equal(textOf(repeated, `{${elsewhere},"choices":[{"delta":{"content":"one"}}]}`), null, elsewhere);
  }
  repeated.learn(chunkOf('a"b'), 'a"b');
  assert.equal(textOf(repeated, chunkOf('c')), null);
});

test('RepeatedChunk: a skimmed text equals that of JSON.parse', () => {
  // Texts similar to the JSON around them.
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '"content":"', '"}', '"},"finish_reason":"stop"}]}', '\\u0022', '\u2028', '\ud83d'),
  );
  const chunk = fc.tuple(text, fc.constantFrom({}, { id: 'd' }, { usage: null }, { note: '"content":"x"' }));
  fc.assert(
    fc.property(chunk, chunk, fc.boolean(), ([first, others], [second, more], isSpaced) => {
      const written = (content: string, members: object) => {
        const json = chunkOf(content, members);
        return isSpaced ? json.replace('"content":', '"content": ') : json;
      };
      const repeated = new RepeatedChunk();
      repeated.learn(written(first, others), first);
      const known = textOf(repeated, written(second, more));
      if (known === null) return;
      assert.deepEqual(JSON.parse(written(second, more)), JSON.parse(written(known, others)));
      assert.equal(known, second);
    }),
    { numRuns: 2_000 },
  );
});
