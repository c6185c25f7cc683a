import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readRows } from '../../src/importing/read.ts';
import { propertiesOf, readFileOf } from './support.ts';

test('readRows: an NDJSON line that is not an object is reported with its line', async (t) => {
  const text = '\uFEFF{"eventName":"a"}\r\n\n{"eventName":\n[1]\n \n{"eventName":"\u2028\u0085","__proto__":{"x":1}}';
  const { rows, lines } = await readFileOf(t, text, { format: 'ndjson' });
  assert.deepEqual(rows.slice(0, 3), [
    { line: 1, event: { eventName: 'a' } },
    { line: 3, problem: 'is not valid JSON' },
    { line: 4, problem: 'is not a JSON object' },
  ]);
  assert.equal(JSON.stringify(rows[3]?.event), '{"eventName":"\u2028\u0085","__proto__":{"x":1}}');
  assert.deepEqual(lines, { header: 0, rows: 4, continued: 0, blank: 2 });
  const numbers = await readFileOf(t, '{"x":1e400}\n{"x":[-1e999]}\n{"x":"1e400"}\n{"x":1e308}\n', {
    format: 'ndjson',
  });
  const huge = 'has a number that is too large';
  assert.deepEqual(
    numbers.rows.map(({ problem }) => problem),
    [huge, huge, undefined, undefined],
  );
});

test('readRows: an NDJSON line of any length costs no other line', async (t) => {
  for (const filler of [1_000, 5_000_000, 12_000_000]) {
    const text = `{"eventName":"a"}\n{"eventName":"${'x'.repeat(filler)}"}\n{"eventName":"b"}\n{"eventName":"c"}`;
    const { rows } = await readFileOf(t, text, { format: 'ndjson' });
    assert.deepEqual(
      rows.map(({ line, problem }) => [line, problem]),
      [1, 2, 3, 4].map((line) => [line, line === 2 && filler > 1_000 ? 'is longer than any event may be' : undefined]),
    );
  }
});

test('readRows: CSV columns become fields, or properties of one type each', async (t) => {
  const csv =
    'eventName,timestamp,amount,code,ok,empty,properties\nbought,2026-01-01,12.5,007,true,,"{""deep"":{""x"":1}}"\n';
  const { rows, columns } = await readFileOf(t, csv);
  assert.deepEqual(rows, [
    {
      line: 2,
      event: {
        eventName: 'bought',
        timestamp: '2026-01-01',
        properties: { amount: 12.5, code: '007', ok: true, deep: { x: 1 } },
      },
    },
  ]);
  assert.deepEqual(columns, [
    { column: 'amount', type: 'number-point', reason: 'decimal point, as in 12.5' },
    { column: 'code', type: 'text', reason: 'leading zeros, as in 007' },
    { column: 'ok', type: 'boolean' },
    { column: 'empty', type: 'text' },
  ]);
});

test('readRows: a spreadsheet of any country gives the same numbers', async (t) => {
  const expected = [
    { code: '0010', price: 49.9, total: 1234.56, paid: true },
    { code: '0011', price: 7, total: 0.5, paid: false },
  ];
  for (const csv of [
    'code,price,total,paid\n0010,49.90,"1,234.56",TRUE\n0011,7.00,0.50,FALSE\n',
    'code;price;total;paid\r\n0010;49,90;1.234,56;VERDADEIRO\r\n0011;7,00;0,50;FALSO\r\n',
    'sep=;\r\ncode;price;total;paid\r\n0010;"49,90";"1.234,56";WAHR\r\n0011;7,00;0,50;FALSCH\r\n',
    'code;price;total;paid\n0010;49,90;1\u202f234,56;VRAI\n0011;7,00;0,50;FAUX\n',
    "code\tprice\ttotal\tpaid\n0010\t49.90\t1'234.56\tTRUE\n0011\t7.00\t0.50\tFALSE\n",
    'code|price|total|paid\r0010|49.90|1,234.56|true\r0011|7.00|0.50|false\r',
    'code;price;total;paid\n="0010";49,90;1.234,56;WAHR\n="0011";7;0,5;FALSCH\n',
  ]) {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
      for (const mark of ['', '\ufeff']) {
        const read = await readFileOf(t, iconv.encode(mark + csv, encoding));
        assert.deepEqual(propertiesOf(read), expected, `${encoding} ${JSON.stringify(csv)}`);
        assert.equal(read.encoding, encoding);
      }
    }
  }
});

