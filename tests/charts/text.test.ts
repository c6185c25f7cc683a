import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { cut, groupNameOf, plain, widthOf } from '../../src/charts/text.ts';

const require = createRequire(import.meta.url);
const FONTS = {
  400: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  600: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

test('widthOf: is close to the width of Inter as resvg draws it', () => {
  for (const text of ['Conversations by channel', '1,234,567.50', 'WWW iii @ {}', 'é über Ñandú', 'Привет', 'Αθήνα']) {
    for (const [weight, file] of Object.entries(FONTS)) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"><text x="0" y="40" font-size="20" font-weight="${weight}" font-family="Inter">|${text}|</text></svg>`;
      const drawn = new Resvg(svg, { font: { fontFiles: [file], loadSystemFonts: false } }).innerBBox()!.width;
      const told = widthOf(`|${text}|`, 20, Number(weight));
      assert.ok(told > drawn * 0.97 && told < drawn * 1.2, `${text}, ${weight}: ${told}, drawn ${drawn}`);
    }
  }
});

test('cut: keeps whole graphemes, and the result fits', () => {
  const family = '👩‍👩‍👧‍👦';
  for (let width = 0; width < 400; width += 7) {
    const shown = cut(family.repeat(5), width, 12);
    assert.equal(shown.replaceAll(family, '').replace('…', ''), '');
    assert.ok(widthOf(shown, 12) <= width + 0.1, `${shown} in ${width}`);
  }
  assert.equal(cut('e\u0301e\u0301e\u0301', 20, 12), 'e\u0301…');
});

test('cut: a text that fits stays whole; without room for an ellipsis it is empty', () => {
  const text = 'customer asked for a person';
  assert.equal(cut(text, widthOf(text, 12), 12), text);
  assert.equal(cut(text, 60, 12), 'custom…');
  assert.equal(cut(text, 5, 12), '');
});

test('plain: one line without control characters, marks of direction or stacked marks', () => {
  assert.equal(plain(' a\n\tb\u0000\u202ec\u2066 '), 'a b c');
  assert.equal(plain('\ud800x'), '\ufffdx');
  assert.equal(plain(`Z${'\u0301'.repeat(60)}`), `Z${'\u0301'.repeat(3)}`);
});

test('groupNameOf: every kind of group has a name', () => {
  const names = [null, undefined, '', 'de', true, 42, { channel: 'web', plan: null }, ['a', 1], {}].map(groupNameOf);
  assert.deepEqual(names, ['(none)', '(none)', '(empty)', 'de', 'true', '42', 'web · (none)', 'a, 1', '(empty)']);
});
