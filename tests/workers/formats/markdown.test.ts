import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Section } from '../../../src/workers/format.ts';
import { markdownFormat } from '../../../src/workers/formats/markdown.ts';
import { SECTION_BYTES } from '../../../src/workers/formats/utf8-file.ts';
import { goldenInputs } from '../../support/golden-folder.ts';
import { fileOf } from '../../support/upload-file.ts';
import { sectionsOf, sectionsResumed } from './support.ts';

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
