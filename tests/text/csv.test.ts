import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnreadableDocument } from '../../src/core/knowledge/reader.ts';
import { bytesOf, type RecordPosition } from '../../src/text/bytes.ts';
import { type CsvDialect, CsvReader } from '../../src/text/csv-reader.ts';
import { isDelimiter, NO_DELIMITER, sniffCsv } from '../../src/text/csv-sniff.ts';
import { borders, sparingly } from './textual.ts';

const BEGIN: RecordPosition = { byte: 0, row: 0, line: 1 };

interface Read {
  values: string[];
  line: number;
  position: RecordPosition;
}

type Dialect = string | CsvDialect;

function recordsOf(content: string | Buffer, dialect: Dialect = ',', from = BEGIN, window = 7, most = 5): Read[] {
  const one = typeof dialect === 'string' ? { delimiter: dialect } : dialect;
  const reader = new CsvReader(sparingly(bytesOf(Buffer.from(content)), most), from, one, window);
  const records: Read[] = [];
  for (let values = reader.read(); values; values = reader.read()) {
    records.push({ values, line: reader.line, position: reader.position });
  }
  return records;
}

const valuesOf = (content: string, dialect: Dialect = ',') => recordsOf(content, dialect).map(({ values }) => values);
const OLD = { delimiter: ',', endsAtCr: true };

test('CsvReader: values end at delimiters, records at line breaks', () => {
  const table = [
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ];
  for (const content of ['a,b\n1,2\n3,4\n', 'a,b\r\n1,2\r\n3,4', 'a,b\n1,2\r\n3,4']) {
    assert.deepEqual(valuesOf(content), table, JSON.stringify(content));
  }
  assert.deepEqual(valuesOf('a,b\r1,2\r3,4\r', OLD), table);
  assert.deepEqual(valuesOf('a\rb,\u2028\v\f\x85c\n1,2'), [
    ['a\rb', '\u2028\v\f\x85c'],
    ['1', '2'],
  ]);
  for (const delimiter of [';', '\t', '|', '^']) {
    assert.deepEqual(valuesOf(`a${delimiter}b\n1${delimiter}2\n3${delimiter}4`, delimiter), table);
  }
});

test('CsvReader: quoted values hold delimiters, line breaks and doubled quotes', () => {
  assert.deepEqual(valuesOf('"x,\ny","he said ""hi"""\n"","""",z\n'), [
    ['x,\ny', 'he said "hi"'],
    ['', '"', 'z'],
  ]);
});

test('CsvReader: quotes within a value, and text after a closing quote, are kept', () => {
  assert.deepEqual(valuesOf('1,5" pipe\n2, "x"\n3,"big" one,z\n'), [
    ['1', '5" pipe'],
    ['2', ' "x"'],
    ['3', 'big one', 'z'],
  ]);
});

test('CsvReader: empty values are kept, also at the end; blank lines are skipped', () => {
  assert.deepEqual(valuesOf('\n\r\na,,\n\n,\n""\nb,'), [['a', '', ''], ['', ''], [''], ['b', '']]);
  assert.deepEqual(valuesOf(''), []);
  assert.deepEqual(valuesOf('\n\n'), []);
});

test('CsvReader: UTF-8 characters stay whole across window ends', () => {
  for (let window = 1; window < 30; window += 1) {
    const records = recordsOf('ação,日本\n"🙂 é",ß\n', ',', BEGIN, window, window);
    assert.deepEqual(
      records.map(({ values }) => values),
      [
        ['ação', '日本'],
        ['🙂 é', 'ß'],
      ],
    );
  }
});

test('CsvReader: a record knows the line it begins on, as editors count', () => {
  const lines = (content: string) => recordsOf(content).map(({ line }) => line);
  assert.deepEqual(lines('a,b\n\n"x\ny",2\n3,4\n'), [1, 3, 5]);
  assert.deepEqual(lines('a,b\r\n"x\r\ny\r\n",2\r\n\r\n3,4\r\n'), [1, 2, 6]);
  assert.deepEqual(
    recordsOf('a\r"x\ry"\rb', OLD).map(({ line }) => line),
    [1, 2, 4],
  );
});

test('CsvReader: an unclosed quote is reported with its line, at the end and past 1 MB', () => {
  const rest = '2,def\n'.repeat(3);
  assert.throws(() => recordsOf(`a,b\n1,"x\ny"\n1,"abc\n${rest}`), expected(/quote opened in line 4 is not closed/));
  const long = Buffer.from(`a,b\n1,"abc\n${'2,def\n'.repeat(500_000)}`);
  const reader = new CsvReader(bytesOf(long), BEGIN, { delimiter: ',' });
  assert.deepEqual(reader.read(), ['a', 'b']);
  assert.throws(() => reader.read(), expected(/quote opened in line 2 is not closed/));
});

test('CsvReader: a record may have 1 MB and no more, whatever the window', () => {
  for (const window of [1_000, 1024 * 1024, 3 * 1024 * 1024]) {
    const read = (bytes: number) => recordsOf(`a\n${'x'.repeat(bytes)}\n`, ',', BEGIN, window, 10_000_000);
    assert.equal(read(1024 * 1024)[1]?.values[0]?.length, 1024 * 1024);
    assert.throws(() => read(1024 * 1024 + 1), expected(/begins in line 2 is longer than 1 MB/));
  }
});

test('CsvReader: a record may have as many values as a spreadsheet has columns', () => {
  const read = (values: number) => recordsOf(`a\n${','.repeat(values - 1)}\n`, ',', BEGIN, 1_000, 1_000_000);
  assert.equal(read(16_384)[1]?.values.length, 16_384);
  assert.throws(() => read(16_385), expected(/begins in line 2 has more than 16384 values/));
});

