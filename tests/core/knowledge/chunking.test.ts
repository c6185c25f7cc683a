import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CHUNK_TOKENS,
  chunksOf,
  embeddingText,
  estimatedTokens,
  OVERLAP_TOKENS,
  type Passage,
  spansOf,
  type TextSpan,
} from '../../../src/core/knowledge/chunking.ts';
import { assertLinear } from '../../support/linear.ts';

const CHUNK_CHARACTERS = CHUNK_TOKENS * 4;

function chunks(content: Passage['content'], more: Partial<Passage> = {}) {
  return [...chunksOf({ content, headings: [], place: {}, isRecord: false, ...more })];
}

/** Where the first chunk of a text ends that has `before` characters before `between`. */
function firstCut(between: string, before = CHUNK_CHARACTERS - 300): string {
  const text = `${'x'.repeat(before)}${between}${'y'.repeat(CHUNK_CHARACTERS)}`;
  const [first] = spansOf(text, 0);
  return between.slice(0, first!.end - before);
}

test('chunksOf(): normalizes line ends and removes what databases and embedders refuse', () => {
  const texts = (content: Passage['content']) => chunks(content).map(({ text }) => text);
  assert.deepEqual(texts('one\r\ntwo\rthree'), ['one\ntwo\nthree']);
  assert.deepEqual(texts([['a\0b', 'half \ud83d of it']]), ['a b: half \ufffd of it']);
  assert.deepEqual(texts('whole \ud83d\ude00'), ['whole \ud83d\ude00']);
});

test('chunksOf(): a text that fits is one trimmed chunk', () => {
  assert.deepEqual(chunks(' \n A short text.\n\nOf two paragraphs. \n'), [
    { text: 'A short text.\n\nOf two paragraphs.', headings: [], place: {}, metadata: null },
  ]);
  assert.deepEqual(chunks(''), []);
  assert.deepEqual(chunks(' \n\u3000\ufeff'), []);
});

test('chunksOf(): cuts at a paragraph, else a line, a sentence, a word, a character', () => {
  assert.equal(firstCut(' a\n\nb\nc. d e '), ' a');
  assert.equal(firstCut(' a \r\n \r\n b\nc. d e '), ' a');
  assert.equal(firstCut(' a\nb. c d '), ' a');
  assert.equal(firstCut(' a. b c '), ' a.');
  assert.equal(firstCut(' (He said: "no!") b c '), ' (He said: "no!")');
  assert.equal(firstCut(' 一。二三'), ' 一。');
  assert.equal(firstCut(' a b '), ' a b');
  assert.equal(firstCut(''), '');
});

test('chunksOf(): Chinese and Japanese sentences end at their own full stops', () => {
  const sentence = `${'文'.repeat(20)}「はい。」`;
  const [first, second] = chunks(sentence.repeat(60));
  assert.ok(first!.text.endsWith('「はい。」'));
  assert.ok(second!.text.startsWith('文'.repeat(20)));
});

test('chunksOf(): never cuts in the first half of a chunk, so that none is a scrap', () => {
  const [first] = chunks(`Title\n\n${'word '.repeat(2_000)}`);
  assert.ok(estimatedTokens(first!.text) > CHUNK_TOKENS / 2);
});

test('chunksOf(): a chunk of running text repeats the last sentences of the one before', () => {
  const text = Array.from({ length: 300 }, (_, index) => `This is the sentence of number ${index}.`).join(' ');
  const spans = [...spansOf(text, OVERLAP_TOKENS)];
  assert.ok(spans.length > 3);
  for (const [index, { start }] of spans.slice(1).entries()) {
    const shared = text.slice(start, spans[index]!.end);
    assert.match(shared, /^This is the sentence .* \d+\.$/);
    assert.ok(estimatedTokens(shared) <= OVERLAP_TOKENS && estimatedTokens(shared) > OVERLAP_TOKENS / 2, shared);
  }
});

test('chunksOf(): overlaps across paragraph ends, but not across a gap', () => {
  const paragraph = `${'word '.repeat(300)}end.`;
  const near = [...spansOf(`${paragraph}\n\n${paragraph}`, OVERLAP_TOKENS)];
  assert.equal(near[0]!.end, paragraph.length);
  assert.ok(near[1]!.start < paragraph.length);

  const far = `${paragraph}${' '.repeat(1_000)}${paragraph}`;
  const [first, second] = spansOf(far, OVERLAP_TOKENS);
  assert.deepEqual([first!.end, second!.start], [paragraph.length, paragraph.length + 1_000]);
});

test('chunksOf(): a record that fits is one chunk; a larger one does not overlap', () => {
  const metadata = { sku: 'A1' };
  const place = { row: 7 };
  const fields = [
    ['name', 'Chair'],
    ['price', '12,50'],
    ['', 'of no name'],
  ] as const;
  assert.deepEqual(chunks(fields, { isRecord: true, metadata, place }), [
    { text: 'name: Chair\nprice: 12,50\nof no name', headings: [], place, metadata },
  ]);

  const long = Array.from({ length: 200 }, (_, index) => [`field ${index}`, 'some words of a value'] as const);
  const found = chunks(long, { isRecord: true });
  const lines = found.flatMap(({ text }) => text.split('\n'));
  assert.ok(found.length > 1);
  assert.deepEqual(
    lines,
    long.map(([name, value]) => `${name}: ${value}`),
  );
});

