import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableDocument } from '../../src/core/knowledge/reader.ts';
import { bytesOf } from '../../src/text/bytes.ts';
import { isDelimiter, NO_DELIMITER, sniffCsv } from '../../src/text/csv-sniff.ts';

/** Delimiter, header, and the first line of the rows. */
function sniffed(content: string, delimiter?: string): [string, string[], number] {
  const layout = sniffCsv(bytesOf(Buffer.from(content)), 0, delimiter);
  return [layout.delimiter, layout.header, layout.rows.line];
}

test('sniffCsv(): the delimiter that divides records most evenly is chosen', () => {
  assert.deepEqual(sniffed('a,b\n1,2\n'), [',', ['a', 'b'], 2]);
  assert.deepEqual(sniffed('a\tb\n1\t2,3\n4\t5,6\n'), ['\t', ['a', 'b'], 2]);
  assert.deepEqual(sniffed('a|b\n1|2\n3|4\n'), ['|', ['a', 'b'], 2]);
  assert.deepEqual(sniffed('id;text\n1;well, yes, no\n2;so, so\n'), [';', ['id', 'text'], 2]);
});

test('sniffCsv(): a delimiter in the header outweighs equally many commas in all texts', () => {
  assert.deepEqual(sniffed('id;text\n1;a,b,c,d,e\n2;f,g,h,i,j\n'), [';', ['id', 'text'], 2]);
});

test('sniffCsv(): decimal commas are not delimiters, in one column or several', () => {
  assert.deepEqual(sniffed('a;b;c\n1;2,5;x\n2;3,5;y\n3;4,5;z\n'), [';', ['a', 'b', 'c'], 2]);
  assert.deepEqual(sniffed('a;b;c\n1;2,5;3,5\n2;3,5;4,5\n'), [';', ['a', 'b', 'c'], 2]);
  assert.deepEqual(sniffed('a, net;b, kg\n1,5;2,5\n3,5;4,5\n'), [';', ['a, net', 'b, kg'], 2]);
  assert.deepEqual(sniffed('a, net\tb, kg\n1,5\t2,5\n3,5\t4,5\n'), ['\t', ['a, net', 'b, kg'], 2]);
  assert.deepEqual(sniffed('name,a|b\nx,1|2\ny,3|4\n'), [',', ['name', 'a|b'], 2]);
  assert.deepEqual(sniffed('"a;b","c;d"\n"1;2","3;4"\n'), [',', ['a;b', 'c;d'], 2]);
});

test('sniffCsv(): quoted delimiters do not divide', () => {
  const content = 'a,b\n"x;y;z;w","p;q;r"\n"x;y;z;w","p;q;\nr"\n';
  assert.deepEqual(sniffed(content), [',', ['a', 'b'], 2]);
});

test('sniffCsv(): commas in the texts of a single column are not delimiters', () => {
  for (const content of [
    'name\nAna, Maria\nJoao\n',
    'name\nSilva, Ana\nSouza, Joao\n',
    'name\nSilva,Ana\nSouza,Joao\n',
    'name\nx, y, z\np, q, r\n"s, t"\n',
    'name\nx, y, z\np, q, r\n',
    'name\nyes,no,x\nno\nwell,ok,fine\na,b,c\n',
  ]) {
    assert.deepEqual(sniffed(content), [NO_DELIMITER, ['name'], 2], content);
  }
  assert.deepEqual(sniffed('name, city\nAna, Rome\n'), [',', ['name', ' city'], 2]);
});

test('sniffCsv(): a line sep= sets the delimiter and is not the header', () => {
  assert.deepEqual(sniffed('sep=;\na;b\n1;2\n'), [';', ['a', 'b'], 3]);
  assert.deepEqual(sniffed('"sep=,"\r\na,b\r\n'), [',', ['a', 'b'], 3]);
  assert.deepEqual(sniffed('sep=^\na^b\n1^2\n'), ['^', ['a', 'b'], 3]);
  assert.deepEqual(sniffed('SEP=;\na,b\n1,2\n', ','), [',', ['a', 'b'], 3], 'what the user says comes first');
});

