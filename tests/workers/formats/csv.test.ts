import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { formatOf, type ReadOptions, UnreadableDocument } from '../../../src/core/knowledge/reader.ts';
import { csv, csvColumns } from '../../../src/workers/formats/csv.ts';
import { fileOf } from '../../support/upload-file.ts';
import { readOptions, sectionsOf } from '../../text/textual.ts';

async function rowsOf(
  t: TestContext,
  content: string | Buffer,
  options: Partial<ReadOptions> = {},
): Promise<unknown[]> {
  const sections = await sectionsOf(csv, fileOf(t, content), readOptions(options));
  return sections.map((section) =>
    typeof section.content === 'string' ? section.content : Object.fromEntries(section.content),
  );
}

async function refused(t: TestContext, content: string | Buffer, message: RegExp, options: Partial<ReadOptions> = {}) {
  await assert.rejects(rowsOf(t, content, options), (error) => {
    assert.ok(error instanceof UnreadableDocument, String(error));
    assert.match(error.message, message);
    return true;
  });
}

test('CSV: each row is a record with its position and named values', async (t) => {
  const content = 'name;city\nAna;"Porto\nAlegre"\n\nJoão;Natal\n';
  const path = fileOf(t, content);
  const sections = await sectionsOf(csv, path, readOptions({}));
  const size = Buffer.byteLength(content);
  assert.deepEqual(sections, [
    {
      content: [
        ['name', 'Ana'],
        ['city', 'Porto\nAlegre'],
      ],
      headings: [],
      place: { row: 1, line: 2 },
      isRecord: true,
      next: { byte: 29, row: 1, line: 4 },
      done: 29 / size,
    },
    {
      content: [
        ['name', 'João'],
        ['city', 'Natal'],
      ],
      headings: [],
      place: { row: 2, line: 5 },
      isRecord: true,
      next: { byte: size, row: 2, line: 6 },
      done: 1,
    },
  ]);
});

test('CSV: any encoding, delimiter and line break gives the same table', async (t) => {
  const expected = [
    { preço: '2,5', descrição: 'maçã "boa", só' },
    { preço: '3,5', descrição: 'pão' },
  ];
  for (const delimiter of [',', ';', '\t', '|']) {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const lines = ['preço,descrição', '"2,5","maçã ""boa"", só"', '"3,5",pão', ''];
      const content = lines.join(lineBreak).replaceAll('","', `"${delimiter}"`);
      const text = content.replace('preço,', `preço${delimiter}`).replace('",pão', `"${delimiter}pão`);
      for (const encoding of ['utf-8', 'win1252', 'utf-16le', 'utf-16be']) {
        assert.deepEqual(await rowsOf(t, iconv.encode(text, encoding)), expected, encoding + JSON.stringify(text));
        if (encoding.startsWith('utf'))
          assert.deepEqual(await rowsOf(t, iconv.encode(`\ufeff${text}`, encoding)), expected);
      }
    }
  }
});

test('CSV: Shift_JIS, and Latin-1 with a single late accent, are decoded', async (t) => {
  const japanese = `名前,都市\n${'日本語のテキスト,東京都\n'.repeat(20)}`;
  const rows = await rowsOf(t, iconv.encode(japanese, 'Shift_JIS'));
  assert.deepEqual(rows[19], { 名前: '日本語のテキスト', 都市: '東京都' });
  const late = `id,name\n${'1,plain\n'.repeat(50_000)}2,café\n`;
  assert.deepEqual((await rowsOf(t, iconv.encode(late, 'latin1'))).at(-1), { id: '2', name: 'café' });
});

