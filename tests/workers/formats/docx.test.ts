import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BlockFile } from '../../../src/workers/formats/block-file.ts';
import { docx } from '../../../src/workers/formats/docx/format.ts';
import { DocxWalker } from '../../../src/workers/formats/docx/walker.ts';
import { rareTest } from '../../support/rare.ts';
import { fileOf } from '../../support/upload-file.ts';
import { makeZip } from '../../support/zip.ts';
import { docxOf, NAMESPACES, OPTIONS, outline, override, paragraph } from './make-docx.ts';
import { readAll, readInSteps } from './sections.ts';

test('DOCX: reading resumes after any section with the same rest', async (t) => {
  const headings = [1, 2, 3].map((number) => paragraph(`Part ${number} – ü`, 'Heading1') + paragraph('日本語 text'));
  const upload = fileOf(t, docxOf(headings.join('')));
  const inSteps = await readInSteps(docx, upload, OPTIONS);
  assert.equal(inSteps.length, 3);
  assert.equal(inSteps.at(-1)!.done, 1);
  assert.deepEqual(inSteps, await readAll(docx, upload, OPTIONS));
});

test('DOCX: headings are known by style names, outline levels and base styles', async (t) => {
  const styles = `
    <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:basedOn w:val="berschrift1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Ours"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="TOC"><w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
    <w:style w:type="paragraph" w:styleId="Untertitel"><w:name w:val="Subtitle"/><w:basedOn w:val="Titel"/></w:style>
    <w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>`;
  const body = [
    paragraph('The title', 'Titel'),
    paragraph('No heading', 'Untertitel'),
    paragraph('Contents', 'TOC'),
    paragraph('One', 'berschrift1'),
    paragraph('Deep', 'Sub'),
    paragraph('under deep', 'Loop'),
    paragraph('Two', 'Clause'),
    '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Stated here</w:t></w:r></w:p>',
    paragraph('under stated'),
  ];
  assert.deepEqual(await outline(t, docxOf(body.join(''), { styles })), [
    [['The title'], 'No heading\n\nContents'],
    [['The title', 'One', 'Deep'], 'under deep'],
    [['The title', 'Two', 'Stated here'], 'under stated'],
  ]);
});

test('DOCX: deleted and moved text is left out, inserted text stays', async (t) => {
  const body = `<w:p><w:r><w:t xml:space="preserve">It costs </w:t></w:r>
    <w:del><w:r><w:delText>10</w:delText></w:r></w:del><w:ins><w:r><w:t>12</w:t></w:r></w:ins>
    <w:moveFrom><w:r><w:t> moved</w:t></w:r></w:moveFrom><w:r><w:t xml:space="preserve"> euros.</w:t></w:r></w:p>
    <w:p><w:pPr><w:pStyle w:val="X"/><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr>
    <w:r><w:t>Once a heading.</w:t></w:r></w:p>`;
  assert.deepEqual(await outline(t, docxOf(body)), [[[], 'It costs 12 euros.\n\nOnce a heading.']]);
});

test('DOCX: a text box, stored twice for old programs, occurs once after its paragraph', async (t) => {
  const box = `<w:txbxContent>${paragraph('In the box.')}${paragraph('Its second.')}</w:txbxContent>`;
  const body = `<w:p><w:r><w:t>Around </w:t><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice>
    <mc:Fallback>${box}</mc:Fallback></mc:AlternateContent><w:t>it.</w:t></w:r></w:p>`;
  assert.deepEqual(await outline(t, docxOf(body)), [[[], 'Around it.\n\nIn the box.\n\nIts second.']]);
});

test('DOCX: tabs and breaks are kept; tab stops and field instructions are not text', async (t) => {
  const body = `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs></w:pPr>
    <w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>
    <w:hyperlink><w:r><w:t> link</w:t></w:r></w:hyperlink><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`;
  assert.deepEqual(await outline(t, docxOf(body)), [[[], 'a\tb\nc-d link']]);
});

test('DOCX: table rows are lines of cells, also nested; headings in them are text', async (t) => {
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const inner = `<w:tbl><w:tr>${cell(paragraph('x'))}${cell(paragraph('y'))}</w:tr></w:tbl>`;
  const body = `<w:tbl><w:tr>${cell(paragraph('Head', 'Heading1'))}${cell(paragraph('a') + paragraph('b'))}</w:tr>
    <w:tr>${cell('<w:p/>')}${cell('<w:p/>')}</w:tr>
    <w:tr>${cell(inner)}${cell(paragraph('z'))}</w:tr></w:tbl>${paragraph('after')}`;
  assert.deepEqual(await outline(t, docxOf(body)), [[[], 'Head | a b\n--- | ---\nx | y | z\n\nafter']]);
  const titled = body.replace('<w:tr>', `<w:tr>${cell(paragraph('Title'))}</w:tr><w:tr>`);
  assert.deepEqual(await outline(t, docxOf(titled)), [[[], 'Title\nHead | a b\n--- | ---\nx | y | z\n\nafter']]);
});

