import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../support/app.ts';
import { runProgram } from '../support/process.ts';
import { runCommand } from '../support/shell.ts';

const GERMAN = [
  'eventName;timestamp;Preis;Menge;Artikel;bezahlt;Notiz',
  'Kauf;2026-03-01T10:00:00Z;1.234,56;1.234;007;WAHR;"er sagte "hi""',
  'Kauf;2026-03-01T11:00:00Z;7,00;2.000;008;FALSCH;"zwei',
  'Zeilen"',
  '',
  'Kauf;01.03.2026;5,00;3.000;009;FALSCH;x',
  '',
].join('\r\n');

function place(t: TestContext, name: string, content: string | Buffer) {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, name), content);
  return (...options: string[]) =>
    runCommand(['import', name, '--data-dir', join(directory, 'data'), ...options], { cwd: directory });
}

test('import: how a CSV was read is told, on the terminal and as JSON', async (t) => {
  const run = place(t, 'kauf.csv', GERMAN);
  const lines = [
    '  line 2: has text after a closing quote; quotes within a value are doubled ("")',
    '  line 6: timestamp: must be an ISO 8601 date-time such as 2026-03-01T12:30:00Z',
    'kauf.csv: utf-8, columns end at ";"; 6 lines: 1 header, 3 rows, 1 within rows, 1 blank.',
    '  number  Preis (decimal comma, as in 7,00)',
    '  text    Menge (2.000 can be read in two ways), Artikel (leading zeros, as in 008), Notiz',
    '  boolean bezahlt',
    'Set types with --types COLUMN=number,...; events that are in already keep their values.',
    '',
  ];
  const trial = await run('--dry-run');
  const [first, second, ...others] = trial.stdout.split('\n');
  assert.equal(first, '2 events can be sent, 1 would be rejected. Nothing was sent.');
  assert.deepEqual([second, ...others], lines.toSpliced(1, 1));
  assert.equal(trial.code, 1);

  const said = await run();
  assert.deepEqual(said.stdout.split('\n'), ['Imported 1 events; 0 were there already, 2 were rejected.', ...lines]);
  assert.equal(said.code, 1);

  const { accepted, duplicates, rejected, problems, ...file } = JSON.parse(
    (await run('--json', '--types', 'Menge=number-comma,Artikel=number')).stdout,
  );
  assert.deepEqual([accepted, duplicates, rejected, problems.length], [0, 1, 2, 2]);
  assert.deepEqual(file, {
    encoding: 'utf-8',
    delimiter: ';',
    lines: { total: 6, header: 1, rows: 3, continued: 1, blank: 1 },
    columns: [
      { column: 'Preis', type: 'number-comma', reason: 'decimal comma, as in 7,00' },
      { column: 'Menge', type: 'number-comma', isSet: true },
      { column: 'Artikel', type: 'number-point', isSet: true },
      { column: 'bezahlt', type: 'boolean' },
      { column: 'Notiz', type: 'text' },
    ],
    notes: [],
  });
});

test('import: an encoding that is not certain is refused with what to set', async (t) => {
  const run = place(t, 'cities.csv', Buffer.from('eventName,city\nvisit,S\xe3o Paulo\n', 'latin1'));
  const refused = await run();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /cities\.csv is not UTF-8.*Set --encoding.*line 2/);
  assert.match(
    refused.stderr,
    /--encoding windows-1252 {2}visit,São Paulo\n.*--encoding windows-1250 {2}visit,Săo Paulo/,
  );
  const read = await run('--encoding', 'windows-1252');
  assert.match(read.stdout, /^Imported 1 events; .*\ncities\.csv: windows-1252, /);
  assert.equal(read.code, 0);
  for (const [wrong, message] of [
    [['--types', 'city=money'], /--types: write column=type/],
    [['--delimiter', '""'], /--delimiter must be one ASCII character/],
    [['--format', 'ndjson', '--types', 'city=text'], /--types is for a CSV/],
  ] as const) {
    assert.match((await run(...wrong)).stderr, message);
  }
});

test('import: standard input is read as a file is', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const input = `sep=|\n\ufeffeventName|amount\n${'sale|1,50\n'.repeat(20_000)}sale|1.234,00\n`;
  const args = ['import', '-', '--format', 'csv', '--data-dir', dataDir, '--json'];
  const { code, stdout, stderr } = await runProgram(t, args, { input });
  assert.equal(code, 0, stderr);
  const { accepted, columns, lines } = JSON.parse(stdout);
  assert.deepEqual([accepted, lines.total], [20_001, 20_003]);
  assert.deepEqual(columns, [{ column: 'amount', type: 'number-comma', reason: 'decimal comma, as in 1,50' }]);
  const ndjson = '{"eventName":"a"}\r\n\r\nx\n{"eventName":"b"}\n{"EventName":"c"}';
  const other = await runProgram(t, ['import', '-', '--data-dir', dataDir], { input: ndjson });
  assert.equal(
    other.stdout,
    [
      'Imported 2 events; 0 were there already, 2 were rejected.',
      '  line 3: is not valid JSON',
      '  line 5: eventName: is required; EventName: unknown member; did you mean eventName?',
      'standard input: utf-8; 5 lines: 4 rows, 1 blank.\n',
    ].join('\n'),
  );
});