function expected(message: RegExp) {
  return (error: unknown) => error instanceof UnreadableDocument && message.test(error.message);
}

const value = fc
  .array(fc.constantFrom('a', 'é', '日', '🙂', ' ', '"', ',', ';', '\n', '\r', '\r\n', 'xyz'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const written = fc.record({
  rows: fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
  delimiter: fc.constantFrom(',', ';'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  quoteAll: fc.boolean(),
  closed: fc.boolean(),
});

const dialectOf = ({ delimiter, lineBreak }: Written): CsvDialect => ({ delimiter, endsAtCr: lineBreak === '\r' });

type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;

function write({ rows, delimiter, lineBreak, quoteAll, closed }: Written): string {
  const lines = rows.map((row) =>
    row
      .map((one) =>
        quoteAll || /["\r\n]/.test(one) || one.includes(delimiter) ? `"${one.replaceAll('"', '""')}"` : one,
      )
      .join(delimiter),
  );
  return lines.join(lineBreak) + (closed ? lineBreak : '');
}

test('CsvReader: random tables are read as they were written, wherever buffers end', () => {
  fc.assert(
    fc.property(written, borders, (table, { window, most }) => {
      const content = write(table);
      const read = recordsOf(content, dialectOf(table), BEGIN, window, most).map(({ values }) => values);
      const kept = table.rows.filter((row) => table.quoteAll || row.length > 1 || row[0] !== '');
      assert.deepEqual(read, kept);
    }),
    { numRuns: 1_000 },
  );
});

/** A reference reader, character by character; null: a quote is open at the end. */
function readPlainly(content: string, endsAtCr: boolean): string[][] | null {
  const endsCr = (at: number) => endsAtCr || content[at + 1] === '\n' || at + 1 === content.length;
  const isBreak = (at: number) => content[at] === '\n' || (content[at] === '\r' && endsCr(at));
  const records: string[][] = [[]];
  let value = '';
  let begins = true;
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at]!;
    if (begins && character === '"') {
      for (at += 1; content[at] !== '"' || content[at + 1] === '"'; at += 1) {
        if (at >= content.length) return null;
        if (content[at] === '"') at += 1;
        value += content[at];
      }
      begins = false;
    } else if (character === ',' || isBreak(at)) {
      if (character === ',' || !begins || records.at(-1)!.length > 0) records.at(-1)!.push(value);
      if (character !== ',') records.push([]);
      value = '';
      begins = true;
    } else {
      value += character;
      begins = false;
    }
  }
  if (!begins || records.at(-1)!.length > 0) records.at(-1)!.push(value);
  return records.filter((record) => record.length > 0);
}

test('CsvReader: random text follows the rules, wherever quotes are', () => {
  const noise = fc.array(fc.constantFrom('"', '"', '""', ',', '\n', '\r\n', '\r', 'a', 'é', ' ', '","'), {
    maxLength: 25,
  });
  fc.assert(
    fc.property(noise, fc.boolean(), borders, (parts, endsAtCr, { window, most }) => {
      const content = parts.join('');
      const expected = readPlainly(content, endsAtCr);
      const dialect = { delimiter: ',', endsAtCr };
      const read = () => recordsOf(content, dialect, BEGIN, window, most).map(({ values }) => values);
      if (expected === null) assert.throws(read, /quote opened in line \d+ is not closed/);
      else assert.deepEqual(read(), expected);
    }),
    { numRuns: 2_000 },
  );
});

test('CsvReader: resuming at any record gives the same values, lines and positions', () => {
  fc.assert(
    fc.property(written, borders, (table, { window, most }) => {
      const content = write(table);
      const records = recordsOf(content, dialectOf(table));
      for (const [index, { position }] of records.entries()) {
        assert.deepEqual(recordsOf(content, dialectOf(table), position, window, most), records.slice(index + 1));
      }
    }),
    { numRuns: 300 },
  );
});

test('CsvReader: random bytes are read to the end or refused with a line', () => {
  const noise = fc.array(fc.constantFrom('"', ',', '\n', '\r', 'a', '\0', '\xff'), { maxLength: 30 });
  fc.assert(
    fc.property(noise, borders, (parts, { window, most }) => {
      const content = Buffer.from(parts.join(''), 'latin1');
      const outcome = (size: number, bytes: number) => {
        try {
          return recordsOf(content, ',', BEGIN, size, bytes);
        } catch (error) {
          assert.ok(error instanceof UnreadableDocument);
          return error.message;
        }
      };
      assert.deepEqual(outcome(window, most), outcome(1_000, 1_000));
    }),
    { numRuns: 1_000 },
  );
});

test('CsvReader: skipLine() continues behind the first line of a record, read or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('"', 'a', ',', '\n', '\r\n', 'é'), { maxLength: 25 }),
      borders,
      (parts, sizes) => {
        const content = Buffer.from(parts.join(''));
        const reader = new CsvReader(sparingly(bytesOf(content), sizes.most), BEGIN, { delimiter: ',' }, sizes.window);
        for (let follows = true, before = 0; follows; ) {
          try {
            if (reader.read() === null) return;
          } catch (error) {
            assert.ok(error instanceof UnreadableDocument);
          }
          follows = reader.skipLine();
          const { line, byte } = reader.position;
          const ends = content.toString('latin1', 0, byte).split('\n').length;
          assert.ok(follows ? line === ends && line > before : byte === content.length);
          before = line;
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

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
