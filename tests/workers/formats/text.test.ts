import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textFormat } from '../../../src/workers/formats/text.ts';
import { SECTION_BYTES } from '../../../src/workers/formats/utf8-file.ts';
import { fileOf } from '../../support/upload-file.ts';
import { sectionsOf, sectionsResumed } from './support.ts';

test('text: a small file is one section with Unix line breaks', async (t) => {
  const path = fileOf(t, 'one\r\ntwo\rthree\n');
  assert.deepEqual(await sectionsOf(textFormat, path), [
    {
      content: 'one\ntwo\nthree\n',
      headings: [],
      place: { line: 1 },
      isRecord: false,
      next: { byte: 15, line: 4 },
      done: 1,
    },
  ]);
});

test('text: a file without text has no sections', async (t) => {
  for (const content of ['', '\ufeff', ' \r\n\t\n', '\n'.repeat(3 * SECTION_BYTES)]) {
    assert.deepEqual(await sectionsOf(textFormat, fileOf(t, content)), []);
  }
});

test('text: the byte order mark and NULs are not text', async (t) => {
  const [section] = await sectionsOf(textFormat, fileOf(t, '\ufeffa\0b'));
  assert.equal(section!.content, 'a b');
});

test('text: terminal colours are not text', async (t) => {
  const [section] = await sectionsOf(textFormat, fileOf(t, '\x1b[1;31mERROR\x1b[0m disk full\x1b(B\x1b[m\n'));
  assert.equal(section!.content, 'ERROR disk full\n');
});

test('text: a large file is cut at a paragraph, else a line, a word, a character', async (t) => {
  const filler = (unit: string): string => unit.repeat(SECTION_BYTES / unit.length);
  const ends: Record<string, [text: string, end: RegExp]> = {
    paragraph: [`${'a'.repeat(SECTION_BYTES - 50)}\n\nb\nc d${filler('e')}`, /a\n\n$/],
    'paragraph of Windows': [`${'a'.repeat(SECTION_BYTES - 50)}\r\n \r\nb\r\nc d${filler('e')}`, /a\n \n$/],
    line: [`${'a'.repeat(SECTION_BYTES - 50)}\nb\nc d${filler('e')}`, /b\n$/],
    word: [`${'a'.repeat(SECTION_BYTES - 50)} b c${filler('e')}`, /b $/],
    character: [`a${filler('日')}${filler('日')}`, /日$/],
  };
  for (const [name, [text, end]] of Object.entries(ends)) {
    const [first, ...rest] = await sectionsOf(textFormat, fileOf(t, text));
    assert.match(first!.content as string, end, name);
    assert.equal([first!, ...rest].map(({ content }) => content).join(''), text.replaceAll('\r\n', '\n'), name);
  }
});

test('text: a cut never splits a two-character line break', async (t) => {
  const sections = await sectionsOf(textFormat, fileOf(t, `${'x'.repeat(SECTION_BYTES - 1)}\r\nsecond`));
  assert.deepEqual(
    sections.map(({ place, next }) => [place.line, (next as { line: number }).line]),
    [
      [1, 1],
      [1, 2],
    ],
  );
});

test('text: reading resumes after every section, with lines as editors count', async (t) => {
  const piece = fc.constantFrom('word ', 'é', '日本語', '😀', '\n', '\r\n', '\r', '\n\n', 'x'.repeat(9_000));
  const text = fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 4_000 })), { maxLength: 8 });
  const property = fc.asyncProperty(text, async (runs) => {
    const content = runs.map(([one, times]) => one.repeat(Math.min(times, 100_000 / one.length))).join('');
    const path = fileOf(t, content);
    const sections = await sectionsOf(textFormat, path);
    assert.deepEqual(await sectionsResumed(textFormat, path), sections);

    const plain = content.replace(/\r\n?/g, '\n');
    let from = 0;
    for (const { content, place } of sections as { content: string; place: { line: number } }[]) {
      const at = plain.indexOf(content, from);
      assert.equal(plain.slice(from, at).trim(), '', 'only white space is left out');
      assert.equal(place.line, plain.slice(0, at).split('\n').length);
      assert.ok(Buffer.byteLength(content) <= SECTION_BYTES);
      from = at + content.length;
    }
    assert.equal(plain.slice(from).trim(), '');
  });
  await fc.assert(property, { numRuns: 40 });
});
