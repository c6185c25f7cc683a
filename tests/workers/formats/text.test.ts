import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Format, Section } from '../../../src/workers/format.ts';
import { docx } from '../../../src/workers/formats/docx/format.ts';
import { markdownFormat } from '../../../src/workers/formats/markdown.ts';
import { pdf } from '../../../src/workers/formats/pdf.ts';
import { textFormat } from '../../../src/workers/formats/text.ts';
import { SECTION_BYTES, Utf8File } from '../../../src/workers/formats/utf8-file.ts';
import { goldenInputs } from '../../support/golden-folder.ts';
import { fileOf } from '../../support/upload-file.ts';
import { optionsFor, readAll } from './sections.ts';
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

/** Which bytes become which, and where the file ends; positions in thousandths of its size. */
const DAMAGES = fc.record({
  exchanged: fc.array(fc.tuple(fc.nat(999), fc.nat(255)), { minLength: 1, maxLength: 20 }),
  kept: fc.oneof({ weight: 4, arbitrary: fc.constant(1_000) }, fc.nat(1_000)),
});

const FILES: [format: Format, name: 'pdf' | 'docx', files: string[]][] = [
  [pdf, 'pdf', ['two-columns.pdf', 'page-tree-loop.pdf', 'cjk-without-font.pdf', 'owner-password.pdf']],
  [docx, 'docx', ['libreoffice.docx', 'pandoc.docx']],
];

for (const [format, name, files] of FILES) {
  for (const { path } of goldenInputs(name, `.${name}`).filter((input) => files.includes(basename(input.path)))) {
    test(`${basename(path)}: any damage is either readable or reported as unreadable`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'damaged-'));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const whole = readFileSync(path);
      const damaged = join(folder, 'upload');
      const isRead = fc.asyncProperty(DAMAGES, async ({ exchanged, kept }) => {
        const content = Buffer.from(whole);
        for (const [place, byte] of exchanged) content[Math.floor((place * content.length) / 1_000)] = byte;
        writeFileSync(damaged, content.subarray(0, Math.floor((kept * content.length) / 1_000)));
        await readAll(format, damaged, optionsFor(name));
      });
      await fc.assert(isRead, { numRuns: 50 });
    });
  }
}

test('Utf8File: bytes are the same wherever and in whichever order they are read', (t) => {
  const content = randomBytes(2_500_000);
  const file = new Utf8File(fileOf(t, content));
  t.after(() => file.close());
  const place = fc.tuple(fc.integer({ min: 0, max: content.length }), fc.integer({ min: 0, max: 70_000 }));
  const property = fc.property(fc.array(place, { minLength: 2 }), (places) => {
    for (const [from, length] of places) {
      assert.ok(file.bytes(from, length).equals(content.subarray(from, from + length)));
    }
  });
  fc.assert(property);
  assert.equal(file.size, content.length);
});

test('Utf8File: the text begins after a byte order mark', (t) => {
  for (const [content, start] of [
    ['\ufeffa', 3],
    ['a', 0],
    ['', 0],
  ] as const) {
    const file = new Utf8File(fileOf(t, content));
    t.after(() => file.close());
    assert.equal(file.start, start);
    assert.equal(file.text(file.start, file.size), content.replace('\ufeff', ''));
  }
});

function written({ content, headings, place }: Section): string {
  return `== line ${place.line}: ${headings.join(' > ')}\n${content as string}`.trimEnd();
}

async function contentsOf(path: string): Promise<unknown[]> {
  return (await sectionsOf(markdownFormat, path)).map(({ content }) => content);
}

for (const { name, path } of goldenInputs('md', '.md')) {
  test(`Markdown: ${name} has the same sections when resumed`, async (t) => {
    const upload = fileOf(t, readFileSync(path));
    assert.deepEqual(await sectionsResumed(markdownFormat, upload), await sectionsOf(markdownFormat, upload));
  });
}

test('Markdown: a file without text has no sections', async (t) => {
  for (const content of ['', '\ufeff', ' \r\n\n', '---\n---\n', '#\n##\n']) {
    assert.deepEqual(await sectionsOf(markdownFormat, fileOf(t, content)), [], JSON.stringify(content));
  }
});

test('Markdown: headings without text are sections, so that searches find them', async (t) => {
  const sections = await sectionsOf(markdownFormat, fileOf(t, '# Guide\n## Install\n## Run'));
  assert.deepEqual(sections.map(written), ['== line 2: Guide\nInstall', '== line 3: Guide\nRun']);
  assert.equal(sections.at(-1)!.done, 1);
});