test('readRows: types can be set; what contradicts them is reported with its line', async (t) => {
  const csv = 'amount,zip,other\n1.234,01234,x\n2.500,7,x\nabc,8,x\n';
  const set = async (types: string) => propertiesOf(await readFileOf(t, csv, { types }));
  const problem = 'amount: "abc" is not a number, as --types amount=number-comma says';
  assert.deepEqual(await set('amount=number-comma,zip=number'), [
    { amount: 1234, zip: 1234, other: 'x' },
    { amount: 2500, zip: 7, other: 'x' },
    problem,
  ]);
  assert.deepEqual((await set('amount=number-point'))[0], { amount: 1.234, zip: '01234', other: 'x' });
  await assert.rejects(set('amount=number'), /amount can be read in two ways; set it to number-point or number-comma/);
  await assert.rejects(set('city=text'), /"city" is not a column of properties; these are: amount, zip, other/);
});

test('readRows: what contradicts the first megabyte of a stream is reported', async () => {
  const sample = 'ok,amount,count\ntrue,"1,5",1\n'.replace('\ntrue', `${'\nfalse,"2,5",2'.repeat(80_000)}\ntrue`);
  const later = 'TRUE,"1.234,5",3\ntrue,1.5,3\nja,"1,5",3\ntrue,"1,5",007\ntrue,"1,5",x\n,NULL,4\n';
  const open = async function* () {
    for (const text of [sample, later]) yield Buffer.from(text);
  };
  const input = { name: 'standard input', encoding: 'utf-8', isFile: false, open };
  const { rows, notes } = await readRows(input, { format: 'csv' });
  const read = await Array.fromAsync(rows);
  const says = (is: string) => `${is} as the values before it; set its type with --types`;
  assert.deepEqual(
    read.slice(80_001).map(({ event, problem }) => problem ?? { ...(event!.properties as object) }),
    [
      { ok: true, amount: 1234.5, count: 3 },
      says('amount: "1.5" is not a number'),
      says('ok: "ja" is not true or false'),
      says('count: "007" is not a number'),
      says('count: "x" is not a number'),
      { count: 4 },
    ],
  );
  assert.match(notes.join(), /first megabyte/);
});

test('readRows: a stray quote costs its own line; those after it are read', async (t) => {
  const rows = Array.from({ length: 5 }, (_, row) => `x,row ${row}`);
  const stray: [line: string, problems: number][] = [
    ['x,"a" b', 1],
    ['x,"he said \\"hi\\""', 1],
    ['x,"not closed', 1],
    ['x,"a "quoted" word, and more"', 1],
    ['"x,row', 1],
    ['x,5" pipe', 0],
    ['x,a "b" c', 0],
    ['x,"first\nsecond" third', 2],
    ['x,"first\nx,a "quoted" word"', 2],
  ];
  for (const [line, problems] of stray) {
    for (const after of [[], ['x,"quoted"'], ['x,"with ""doubled"""', 'x,"two\nlines"']]) {
      const csv = ['name,note', 'x,before', line, ...rows, ...after, ''].join('\n');
      const read = await readFileOf(t, csv);
      const found = read.rows.filter(({ event }) => event !== undefined);
      const notes = found.map(({ event }) => (event!.properties as { note: string }).note);
      for (const note of ['before', ...rows.map((row) => row.slice(2))]) assert.ok(notes.includes(note), csv);
      const { header, rows: counted, continued, blank } = read.lines;
      assert.equal(header + counted + continued + blank, csv.split('\n').length - 1, csv);
      if (after.length === 0) assert.equal(read.rows.length - found.length, problems, csv);
    }
  }
});

test('readRows: a quote that is open for 1 MB, or a longer line, costs one line', async (t) => {
  const rows = 'x,row\n'.repeat(180_000);
  for (const broken of ['x,"open', 'y'.repeat(5_000_000), `x,${'"'.repeat(1_100_001)}`]) {
    const read = await readFileOf(t, `name,note\n${broken}\n${rows}`);
    assert.equal(read.lines.rows, 180_001);
    assert.equal(read.rows.filter(({ problem }) => problem !== undefined).length, 1);
    assert.equal(read.rows[0]?.line, 2);
  }
});

test('readRows: a CSV row that does not fit the header is reported with its line', async (t) => {
  const { rows, lines } = await readFileOf(t, 'a,b\n1,2\n\n1,2,3\n,\n4,5\n6\n');
  assert.deepEqual(
    rows.map(({ line, problem }) => [line, problem]),
    [
      [2, undefined],
      [4, 'has 3 columns, and the header 2 columns'],
      [6, undefined],
      [7, 'has 1 column, and the header 2 columns'],
    ],
  );
  assert.deepEqual(lines, { header: 1, rows: 4, continued: 0, blank: 2 });
});