test('sniffCsv(): titles above the header are skipped', () => {
  const table = 'a;b;c\n1;2;3\n4;5;6\n';
  assert.deepEqual(sniffed(`Report 2024\n\n${table}`), [';', ['a', 'b', 'c'], 4]);
  assert.deepEqual(sniffed(`Report 2024\n${table}`), [';', ['a', 'b', 'c'], 3]);
  assert.deepEqual(sniffed(`Report 2024;;\n;;\n${table}`), [';', ['a', 'b', 'c'], 4]);
  assert.deepEqual(sniffed(`Report\n\nDate;2024-01-01\n\n${table}`), [';', ['a', 'b', 'c'], 6]);
  assert.deepEqual(sniffed(`Report 2024\n\n${table}`, ';'), [';', ['a', 'b', 'c'], 4], 'with a given delimiter too');
});

test('sniffCsv(): uneven rows, blank lines and sparse rows do not move the header', () => {
  assert.deepEqual(sniffed('a,b,c\n1,2,3,\n4,5,6,\n\n7,8,9,\n'), [',', ['a', 'b', 'c'], 2]);
  assert.deepEqual(sniffed('a,b\n1,2,3\n4\n'), [',', ['a', 'b'], 2]);
  assert.deepEqual(sniffed('a,b,c\n1,2,3\n1\n2\n3\n'), [',', ['a', 'b', 'c'], 2]);
  assert.deepEqual(sniffed('questions, answers\nwhy\nhow\n'), [NO_DELIMITER, ['questions, answers'], 2]);
  assert.deepEqual(sniffed('a,b,c,d\n1,,,\n\n2,,,\n'), [',', ['a', 'b', 'c', 'd'], 2]);
  assert.deepEqual(sniffed('a,b,c,d\n\n1,2,3,4\n'), [',', ['a', 'b', 'c', 'd'], 2]);
});

test('sniffCsv(): a file without columns has one column', () => {
  assert.deepEqual(sniffed('only\n1\n'), [NO_DELIMITER, ['only'], 2]);
  assert.deepEqual(sniffed('a;b\n', ','), [',', ['a;b'], 2]);
  assert.deepEqual(sniffed(''), [NO_DELIMITER, [], 1]);
  assert.deepEqual(sniffed('\n\n', ';'), [';', [], 1]);
  assert.deepEqual(sniffed('sep=;\n'), [';', [], 2]);
});

test('sniffCsv(): an unreadable record is an error only when nothing precedes it', () => {
  assert.deepEqual(sniffed('a,b\n1,2\n"x\n'), [',', ['a', 'b'], 2]);
  assert.throws(() => sniffed('"a,b\n'), UnreadableDocument);
  const wide = `a;b\n1;${','.repeat(20_000)}\n`;
  assert.deepEqual(sniffed(wide), [';', ['a', 'b'], 2], 'what another delimiter makes of it is no matter');
});

test('isDelimiter(): one ASCII character other than quotes and line breaks', () => {
  assert.deepEqual([',', '\t', ' ', '^', '"', '\n', '\r', '\0', '', ';;', '§'].map(isDelimiter), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('sniffCsv(): a CR ends lines where no LF does, outside of quotes', () => {
  const layoutOf = (content: string) => {
    const { endsAtCr, header } = sniffCsv(bytesOf(Buffer.from(content)), 0);
    return [endsAtCr, header];
  };
  assert.deepEqual(layoutOf('a,b\r1,2\r3,"4\n5"\r'), [true, ['a', 'b']]);
  assert.deepEqual(layoutOf('a,b\r\n1,2\r3\r\n'), [false, ['a', 'b']]);
  assert.deepEqual(layoutOf('a,b\n1\r2,3\r4\n'), [false, ['a', 'b']]);
  assert.deepEqual(layoutOf('a,b'), [false, ['a', 'b']]);
});
