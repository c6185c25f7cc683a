import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import type { Section } from '../../../src/workers/format.ts';
import { cleanText, pdf } from '../../../src/workers/formats/pdf.ts';
import { goldenInputs } from '../../support/golden-folder.ts';
import { fileOf } from '../../support/upload-file.ts';
import { lineOfText, pdfOfPages, stream } from './make-pdf.ts';
import { optionsFor, readAll, readInSteps } from './sections.ts';

const OPTIONS = optionsFor('pdf');

for (const { name, path } of goldenInputs('pdf', '.pdftotext.txt')) {
  test(`PDF: ${name} has nearly the same words as pdftotext`, async () => {
    const sections = (await readAll(pdf, path.replace('.pdftotext.txt', '.pdf'), OPTIONS)) as Section[];
    const ours = wordsOf(sections.map((section) => section.content).join('\n'));
    const theirs = wordsOf(readFileSync(path, 'utf8'));
    const common = overlap(ours, theirs);
    assert.ok(common / ours.length >= 0.95, `${common} of our ${ours.length}`);
    assert.ok(common / theirs.length >= 0.95, `${common} of their ${theirs.length}`);
  });
}

test('PDF: reading resumes after any page with the same rest', async () => {
  const { path } = goldenInputs('pdf', 'partly-scanned.pdf')[0]!;
  const inSteps = await readInSteps(pdf, path, OPTIONS);
  assert.deepEqual(inSteps, await readAll(pdf, path, OPTIONS));
  assert.deepEqual(
    inSteps.map((section) => section.done),
    [1 / 3, 2 / 3, 1],
  );
});

test('PDF: 2,000 pages are read, each with its number', async (t) => {
  const contents = Array.from({ length: 2_000 }, (_, index) => lineOfText(`This is page ${index + 1}.`));
  const sections = (await readAll(pdf, fileOf(t, pdfOfPages(contents)), OPTIONS)) as Section[];
  assert.equal(sections.length, 2_000);
  for (const { place, content } of sections) assert.equal(content, `This is page ${place.page}.`);
});

test('PDF: more pages than the limit are refused with both numbers', async (t) => {
  const contents = Array.from({ length: 5_001 }, () => lineOfText('x'));
  assert.deepEqual(await readAll(pdf, fileOf(t, pdfOfPages(contents)), OPTIONS), {
    error: 'The PDF has 5001 pages, the limit is 5000. Split it into smaller files.',
  });
});

test('PDF: a page that unpacks beyond the limit is named; the thread continues', async (t) => {
  const bomb = fileOf(t, pdfOfPages([lineOfText('harmless'), bombContent()]));
  assert.deepEqual(await readAll(pdf, bomb, OPTIONS), {
    error: 'Page 2 of the PDF needs more than 128 MB of memory to be read. Print it again, or split it.',
  });
  const after = (await readAll(pdf, fileOf(t, pdfOfPages([lineOfText('after')])), OPTIONS)) as Section[];
  assert.equal(after[0]!.content, 'after');
});

test('PDF: a bomb takes memory up to the limit only', async (t) => {
  const bomb = fileOf(t, pdfOfPages([bombContent()]));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  t.after(() => clearInterval(watching));
  const worker = new Worker(
    `import { pdf } from ${JSON.stringify(new URL('../../../src/workers/formats/pdf.ts', import.meta.url).href)};
     await pdf.prepare(${JSON.stringify(bomb)}, {});`,
    { eval: true },
  );
  const [error] = (await once(worker, 'error')) as [Error];
  assert.match(error.message, /needs more than 128 MB/);
  assert.ok(peak - before < 240e6, `${(peak - before) / 1e6} MB`);
});

test('cleanText(): words divided at line ends are joined; other hyphens stay', () => {
  assert.equal(
    cleanText('administra\uFFFEtion, post\uFFFE1990, IBM\uFFFEDeutschland'),
    'administration, post-1990, IBM-Deutschland',
  );
});

test('cleanText(): ligatures become letters, invisible characters go, all others stay', () => {
  assert.equal(cleanText('\uFB01rst o\uFB03ce\u00AD\u0000 \r\n 10² ２５０\u00A0€ \r\n'), 'first office\n 10² ２５０ €');
});

/** Millions of lines in a kilobyte: PDFium allocates an object for each. */
function bombContent(): Buffer {
  const drawn = Buffer.from('0 0 m 1 1 l S q\n'.repeat(6_000_000));
  return stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(drawn)));
}

/** Every CJK character is a word. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}

/** The number of shared words, each counted as often as in the text that has it less. */
function overlap(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  return one.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
}