test('Markdown: Windows and old Mac line ends and a byte order mark hide no heading', async (t) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const path = fileOf(t, ['\ufeff# One', '', 'text', '', 'Two', '===', 'more', ''].join(end));
    assert.deepEqual((await sectionsOf(markdownFormat, path)).map(written), [
      '== line 2: One\n\ntext',
      '== line 7: Two\nmore',
    ]);
  }
});

test('Markdown: long sections are cut at a blank line, also in code and within a line', async (t) => {
  const paragraph = `${`${'word '.repeat(23)}\n`.repeat(9)}\n`;
  const code = `~~~\n${'# no heading\n'.repeat(20_000)}~~~\n`;
  const line = `${'x'.repeat(100_000)} ${'# no heading '.repeat(10_000)}\n`;
  const path = fileOf(t, `# One\n${paragraph.repeat(150)}## Two\n${code}${line}## Three\nend`);
  const sections = await sectionsOf(markdownFormat, path);

  assert.deepEqual(
    [...new Set(sections.map(({ headings }) => headings.join(' > ')))],
    ['One', 'One > Two', 'One > Three'],
  );
  assert.ok((sections[0]!.content as string).endsWith('\n\n'));
  assert.equal(sections.at(-1)!.place.line, 21_507);
  for (const { content } of sections) assert.ok(Buffer.byteLength(content as string) <= SECTION_BYTES);
  assert.deepEqual(await sectionsResumed(markdownFormat, path), sections);
});

test('Markdown: the rest of a line read in parts is not a heading', async (t) => {
  const path = fileOf(t, `${'x'.repeat(SECTION_BYTES - 1)} # no heading\n# One\ntext`);
  const sections = await sectionsOf(markdownFormat, path);
  assert.deepEqual(sections.slice(1).map(written), ['== line 1: \n# no heading', '== line 3: One\ntext']);
});

test('Markdown: unclosed code, HTML and comments lose headings but no text', async (t) => {
  for (const opening of ['```', '~~~~ js', '<!-- note', '<pre>', '<script src="x">']) {
    const sections = await sectionsOf(markdownFormat, fileOf(t, `# One\n${opening}\n# Two\ntext`));
    assert.deepEqual(sections.map(written), [`== line 2: One\n${opening}\n# Two\ntext`]);
  }
});

test('Markdown: a line that only looks like a heading is text', async (t) => {
  const lines = [
    '#hash',
    '####### seven',
    '    # code',
    '\t# code',
    '\\# escaped',
    '> # quoted',
    `# ${'long '.repeat(100)}`,
  ];
  for (const line of lines) assert.deepEqual(await contentsOf(fileOf(t, `${line}\n`)), [`${line}\n`]);
  for (const text of ['- item\n---\n', '> quote\n---\n', '| a |\n---\n', 'text\n\n---\n', '***\n---\n', '<b>\n---\n']) {
    assert.deepEqual(await contentsOf(fileOf(t, text)), [text]);
  }
});

test('Markdown: no text is lost or doubled, wherever reading resumes', async (t) => {
  const line = fc.constantFrom(
    '# One',
    '## Two #',
    '### **Three**',
    '#',
    'Setext',
    '===',
    '---',
    '...',
    '',
    'text',
    '- item',
    '```',
    '~~~',
    '<!--',
    '-->',
    'a: b',
    '> quote',
    '    code',
    `${'word '.repeat(3_000)}`,
    'z'.repeat(30_000),
    '日'.repeat(9_000),
  );
  const file = fc.tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n', '\r'));
  const property = fc.asyncProperty(file, async ([lines, end]) => {
    const path = fileOf(t, lines.join(end));
    const sections = await sectionsOf(markdownFormat, path);
    assert.deepEqual(await sectionsResumed(markdownFormat, path), sections);

    const said = sections.map(({ content, headings }) => `${headings.join(' ')} ${content as string}`).join(' ');
    for (const text of lines) {
      const words = text.replace(/^#+|#+$/g, '').trim();
      if (!/^(?:[=.-]+|#*)$/.test(words)) assert.ok(said.includes(words.slice(0, 50)), words.slice(0, 50));
    }
    const letters = (text: string): number => text.replace(/[^z日]/g, '').length;
    assert.equal(
      sections.reduce((sum, { content }) => sum + letters(content as string), 0),
      letters(lines.join('')),
    );
  });
  await fc.assert(property, { numRuns: 150 });
});
