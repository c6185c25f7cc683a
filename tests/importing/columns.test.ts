import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnJudge } from '../../src/importing/column-judge.ts';
import { type ColumnType, cellValue, columnTypes } from '../../src/importing/columns.ts';
import { sendRows } from '../../src/importing/send.ts';

/** A column's cells, its type, and what they become; or why they stay. */
const COLUMNS: [cells: string[], type: ColumnType, outcome: unknown[] | RegExp, name?: string][] = [
  [['1', '-20', '0', ' 3 '], 'number', [1, -20, 0, 3]],
  [['12.5', '0.25', '1'], 'number-point', [12.5, 0.25, 1]],
  [['49.90', '20.00', '12.5'], 'number-point', [49.9, 20, 12.5]],
  [['49.90', '49.10', '7.00'], 'number-point', [49.9, 49.1, 7]],
  [['1.0', '2.5', '10.25'], 'number-point', [1, 2.5, 10.25]],
  [['.5', '1.25'], 'number-point', [0.5, 1.25]],
  [['1e-05', '0.5', '-2.5e-20'], 'number-point', [0.00001, 0.5, -2.5e-20]],
  [['49,90', '1.234,56', '7'], 'number-comma', [49.9, 1234.56, 7]],
  [['1.234,56', '1.234'], 'number-comma', [1234.56, 1234]],
  [['1,234.50', '1,234'], 'number-point', [1234.5, 1234]],
  [['1 234,5', '1\u00a0234\u00a0567,5', '1\u202f234'], 'number-comma', [1234.5, 1_234_567.5, 1234]],
  [["1'234.50", '1’234'], 'number-point', [1234.5, 1234]],
  [['−5,5', '2'], 'number-comma', [-5.5, 2]],
  [['1.234', '0.234'], 'number-point', [1.234, 0.234]],
  [['1.5', 'NULL', '', '-', '#N/A'], 'number-point', [1.5, undefined, undefined, undefined, undefined]],
  [['0.1234567890123456'], 'number-point', [0.1234567890123456]],
  [['1.234', '2.500'], 'text', /^1\.234 can be read in two ways$/],
  [['1,234'], 'text', /^1,234 can be read in two ways$/],
  [['1.234.567', '950'], 'text', /^digits in groups without decimals/],
  [['601 234 567'], 'text', /^601 234 567 can be read/],
  [['1,5', '2.5'], 'text', /^decimal points and decimal commas, as in 2\.5 and 1,5$/],
  [['007', '12'], 'text', /^leading zeros, as in 007$/],
  [['00.5', '1.5'], 'text', /^leading zeros/],
  [['1.9', '1.10'], 'text', /^1\.10 may be a version/],
  [['1.10', '2.0', '3.5'], 'text', /^1\.10 may be a version/],
  [['1.10', '1.10'], 'text', /^1\.10 may be a version/],
  [['1.10', '2.20'], 'text', /^1\.10 may be a version/, 'Version'],
  [['1.10', '2.20'], 'text', /^1\.10 may be a version/, 'appVersion'],
  [['1.10', '2.20'], 'number-point', [1.1, 2.2], 'conversion_rate'],
  [['0.00', '0.00'], 'number-point', [0, 0]],
  [['49,90-', '1,00', '2,00'], 'text', /^not only numbers, as in "49,90-"$/],
  [['1.10', '1.10.2'], 'text', /^$/],
  [['12345678901234567890', '1'], 'text', /^$/],
  [['10000000000000000', '1e+20'], 'text', /^$/],
  [['1', '2', '3', 'n.d.'], 'text', /^not only numbers, as in "n\.d\."$/],
  [['R$ 10,00', '5 €'], 'text', /^not only numbers, as in "R\$ 10,00"$/],
  [['12%', '5,5 %'], 'text', /^not only numbers, as in "12%"$/],
  [['1,23E+11'], 'text', /^not only numbers, as in "1,23E\+11"$/],
  [['="007"', '="012"'], 'text', /^formulas for texts, as in "=\\"007\\""$/],
  [['="a" & "b"', '=1+2'], 'text', /^$/],
  [['+49 151 1234567', '01511234567'], 'text', /^$/],
  [['192.168.0.1', '10.0.0.1'], 'text', /^$/],
  [['2026-03-01', '01.03.2026', '01/03/2026'], 'text', /^$/],
  [['', ' '], 'text', /^$/],
  [['NULL'], 'text', /^$/],
  [['true', 'false'], 'boolean', [true, false]],
  [['TRUE', 'True', 'FALSE', 'N/A'], 'boolean', [true, true, false, undefined]],
  [['WAHR', 'FALSCH'], 'boolean', [true, false]],
  [['VRAI', 'FAUX'], 'boolean', [true, false]],
  [['VERDADEIRO', 'FALSO'], 'boolean', [true, false]],
  [['FALSO'], 'boolean', [false]],
  [['ИСТИНА', 'ЛОЖЬ'], 'boolean', [true, false]],
  [['TRUE', 'FALSCH'], 'text', /^$/],
  [['TRUE', '1'], 'text', /^$/],
  [['falso', 'verdadeiro'], 'text', /^$/],
];

