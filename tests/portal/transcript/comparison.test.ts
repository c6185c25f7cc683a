import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compare } from '../../../portal/src/transcript/comparison/compare.ts';

const marked = (before: string, after: string) => {
  const comparison = compare(before, after);
  const sign = { same: '', added: '+', removed: '-' };
  return comparison?.parts.map(({ kind, text }) => (kind === 'same' ? text : `${sign[kind]}[${text}]`)).join('');
};

test('Comparison: words that changed; neighbours are one change', () => {
  assert.equal(marked('It arrives on 2 December.', 'It arrives on 3 December.'), 'It arrives on -[2]+[3] December.');
  assert.equal(marked('a b c d', 'a x y d'), 'a -[b c]+[x y] d');
  assert.equal(marked('a\nb', 'c\nd'), '-[a]+[c]\n-[b]+[d]');
  assert.equal(marked('', 'a'), '+[a]');
  assert.equal(marked('O cão está aí.', 'O cao está aí.'), 'O -[cão]+[cao] está aí.');
  assert.equal(marked('我喜欢猫', '我喜欢狗'), '我喜欢-[猫]+[狗]');
});

test('Comparison: many changes are compared by lines, too many not at all', () => {
  const text = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word}${index}`).join(' ');
  assert.equal(compare(text('a'), text('b'))?.by, 'lines');
  const lines = (word: string) => text(word).replaceAll(' ', '\n');
  assert.equal(compare(lines('a'), lines('b')), null);
  assert.equal(compare('a'.repeat(2_000_001), ''), null);
  const long = 'word '.repeat(50_000);
  assert.deepEqual(compare(`${long}\na`, `${long}\nb`), {
    by: 'lines',
    parts: [
      { kind: 'same', text: `${long}\n` },
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'b' },
    ],
  });
});

test('Comparison: each text can be read off it', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom('a', 'b', ' ', '\n', ', ', 'long'), fc.string({ unit: 'binary', maxLength: 3 })))
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compare(before, after)!.parts;
      const without = (left: string) => parts.flatMap((part) => (part.kind === left ? [] : [part.text])).join('');
      assert.deepEqual([without('added'), without('removed')], [before, after]);
      assert.ok(parts.every((part, index) => part.text !== '' && part.kind !== parts[index - 1]?.kind));
    }),
  );
});
