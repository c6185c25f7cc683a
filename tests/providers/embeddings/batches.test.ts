import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batchesOf, cutToBytes } from '../../../src/providers/embeddings/embedder.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '語', '🌍', '\ud83c'), maxLength: 40 });
const limits = fc.record({
  maxTexts: fc.integer({ min: 1, max: 8 }),
  maxBytes: fc.integer({ min: 50, max: 200 }),
  maxTextBytes: fc.integer({ min: 1, max: 50 }),
});

test('batchesOf: batches contain every text once, in order, within the limits', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), limits, (texts, given) => {
      const batches = [...batchesOf(texts, given)];
      let from = 0;
      for (const batch of batches) {
        assert.equal(batch.from, from);
        from += batch.texts.length;
        assert.ok(batch.texts.length >= 1 && batch.texts.length <= given.maxTexts);
        assert.ok(Buffer.byteLength(batch.texts.join('')) <= given.maxBytes);
      }
      assert.deepEqual(
        batches.flatMap((batch) => batch.texts),
        texts.map((one) => cutToBytes(one, given.maxTextBytes)),
      );
    }),
  );
});

test('batchesOf: no batch has space for the first text of the next', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), limits, (texts, given) => {
      const batches = [...batchesOf(texts, given)];
      for (const [index, batch] of batches.slice(0, -1).entries()) {
        const more = [...batch.texts, batches[index + 1]!.texts[0]!];
        assert.ok(more.length > given.maxTexts || Buffer.byteLength(more.join('')) > given.maxBytes);
      }
    }),
  );
});

test('cutToBytes: keeps the longest beginning of whole characters', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 60 }), (given, maxBytes) => {
      const whole = given.toWellFormed();
      const cut = cutToBytes(given, maxBytes);
      assert.ok(whole.startsWith(cut) && cut.isWellFormed());
      assert.ok(Buffer.byteLength(cut) <= maxBytes);
      const next = String.fromCodePoint(whole.codePointAt(cut.length) ?? 0);
      if (cut.length < whole.length) assert.ok(Buffer.byteLength(cut + next) > maxBytes);
    }),
  );
});

test('cutToBytes: a chunk of 512 tokens is never cut, in any script', () => {
  for (const chunk of [
    'word'.repeat(512),
    'é'.repeat(4 * 512),
    'Я'.repeat(4 * 512),
    'ก'.repeat(4 * 512),
    '語'.repeat(512),
  ]) {
    assert.equal(cutToBytes(chunk, 8_192), chunk);
  }
});