for (const [cells, type, outcome, name = 'amount'] of COLUMNS) {
  test(`ColumnJudge: ${JSON.stringify(cells).slice(0, 45)} is ${type}`, () => {
    const judge = new ColumnJudge(name);
    for (const cell of cells) judge.see(cell);
    const decision = judge.decide();
    assert.equal(decision.type, type, JSON.stringify(decision));
    if (outcome instanceof RegExp) assert.match(decision.reason ?? '', outcome);
    const values = cells.map((cell) => cellValue(cell, decision));
    if (outcome instanceof RegExp)
      assert.deepEqual(
        values,
        cells.map((cell) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell),
      );
    else assert.deepEqual(values, outcome);
  });
}

test('ColumnJudge: a decision says what is left out', () => {
  const judge = new ColumnJudge('amount');
  for (const cell of ['1,5', 'NULL']) judge.see(cell);
  assert.equal(judge.decide().reason, 'decimal comma, as in 1,5; NULL is left out');
});

test('cellValue(): what contradicts the type is no value', () => {
  const refused: [ColumnType, string[]][] = [
    ['number', ['1.50', '1.234', '1,5', 'x', '007']],
    ['number-point', ['1,5', '1.234,5', '007', '1.10.2', '1,23,456']],
    ['number-comma', ['1.5', '1,234.5', '0.234', '1.23.456,0']],
    ['boolean', ['1', 'yes', 'wahr']],
  ];
  for (const [type, cells] of refused) {
    for (const cell of cells) assert.equal(cellValue(cell, { column: 'x', type }), null, `${type} ${cell}`);
  }
  assert.equal(cellValue('007', { column: 'x', type: 'number-point', isSet: true }), 7);
  assert.equal(
    cellValue('12345678901234567', { column: 'x', type: 'number-point', isSet: true }),
    null,
    'loses digits',
  );
});

test('columnTypes(): names may have commas and equals signs; unknown types are refused', () => {
  assert.deepEqual(
    [...columnTypes('amount=number,zip=text,a=b,c=number-comma,x=boolean')],
    [
      ['amount', 'number'],
      ['zip', 'text'],
      ['a=b,c', 'number-comma'],
      ['x', 'boolean'],
    ],
  );
  assert.deepEqual([...columnTypes('')], []);
  for (const wrong of ['amount', 'amount=', 'amount=money', 'amount=number,zip', '=text']) {
    assert.throws(() => columnTypes(wrong), /--types: write column=type/);
  }
});

async function* rows() {
  yield { line: 1, event: { eventName: 'bought' } };
}

/** Sends one row to a server with these answers; returns the number of requests and the result. */
async function sending(...answers: Response[]) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return answers[asked.length - 1] ?? assert.fail('asked too often');
  };
  const result = await sendRows(rows(), { url: 'http://x', apiKey: 'key', fetch }, 'import', () => undefined).catch(
    (error: Error) => error.message,
  );
  return { asked: asked.length, result };
}

const refused = (headers: Record<string, string>) => Response.json({ message: 'The quota.' }, { status: 429, headers });

test('sendRows: a permanent refusal ends the import at once, with its message', async () => {
  const { asked, result } = await sending(refused({}));
  assert.equal(asked, 1);
  assert.match(String(result), /^The server refused a batch: 429 The quota\. 0 events are in/);
});

test('sendRows: a refusal with Retry-After is retried', async () => {
  const { asked, result } = await sending(
    refused({ 'retry-after': '0' }),
    Response.json({ accepted: 1, duplicates: 0, rejected: [], receipt: 'r' }, { status: 202 }),
    Response.json({}),
  );
  assert.equal(asked, 3);
  assert.deepEqual(result, { accepted: 1, duplicates: 0, rejected: [] });
});