test('CSV: chosen columns become the content, a single one as plain text', async (t) => {
  const content = 'id,title,body\n1,T,text\n2,U\n';
  assert.deepEqual(await rowsOf(t, content, { csvContentColumns: ['body', 'title'] }), [
    { body: 'text', title: 'T' },
    { title: 'U' },
  ]);
  assert.deepEqual(await rowsOf(t, content, { csvContentColumns: ['body'] }), ['text', '']);
  const options = readOptions({ csvContentColumns: ['title'], csvMetadataColumns: ['id', 'body'] });
  const sections = await sectionsOf(csv, fileOf(t, content), options);
  assert.deepEqual(
    sections.map(({ content, metadata }) => [content, metadata]),
    [
      ['T', { id: '1', body: 'text' }],
      ['U', { id: '2', body: '' }],
    ],
  );
  const all = await rowsOf(t, content, { csvContentColumns: [], csvMetadataColumns: ['id'] });
  assert.deepEqual(all[0], { id: '1', title: 'T', body: 'text' }, 'metadata columns are content too, unless told');
});

test('CSV: missing values are left out, surplus ones are named by their number', async (t) => {
  assert.deepEqual(await rowsOf(t, 'a,b,column 4\n1,2,3,4,5\n6\n'), [
    { a: '1', b: '2', 'column 4': '3', 'column 4 (2)': '4', 'column 5': '5' },
    { a: '6' },
  ]);
});

test('CSV: unnamed and repeated columns get unique names', async (t) => {
  const path = fileOf(t, ' a ,,a,a (2),,a\n1,2,3,4,5,6\n');
  const columns = ['a', 'column 2', 'a (2)', 'a (2) (2)', 'column 5', 'a (3)'];
  assert.deepEqual(csvColumns(path, readOptions({})), columns);
  const [row] = await rowsOf(t, ' a ,,a,a (2),,a\n1,2,3,4,5,6\n');
  assert.deepEqual(row, Object.fromEntries(columns.map((name, index) => [name, String(index + 1)])));
  const many = csvColumns(fileOf(t, `${'a,'.repeat(16_000)}a\n1,2\n`), readOptions({}));
  assert.equal(new Set(many).size, 16_001);
});

test('CSV: a column name with line breaks becomes one line', async (t) => {
  const content = '"First \r\nname",City\nAna,Natal\n';
  assert.deepEqual(await rowsOf(t, content), [{ 'First name': 'Ana', City: 'Natal' }]);
  assert.deepEqual(await rowsOf(t, content, { csvContentColumns: ['First name'] }), ['Ana']);
});

test('CSV: repeated headers cannot turn a small file into gigabytes', async (t) => {
  const lengthOf = async (content: string) => JSON.stringify(await rowsOf(t, content)).length;
  assert.ok((await lengthOf(`${'k'.repeat(500_000)},b\n${'1\n'.repeat(100)}`)) < 30_000);
  assert.ok((await lengthOf(`${'a,'.repeat(16_000)}b\n${'1\n'.repeat(100)}`)) < 30_000);
});

test('CSV: rows of empty values are skipped, but counted', async (t) => {
  const sections = await sectionsOf(csv, fileOf(t, 'a,b\n1,2\n, \n3,4\n'), readOptions({}));
  assert.deepEqual(
    sections.map(({ place }) => place),
    [
      { row: 1, line: 2 },
      { row: 3, line: 4 },
    ],
  );
});

test('CSV: rows above a blank line are not titles if no later row names columns', async (t) => {
  assert.deepEqual(csvColumns(fileOf(t, 'a,b,c\n1,2,3\n\n,,,\n,,,\n,,,x\n'), readOptions({})), ['a', 'b', 'c']);
});

test('CSV: titles, sep= and single columns with commas are understood', async (t) => {
  assert.deepEqual(await rowsOf(t, 'Report 2024\n\na;b;c\n1;2;3\n'), [{ a: '1', b: '2', c: '3' }]);
  assert.deepEqual(await rowsOf(t, 'sep=;\na;b\n1;2,5\n'), [{ a: '1', b: '2,5' }]);
  assert.deepEqual(await rowsOf(t, 'name\nAna, Maria\nJoao\n'), [{ name: 'Ana, Maria' }, { name: 'Joao' }]);
  assert.deepEqual(await rowsOf(t, 'a^b\n1^2\n', { csvDelimiter: '^' }), [{ a: '1', b: '2' }]);
});