test('readRows: names of columns are kept, and refused when they are not distinct', async (t) => {
  const odd = await readFileOf(t, '__proto__,constructor, toString ,\n1,2,3,4\n', { types: '__proto__=text' });
  assert.equal(
    JSON.stringify(odd.rows[0]?.event),
    '{"eventName":"e","properties":{"__proto__":"1","constructor":2,"toString":3,"column 4":4}}',
  );
  assert.equal(({} as Record<string, unknown>).x, undefined);
  const nested = await readFileOf(t, 'a,properties\n1,"{""__proto__"":{""x"":1}}"\n2,"{""a"":1}"\n');
  assert.match(JSON.stringify(nested.rows[0]), /"a":1,"__proto__":\{"x":1\}/);
  assert.equal(nested.rows[1]?.problem, 'properties has a, which is a column as well');
  await assert.rejects(readFileOf(t, 'a,b,a,b,c\n1,2,3,4,5\n'), /more than one column is named a, b\./);
  await assert.rejects(readFileOf(t, 'Report\n\na;b\n1;2\n3;4\n'), /seem to be in line 3, below a title/);
  await assert.rejects(readFileOf(t, '\n'), /is empty/);
  for (const stray of ['a,"b\n1,2\n3,4\n', 'a,"b"c\n1,2\n']) {
    await assert.rejects(readFileOf(t, stray), /names of the columns have a stray quote/);
  }
  assert.deepEqual(propertiesOf(await readFileOf(t, 'a "",b"\n1,2\n')), [{ 'a ""': 1, 'b"': 2 }]);
  assert.deepEqual((await readFileOf(t, 'Timestamp\n1\n')).notes, [
    'The column Timestamp is a property; the field is spelled timestamp.',
  ]);
});

test('readRows: a file in another encoding is refused until --encoding names it', async (t) => {
  const cities: [encoding: string, city: string][] = [
    ['windows-1252', 'São Paulo'],
    ['windows-1250', 'Łódź'],
    ['windows-1251', 'Москва'],
    ['windows-1254', 'Iğdır'],
    ['shift_jis', '東京都'],
    ['macintosh', 'Zürich'],
  ];
  for (const [encoding, city] of cities) {
    const csv = iconv.encode(`city,x\n${city},1\n`, encoding);
    const ndjson = iconv.encode(`{"properties":{"city":"${city}"}}\n`, encoding);
    for (const [content, format] of [
      [csv, 'csv'],
      [ndjson, 'ndjson'],
    ] as const) {
      await assert.rejects(readFileOf(t, content, { format }), /is not UTF-8, .*Set --encoding.* line/s, encoding);
      const [properties] = propertiesOf(await readFileOf(t, content, { format, encoding })) as { city: string }[];
      assert.equal(properties?.city, city);
    }
  }
  await assert.rejects(readFileOf(t, 'a\n', { encoding: 'latin-99' }), /--encoding: "latin-99" is not known/);
  for (const [written, encoding] of [
    ['utf-8', 'windows-1252'],
    ['utf-16le', 'utf-8'],
    ['utf-16be', 'utf-16le'],
  ] as const) {
    const marked = iconv.encode('\ufeffcity,x\nZürich,1\n', written);
    await assert.rejects(readFileOf(t, marked, { encoding }), new RegExp(`byte order mark of ${written}: leave out`));
    const [city] = propertiesOf(await readFileOf(t, marked, { encoding: written.slice(0, 6) }));
    assert.deepEqual(city, { city: 'Zürich', x: 1 });
  }
});

