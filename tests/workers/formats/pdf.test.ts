import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import type { Section } from '../../../src/workers/format.ts';
import { cleanText, pdf } from '../../../src/workers/formats/pdf.ts';
import { goldenInputs } from '../../support/golden-folder.ts';
import { fileOf } from '../../support/upload-file.ts';
import { lineOfText, makePdf, pdfOfPages, stream } from './make-pdf.ts';
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

function bombContent(): Buffer {
  const drawn = Buffer.from('0 0 m 1 1 l S q\n'.repeat(6_000_000));
  return stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(drawn)));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}

function overlap(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  return one.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const RECT = '/Rect [20 100 200 120]';
const draws = (text: string) =>
  stream(
    '/Type /XObject /Subtype /Form /BBox [0 0 180 20] /Resources << /Font << /F1 5 0 R >> >>',
    Buffer.from(`BT /F1 12 Tf 2 4 Td (${text}) Tj ET`),
  );
const STATES = '/AP << /N << /On 6 0 R /Off 6 0 R >> >>';

const FIELDS: [what: string, shown: string, field: string, more?: (string | Buffer)[]][] = [
  [
    'text with an appearance',
    'name: Jane Example',
    '/FT /Tx /T (name) /V (Jane Example) /AP << /N 6 0 R >>',
    [draws('Jane Example')],
  ],
  ['text without one', 'name: Jane', '/FT /Tx /T (name) /V (Jane)'],
  ['text in UTF-16, named for people', 'Straße: Ü', '/FT /Tx /T (s) /TU <FEFF005300740072006100DF0065> /V <FEFF00DC>'],
  ['a comb', 'IBAN: DE89', '/FT /Tx /T (IBAN) /V (DE89) /Ff 16777216 /MaxLen 22'],
  ['several lines', 'why: one\ntwo', '/FT /Tx /T (why) /Ff 4096 /V (one\\rtwo)'],
  ['a generated name', 'Name: x', '/FT /Tx /T (form[0].Page1[0].Name[0]) /V (x)'],
  [
    'a list shows its words',
    'country: Germany',
    '/FT /Ch /Ff 131072 /T (country) /Opt [[(de) (Germany)] [(fr) (France)]] /V (de)',
  ],
  [
    'several of a list',
    'colours: red, blue',
    '/FT /Ch /Ff 2097152 /T (colours) /Opt [(red) (green) (blue)] /V [(red) (blue)]',
  ],
  ['an own entry', 'city: Rome', '/FT /Ch /Ff 393216 /T (city) /Opt [(Bonn)] /V (Rome)'],
  ['a checked box', 'smoker: ☒ On', `/FT /Btn /T (smoker) /V /On /AS /On ${STATES}`, [draws('x')]],
  ['an unchecked box', 'smoker: ☐', `/FT /Btn /T (smoker) /V /Off /AS /Off ${STATES}`, [draws('x')]],
  ['a chosen radio button', 'plan: On', `/FT /Btn /Ff 49152 /T (plan) /V /On /AS /On ${STATES}`, [draws('x')]],
  ['one that is not chosen', '', `/FT /Btn /Ff 49152 /T (plan) /AS /Off ${STATES}`, [draws('x')]],
  ['a password', '', '/FT /Tx /T (pin) /Ff 8192 /V (1234)'],
  ['a value that is a name', 'name: Jane', '/FT /Tx /T (name) /V /Jane'],
  ['an empty field', '', '/FT /Tx /T (name)'],
  ['a hidden field', '', '/FT /Tx /T (name) /V (secret) /F 2'],
  [
    'a signature shows what it draws',
    'Signed by Jane',
    '/FT /Sig /T (sig) /AP << /N 6 0 R >>',
    [draws('Signed by Jane')],
  ],
];

test('PDF: what people filled into a form is below the text of its page', async (t) => {
  for (const [what, shown, field, more = []] of FIELDS) {
    const widget = `<< /Type /Annot /Subtype /Widget ${RECT} /P 3 0 R ${field} >>`;
    for (const isListed of [true, false]) {
      // A box that no form lists has no state that PDFium tells.
      if (!isListed && !field.startsWith('/FT /Tx')) continue;
      if (!isListed && /Ff 8192/.test(field)) continue;
      assert.equal(await textOf(t, widget, more, isListed), `Form:${shown === '' ? '' : `\n\n${shown}`}`, what);
    }
  }
});

const ANNOTATIONS: [what: string, shown: string, annotation: string, more?: (string | Buffer)[]][] = [
  ['free text', 'Paid in cash', '/Subtype /FreeText /Contents (Paid in cash) /DA (/F1 12 Tf 0 g)'],
  ['free text of its appearance alone', 'Drawn', '/Subtype /FreeText /AP << /N 6 0 R >>', [draws('Drawn')]],
  ['rich text', 'Bold <5 words', '/Subtype /FreeText /RC (<body><p><b>Bold</b> &lt;5 words</p></body>)'],
  ['a note', 'Comment by Jane: Check this', '/Subtype /Text /T (Jane) /Contents (Check this)'],
  [
    'a highlight with a comment',
    'Comment: Wrong sum',
    '/Subtype /Highlight /Contents (Wrong sum) /QuadPoints [0 0 1 0 0 1 1 1]',
  ],
  ['a stamp with words', 'Stamp: Approved', '/Subtype /Stamp /Contents (Approved)'],
  ['a stamp that draws them', 'REJECTED', '/Subtype /Stamp /AP << /N 6 0 R >>', [draws('REJECTED')]],
  ['the window of a note', '', '/Subtype /Popup /Contents (Check this)'],
  ['a link', '', '/Subtype /Link /Contents (Go there)'],
  ['the state of a review', '', '/Subtype /Text /StateModel (Review) /State (Accepted) /Contents (Accepted by Jane)'],
];

test('PDF: comments, stamps and texts upon a page are below its text', async (t) => {
  for (const [what, shown, annotation, more = []] of ANNOTATIONS) {
    const made = `<< /Type /Annot ${annotation} ${RECT} >>`;
    assert.equal(await textOf(t, made, more, false), `Form:${shown === '' ? '' : `\n\n${shown}`}`, what);
  }
});

test('PDF: attached files, dynamic forms and pages of pictures are named', async (t) => {
  const page = (content: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] ${content} /Resources << /Font << /F1 3 0 R >> >> >>`;
  const file = makePdf([
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(b) << /Type /Filespec /F (book.xlsx) /UF (book.xlsx) /EF << /F 4 0 R >> >>] >> >>
      /AcroForm << /Fields [] /XFA 4 0 R >> /NeedsRendering true >>`,
    '<< /Type /Pages /Kids [6 0 R 7 0 R 7 0 R 6 0 R 7 0 R 8 0 R] /Count 6 >>',
    FONT,
    stream('', Buffer.from('x')),
    stream('', Buffer.from('BT /F1 12 Tf 2 4 Td (Words) Tj ET')),
    page('/Contents 5 0 R'),
    page('/Contents 9 0 R'),
    page(''),
    stream('', Buffer.from('0 0 50 50 re f')),
  ]);
  const path = fileOf(t, file);
  const prepared = await pdf.prepare(path, OPTIONS);
  assert.deepEqual(prepared.notes, [
    'Attached files were not read: book.xlsx. Upload them as files of their own.',
    'The form is dynamic (XFA): values beside its pages were not read. Print it as PDF.',
  ]);
  const sections = (await readAll(pdf, path, OPTIONS)) as Section[];
  assert.deepEqual(
    sections.flatMap(({ notes = [] }) => notes),
    ['Pages 2-3, 5 show pictures without text, as scanned pages do: run OCR first to find what they say.'],
  );
});

async function textOf(
  t: TestContext,
  annotation: string,
  more: (string | Buffer)[],
  isListed: boolean,
): Promise<string> {
  const index = 6 + more.length;
  const fields = isListed ? `[${index} 0 R]` : '[]';
  const file = makePdf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields ${fields} /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf 0 g) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R /Annots [${index} 0 R] >>`,
    stream('', Buffer.from('BT /F1 12 Tf 20 150 Td (Form:) Tj ET')),
    FONT,
    ...more,
    annotation,
  ]);
  const sections = await readAll(pdf, fileOf(t, file), OPTIONS);
  assert.ok(Array.isArray(sections), JSON.stringify(sections));
  return sections.map(({ content }) => content).join('\n');
}
