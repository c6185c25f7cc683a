import assert from 'node:assert/strict';

/** Words that texts of answers add to the members of structured content. */
const OWN_WORDS = new Set(
  `Basis Note Previous period Annotation change exactly of all agents agent to now the first event last none seen
  events matched compared with filters rows No in this range buckets groups Go on offset numerator by within s step
  start returned periods tab Error bucket group value share previous count conversion eventName`.split(/\s+/),
);
/** Members that texts say in another form: values in words, formats by what is written in them. */
const SAID_OTHERWISE = new Set([
  ...['format', 'unit', 'goodDirection', 'columns', 'min', 'max', 'target', 'thresholds', 'conversion', 'changeRatio'],
]);
const DRAWN = /[▁-█]/;

/** Nothing is in the text alone, and nothing in the structured content alone. */
export function assertSameAnswer(text: string, data: unknown): void {
  assert.throws(() => JSON.parse(text), 'the text is JSON');
  const known = new Set(wordsOf(stringsOf(data).join('\n')));
  const lines = new Set(stringsOf(data));
  for (const line of text.split('\n')) {
    if (DRAWN.test(line)) assert.ok(lines.has(line.trim()), `only the text draws: ${line}`);
    for (const word of wordsOf(line)) {
      assert.ok(known.has(word) || OWN_WORDS.has(word), `only the text says ${JSON.stringify(word)}: ${line}`);
    }
  }
  const flat = flatten(text);
  for (const value of shownIn(data)) {
    assert.ok(flat.includes(flatten(value)), `the text does not say ${JSON.stringify(value)}: ${text}`);
  }
}

/** With numbers as JSON writes them. */
function wordsOf(text: string): string[] {
  const plain = text.replace(/(?<=\d),(?=\d{3})/g, '');
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}._+:/-]*/gu) ?? []).map((word) => word.replace(/[._+:/-]+$/, ''));
}

/** Without what only arranges a text. */
function flatten(text: string): string {
  return text
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/^ *(- )?> ?/gm, '')
    .replace(/[\s\p{Cc}\p{Cf}"\\]+/gu, '');
}

/** Every name and value. */
function stringsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(stringsOf)];
}

function shownIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(shownIn);
  const isFormatted = 'formatted' in value;
  const isWhole = 'rows' in value && (value.rows as unknown[]).length === (value as { total?: unknown }).total;
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === 'total' && isWhole) return [];
    if (SAID_OTHERWISE.has(name) || (isFormatted && ['value', 'change'].includes(name))) return [];
    return shownIn(member);
  });
}