test('readRows: bytes that cannot be read are reported with their line', async (t) => {
  const lines = Array.from({ length: 40 }, (_, line) => `ação ${line},é`);
  const damaged = Buffer.from(['a,b', ...lines, 'caf\xe9,1', 'good \ufffd,2', ''].join('\n'));
  const at = damaged.indexOf('caf') + 3;
  const content = Buffer.concat([damaged.subarray(0, at), Buffer.from([0xe9]), damaged.subarray(at + 2)]);
  const read = await readFileOf(t, content);
  assert.deepEqual(
    read.rows.filter(({ problem }) => problem).map(({ line, problem }) => [line, problem]),
    [[42, 'has bytes that are not utf-8; set --encoding to that of the file']],
  );
  const header = Buffer.concat([Buffer.from([0xe9]), Buffer.from(['x,b', ...lines].join('\n'))]);
  await assert.rejects(readFileOf(t, header), /the line of the columns has bytes that are not utf-8/);
  const wide = iconv.encode('a,b\n1,2\n', 'utf-16le');
  await assert.rejects(
    readFileOf(t, wide, { encoding: 'windows-1252' }),
    /columns has bytes that are not windows-1252/,
  );
  const lone = Buffer.concat([Buffer.from('\ufeffa\nx', 'utf16le'), Buffer.from([0x00, 0xd8, 0x0a, 0x00])]);
  assert.match(String(propertiesOf(await readFileOf(t, lone))[0]), /^has bytes that are not utf-16le/);
  const cut = Buffer.from('\ufeffa\nxy', 'utf16le').subarray(0, -1);
  await assert.rejects(readFileOf(t, cut), /ends within a character: it was cut off/);
});

const cell = fc
  .array(fc.constantFrom('a', 'é', '🙂', ' ', '"', ',', ';', '\t', '|', '\n', '\r\n', '\r', '\u2028', '\x0b'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => `x${parts.join('')}x`);
const amount = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100);
const table = fc.record({
  rows: fc.array(fc.tuple(cell, amount, fc.boolean()), { minLength: 3, maxLength: 20 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  decimal: fc.constantFrom('.', ','),
  group: fc.constantFrom('', 'mark', ' ', '\u00a0', '\u202f', "'"),
  words: fc.constantFrom(['TRUE', 'FALSE'], ['WAHR', 'FALSCH'], ['VRAI', 'FAUX'], ['VERDADEIRO', 'FALSO']),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
  mark: fc.constantFrom('', '\ufeff'),
  sep: fc.boolean(),
  quoteAll: fc.boolean(),
  closed: fc.boolean(),
});
type Table = typeof table extends fc.Arbitrary<infer T> ? T : never;

function written({ rows, ...dialect }: Table): Buffer {
  const { delimiter, lineBreak, decimal, group, words, quoteAll } = dialect;
  const separator = group === 'mark' ? (decimal === '.' ? ',' : '.') : group;
  const quoted = (text: string) =>
    quoteAll || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const number = (value: number) => {
    const [whole, cents] = value.toFixed(2).split('.') as [string, string];
    return whole.replace(/\B(?=(\d{3})+$)/g, separator) + decimal + cents;
  };
  const lines = [
    ...(dialect.sep ? [`sep=${delimiter}`] : []),
    ['note', 'amount', 'ok'].map(quoted).join(delimiter),
    ...rows.map(([note, value, ok]) => [note, number(value), words[ok ? 0 : 1]!].map(quoted).join(delimiter)),
  ];
  return iconv.encode(dialect.mark + lines.join(lineBreak) + (dialect.closed ? lineBreak : ''), dialect.encoding);
}

test('readRows: every table comes back, whatever the dialect it is written in', async (t) => {
  await fc.assert(
    fc.asyncProperty(table, async (one) => {
      const read = await readFileOf(t, written(one)).catch((error: Error) => error);
      if (read instanceof Error) {
        assert.match(read.message, /set --encoding/);
        return assert.ok(one.encoding !== 'utf-8' && one.mark === '', 'only without a mark');
      }
      const expected = one.rows.map(([note, value, ok]) => ({ note, amount: value, ok }));
      const properties = propertiesOf(read) as typeof expected;
      const [first] = read.columns!.filter(({ column }) => column === 'amount');
      // One value tells amounts from versions only together with others.
      if (first?.type === 'text') assert.equal(new Set(one.rows.map(([, value]) => value)).size, 1);
      else assert.deepEqual(properties, expected);
      assert.equal(read.lines.rows, one.rows.length);
    }),
    { numRuns: 150 },
  );
});

test('readRows: noise is read or refused, and every line is counted', async (t) => {
  const noise = fc.array(fc.constantFrom('"', '"', ',', '\n', '\n', '\r\n', 'a', '1', ' ', 'é', '","'), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(noise, async (parts) => {
      const content = `a,b\n1,2\n${parts.join('')}`;
      const { lines, rows } = await readFileOf(t, content, { delimiter: ',' });
      assert.equal(rows.length, lines.rows);
      const last = content.endsWith('\n') ? 1 : 0;
      assert.equal(lines.header + lines.rows + lines.continued + lines.blank, content.split('\n').length - last);
      const numbers = rows.map(({ line }) => line);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, other) => one - other),
      );
    }),
    { numRuns: 200 },
  );
});
