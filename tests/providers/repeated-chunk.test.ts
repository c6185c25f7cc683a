import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RepeatedChunk } from '../../src/providers/repeated-chunk.ts';

const chunkOf = (content: unknown, others: object = {}) =>
  JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...others });

test('the text of a chunk that differs in nothing else is known without reading it', () => {
  const repeated = new RepeatedChunk();
  assert.equal(repeated.textOf(chunkOf('one')), null);
  repeated.learn(chunkOf('one'), 'one');
  assert.equal(repeated.textOf(chunkOf('Olá 🌍')), 'Olá 🌍');
  assert.equal(repeated.textOf(chunkOf('')), '');
});

test('what differs in anything else, or has a text that must be read, is left to be read', () => {
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
    assert.equal(repeated.textOf(other), null, other);
  }
});

test('a chunk in which the text is not to be told from another is not learned', () => {
  const repeated = new RepeatedChunk();
  const twice = '{"content":"one","choices":[{"delta":{"content":"one"}}]}';
  repeated.learn(twice, 'one');
  assert.equal(repeated.textOf(twice), null);
  repeated.learn(chunkOf('a"b'), 'a"b');
  assert.equal(repeated.textOf(chunkOf('c')), null);
});

test('whatever it takes for a text is what JSON.parse finds there', () => {
  // Texts that look like what stands around them.
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
      const known = repeated.textOf(written(second, more));
      if (known === null) return;
      assert.deepEqual(JSON.parse(written(second, more)), JSON.parse(written(known, others)));
      assert.equal(known, second);
    }),
    { numRuns: 2_000 },
  );
});