test('DOCX: notes follow the paragraph that refers to them, numbered in order', async (t) => {
  const footnotes = `<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>
    <w:footnote w:id="7">${paragraph('The seventh.')}</w:footnote>`;
  const body = `<w:p><w:r><w:t>Said</w:t><w:footnoteReference w:id="7"/><w:t>.</w:t></w:r></w:p>${paragraph('Next.')}`;
  assert.deepEqual(await outline(t, docxOf(body, { footnotes })), [[[], 'Said[1].\n\n[1] The seventh.\n\nNext.']]);
});

test('DOCX: any namespace prefix, and the strict edition, are read', async (t) => {
  const document = `<d:document xmlns:d="http://purl.oclc.org/ooxml/wordprocessingml/main"><d:body><d:p><d:r><d:t>strict</d:t></d:r></d:p></d:body></d:document>`;
  assert.deepEqual(await outline(t, makeZip([{ name: 'word/document.xml', content: document }])), [[[], 'strict']]);
});

test('DOCX: long text under one heading is cut into sections of 64 KB without loss', async (t) => {
  const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`);
  const sections = await outline(t, docxOf(paragraph('All', 'Heading1') + paragraph(words.join(' '))));
  assert.ok(sections.length > 3);
  for (const [headings, text] of sections) {
    assert.deepEqual(headings, ['All']);
    assert.ok(text.length <= 65_536);
  }
  assert.deepEqual(
    sections.flatMap(([, text]) => text.split(' ')),
    words,
  );
});

test('DOCX: a zip bomb is refused by its declared sizes before unpacking', async (t) => {
  const content = Buffer.from(`<w>${'<p/>'.repeat(3_000_000)}</w>`);
  const elements = t.mock.method(DocxWalker.prototype, 'open');
  assert.match(await errorOf(t, makeZip([{ name: 'word/document.xml', content }])), /more than 150 times its size/);
  assert.equal(elements.mock.callCount(), 0);
});

test('DOCX: a zip bomb with false sizes is refused while unpacking', async (t) => {
  const content = `<w:document ${NAMESPACES}>${' '.repeat(60_000_000)}</w:document>`;
  const lying = makeZip([{ name: 'word/document.xml', content, declaredSize: 1_000 }]);
  assert.match(await errorOf(t, lying), /DOCX is damaged or not complete: too many bytes/);
});

test('DOCX: a part that fails its checksum is refused', async (t) => {
  const packed = docxOf(paragraph('text'));
  packed.writeUInt32LE(0, packed.indexOf('word/document.xml', packed.indexOf('PK\x01\x02')) - 30);
  assert.match(await errorOf(t, packed), /word\/document\.xml differs from its checksum/);
});

test('DOCX: a part whose elements do not end is refused', async (t) => {
  for (const content of ['<w:document><w:body>', '<a><b></a>', '<a/><b', 'no element']) {
    const packed = makeZip([{ name: 'word/document.xml', content }]);
    assert.match(await errorOf(t, packed), /word\/document\.xml in the DOCX is damaged|The DOCX has no text/, content);
  }
});

test('DOCX: more text than the limit is refused, even at a normal ratio', async (t) => {
  const entry = { name: 'word/document.xml', content: 'x', declaredSize: 200_000_001 };
  assert.match(await errorOf(t, makeZip([entry])), /more than 200 MB/);
});

test('DOCX: a DOCTYPE is refused, and an entity of none is text as written', async (t) => {
  const billion = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>';
  const document = `<w:document ${NAMESPACES}><w:body>${paragraph('&c;')}</w:body></w:document>`;
  const withType = makeZip([{ name: 'word/document.xml', content: billion + document }]);
  assert.match(await errorOf(t, withType), /word\/document.xml in the DOCX declares a document type/);
  const untyped = fileOf(t, makeZip([{ name: 'word/document.xml', content: document }]));
  assert.match(JSON.stringify(await readAll(docx, untyped, OPTIONS)), /&c;/);
});

rareTest('DOCX: more than 10,000 parts are refused', async (t) => {
  const parts = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, content: '' }));
  assert.match(await errorOf(t, makeZip(parts)), /more than 10000 parts/);
});

test('DOCX: other kinds of zip files are named', async (t) => {
  const types = (type: string) => ({
    name: '[Content_Types].xml',
    content: `<Types>${override('x.xml', type)}</Types>`,
  });
  const book = makeZip([types('spreadsheetml.sheet.main+xml')]);
  assert.match(await errorOf(t, book), /an Excel workbook, not a DOCX\. Save its sheets as CSV\./);
  assert.match(await errorOf(t, makeZip([types('presentationml.x')])), /a PowerPoint presentation/);
  assert.match(await errorOf(t, makeZip([{ name: 'a.txt', content: '' }])), /no word\/document\.xml/);
});

test('DOCX: password-protected zip and Word files are named as such', async (t) => {
  const locked = makeZip([{ name: 'word/document.xml', content: 'x', isEncrypted: true }]);
  assert.match(await errorOf(t, locked), /The DOCX is encrypted/);
  const compound = Buffer.alloc(2_048);
  compound.write('\u00D0\u00CF\u0011\u00E0', 'latin1');
  compound.write('EncryptedPackage', 512, 'utf16le');
  assert.match(await errorOf(t, compound), /protected by a password/);
});

test('DOCX: the 257th level of nested elements is refused where it begins', async (t) => {
  const levels = 20_000;
  const document = docxOf('<w:p>'.repeat(levels) + '</w:p>'.repeat(levels));
  const elements = t.mock.method(DocxWalker.prototype, 'open');
  assert.equal(
    await errorOf(t, document),
    'word/document.xml in the DOCX nests its elements more than 256 levels deep, as no document does. Save the document again.',
  );
  assert.equal(elements.mock.callCount(), 256);
});

test('DOCX: 256 levels of nesting are read', async (t) => {
  // Within the document and its body.
  const body = `${'<w:sdt>'.repeat(251)}${paragraph('deep')}${'</w:sdt>'.repeat(251)}`;
  assert.deepEqual(await outline(t, docxOf(body)), [[[], 'deep']]);
});

test('DOCX: a note occurs at its first reference only', async (t) => {
  const footnotes = `<w:footnote w:id="2">${paragraph('long')}</w:footnote><w:footnote w:id="3">${paragraph('other')}</w:footnote>`;
  const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
  const body = `<w:p><w:r><w:t>a</w:t></w:r>${reference(2)}${reference(3)}</w:p><w:p>${reference(2).repeat(3)}</w:p>`;
  assert.deepEqual(await outline(t, docxOf(body, { footnotes })), [
    [[], 'a[1][2]\n\n[1] long\n\n[2] other\n\n[1][1][1]'],
  ]);
});

test('DOCX: a text box of many paragraphs is read', async (t) => {
  const box = `<w:p><w:txbxContent>${paragraph('a').repeat(150_000)}</w:txbxContent></w:p>`;
  const read = await outline(t, docxOf(box));
  assert.equal(
    read
      .map(([, text]) => text)
      .join('')
      .replaceAll(/\s/g, '').length,
    150_000,
  );
});

test('BlockFile: a file larger than the limit is refused', (t) => {
  const file = new BlockFile(fileOf(t, ''), 1_000_000);
  t.after(() => file.abandon());
  const block = { headings: ['h'.repeat(300)], text: 'a' };
  assert.throws(
    () => {
      for (let count = 0; count < 10_000; count++) file.add(block);
    },
    { name: 'UnreadableDocument', message: /comes to more than 1 MB\. Split it into smaller documents\.$/ },
  );
});

test('DOCX: a document without text fails and leaves no file', async (t) => {
  const upload = fileOf(t, docxOf('<w:p/>'));
  assert.deepEqual(await readAll(docx, upload, OPTIONS), {
    error: 'The DOCX has no text. If it shows pictures of text, run OCR first.',
  });
  assert.deepEqual(readdirSync(dirname(upload)), ['upload']);
});

test('DOCX: the text is unpacked to a file named after the upload', async (t) => {
  const upload = fileOf(t, docxOf(paragraph('text')));
  const prepared = await docx.prepare(upload, OPTIONS);
  assert.equal(prepared.blocks, `${upload}.blocks`);
  assert.ok(existsSync(`${upload}.blocks`));
});

async function errorOf(t: TestContext, content: Buffer): Promise<string> {
  const read = await readAll(docx, fileOf(t, content), OPTIONS);
  assert.ok('error' in read, 'it was read');
  return read.error;
}