test('chunksOf(): each chunk has the line it begins on, unless lines were moved', () => {
  const content = Array.from({ length: 400 }, (_, index) => `line ${index + 10}`).join('\n');
  const found = chunks(content, { place: { line: 10 } });
  assert.ok(found.length > 1);
  for (const { text, place } of found) assert.ok(text.startsWith(`line ${place.line}\n`), text.slice(0, 20));
  for (const { place } of chunks(content, { place: { line: 10 }, linesMoved: true })) assert.equal(place.line, 10);
});

test('embeddingText(): headings precede the text, which does not repeat them', () => {
  const [chunk] = chunks('Run it.', { headings: ['Guide', 'Install'] });
  assert.equal(chunk!.text, 'Run it.');
  assert.equal(embeddingText(chunk!), 'Guide > Install\n\nRun it.');
  assert.equal(embeddingText({ headings: [], text: 'Run it.' }), 'Run it.');
});

test('estimatedTokens(): 4 characters each, or 1 of Chinese, Japanese and Korean', () => {
  assert.equal(estimatedTokens('twelve chars'), 3);
  assert.equal(estimatedTokens('日本語'), 3);
  assert.equal(estimatedTokens('한국어'), 3);
  assert.equal(estimatedTokens('ab日'), 2);
});

test('chunksOf(): no chunk exceeds the target; no character is lost or out of order', () => {
  const property = fc.property(longText(), fc.constantFrom(0, OVERLAP_TOKENS), (text, overlap) => {
    const spans = [...spansOf(text, overlap)];
    let covered = 0;
    let previous: TextSpan = { start: -1, end: 0 };
    for (const { start, end } of spans) {
      assert.ok(start > previous.start && end > previous.end, 'each brings something new');
      assert.equal(text.slice(covered, Math.max(start, covered)).trim(), '');
      assert.ok(estimatedTokens(text.slice(start, end)) <= CHUNK_TOKENS);
      assert.ok(estimatedTokens(text.slice(start, Math.max(start, previous.end))) <= overlap);
      assert.equal(text.slice(start, end).trim(), text.slice(start, end));
      previous = { start, end };
      covered = end;
    }
    assert.equal(text.slice(covered).trim(), '');
  });
  fc.assert(property, { numRuns: 300 });
});

test('chunksOf(): never splits a surrogate pair, nor marks from their letter', () => {
  const property = fc.property(longText(), (text) => {
    const inside = new Set<number>();
    for (const { segment, index } of new Intl.Segmenter().segment(text)) {
      for (let at = index + 1; at < index + segment.length; at++) if (!/\s/.test(segment)) inside.add(at);
    }
    for (const { start, end } of spansOf(text, OVERLAP_TOKENS)) assert.ok(!inside.has(start) && !inside.has(end));
  });
  fc.assert(property, { numRuns: 200 });
});

test('chunksOf(): a letter with more marks than fit is cut, but not a surrogate pair', () => {
  for (const text of [`a${'\u0301'.repeat(20_000)}`, `a${'\u{1d167}'.repeat(20_000)}`, '👨‍👩‍👧‍👦'.repeat(5_000)]) {
    for (const { text: chunk } of chunks(text)) assert.ok(chunk.isWellFormed());
  }
});

test('chunksOf(): time is linear in the text, whatever it contains', () => {
  for (const unit of [
    'a',
    '\u0301',
    '👨‍👩‍👧‍👦',
    ' ',
    'a ',
    '.',
    '. ',
    '\n',
    'a\n',
    ')',
    '。',
    '「',
    `ab${' '.repeat(3_000)}`,
  ]) {
    assertLinear(
      (length) => `x${unit.repeat(length / unit.length)}x`,
      32_000,
      (text) => chunks(text, { place: { line: 1 } }),
    );
  }
});

test('chunksOf(): 3 MB without a space and 20 KB of one letter fill their chunks', () => {
  for (const length of [3_000_000, 20_000]) {
    const spans = [...spansOf('a'.repeat(length), 0)];
    assert.equal(spans.length, Math.ceil(length / CHUNK_CHARACTERS));
  }
});

/** Some thousand characters, enough for several cuts. */
function longText(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    'word',
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '\u3000',
    '. ',
    '.',
    '。',
    '」',
    'é',
    'e\u0301\u0323',
    '日本',
    '한국어',
    '😀',
    '👩‍👩‍👧',
    '👍🏽',
    '\u{20000}',
    'a'.repeat(300),
    ' '.repeat(300),
    '文'.repeat(150),
    'The quick brown fox, and so on. ',
  );
  const run = fc.tuple(piece, fc.integer({ min: 1, max: 60 })).map(([text, times]) => text.repeat(times));
  return fc.array(run, { maxLength: 30 }).map((parts) => parts.join(''));
}