test('CSV: an unreadable file is refused with the remedy', async (t) => {
  await refused(t, 'a,b\n', /a header and no rows/);
  await refused(t, 'a,b', /a header and no rows/);
  await refused(t, '', /is empty/);
  await refused(t, '\n\n', /is empty/);
  await refused(t, 'a,b\n1,2\n3,"x\n', /quote opened in line 3 is not closed/);
  await refused(t, 'a,b\n1,2\n', /csvContentColumns names "c"\. The file has the columns: a, b\./, {
    csvContentColumns: ['a', 'c'],
  });
  await refused(t, 'a,b\n1,2\n', /csvMetadataColumns names "d"/, { csvMetadataColumns: ['d'] });
  await refused(t, `${'a,'.repeat(200)}b\n1\n`, /a \(30\) and 171 more\.$/, { csvContentColumns: ['c'] });
  await refused(t, `"a\nb",${'c'.repeat(1_000)}\n1,2\n`, /columns: a b, c{60}…\.$/, { csvContentColumns: ['d'] });
  await refused(t, 'a,b\n1,2\n', /csvDelimiter must be one ASCII character/, { csvDelimiter: ';;' });
  await refused(t, '\n <!DOCTYPE html>\n<html><body>Sign in</body></html>', /web page/);
  await refused(t, '<html lang="en">\n<p>a,b</p>\n', /web page/);
  await refused(t, Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'), /binary data/);
});

test('csvColumns(): reads the header in any encoding without writing', (t) => {
  const content = iconv.encode('Relatório\n\nnome;preço;é\nAna;2,5;x\n', 'win1252');
  const path = fileOf(t, content);
  assert.deepEqual(csvColumns(path, readOptions({})), ['nome', 'preço', 'é']);
  assert.ok(!existsSync(`${path}.utf8`));
  assert.deepEqual(csvColumns(fileOf(t, 'a,b\n'), readOptions({})), ['a', 'b']);
  assert.deepEqual(csvColumns(fileOf(t, ''), readOptions({})), []);
});

test('CSV: reading resumes from every position with the same rest', async (t) => {
  const cell = fc.constantFrom('', 'x', 'é', '"q ""q"""', '"a\nb"', 'long value');
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom('utf-8', 'utf-16le'), async (rows, encoding) => {
      const content = `a,b,c\n1,2,3\n${rows.map((row) => row.join(',')).join('\n')}`;
      const path = fileOf(t, iconv.encode(content, encoding));
      // Many wide rows after a blank line would make the rows above it titles.
      const options = readOptions({ csvMetadataColumns: csvColumns(path, readOptions({})).slice(1, 2) });
      const sections = await sectionsOf(csv, path, options);
      const prepared = await csv.prepare(path, options);
      for (const [index, { next }] of sections.entries()) {
        assert.deepEqual(await Array.fromAsync(csv.read(prepared, next, options)), sections.slice(index + 1));
      }
    }),
    { numRuns: 60 },
  );
});

test('CSV: tab-separated files are recognized by their extension', () => {
  assert.deepEqual(['a.csv', 'b.TSV', 'c.json', 'd.ndjson'].map(formatOf), ['csv', 'csv', 'json', 'json']);
});

test('CSV: a row whose metadata would be copied too often is refused', async (t) => {
  const options = { csvContentColumns: ['text'], csvMetadataColumns: ['id', 'notes'] };
  const rowWith = (notes: string) => `text,id,notes\none,1,short\ntwo,22,${notes}\n`;
  assert.equal((await rowsOf(t, rowWith('x'.repeat(16 * 1024 - 2)), options)).length, 2);
  await refused(t, rowWith('x'.repeat(16 * 1024 - 1)), /^Row 2 \(line 3\) has more than 16384 characters/, options);
});
