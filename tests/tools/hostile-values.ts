/*
 * Values that may be sent for a member of a tool. They are JSON text, because clients may send unusual JSON: 1e999, half
 * of an emoji, a member called __proto__.
 */

const LONG = 'x'.repeat(16_384);

const quoted = (text: string) => JSON.stringify(text);
const WORDS = [
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE events; --",
  '%',
  '../../etc/passwd',
  '$.a',
  '😀',
];

/** JSON texts; each is sent for each member. */
export const HOSTILE: string[] = [
  ...['null', 'true', 'false', '0', '-1', '1', '2.5', '-0.5', '1e300', '-1e300', '1e999', '-1e999', '9007199254740993'],
  ...['""', '" "', quoted(LONG), quoted(LONG.slice(0, 201)), '"a\\ud800b"', '"\\udc00"', '"a\\u0000b"', '"\\u0000"'],
  ...['"2026-02-30"', '"NaN"', '"undefined"', '"null"', '"[]"', '"{}"', '"1"', '"true"', '"\\u202e\\u2028"'],
  ...WORDS.map(quoted),
  ...['[]', '[null]', '[""]', '["a"]', '["a","a"]', '["a","b","c","d"]', '[7]', '[[]]', '[{}]', '["a\\ud800"]'],
  ...[`[${quoted(LONG)}]`, JSON.stringify(Array.from({ length: 2_000 }, (_, index) => `k${index}`))],
  ...['{}', '{"a":1}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"length":1}', '{"0":"a"}'],
  ...[`${'['.repeat(40)}${']'.repeat(40)}`, `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
];
