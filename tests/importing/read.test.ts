import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type ImportRow, readRows } from '../../src/importing/read.ts';

async function rowsOf(text: string, options: Parameters<typeof readRows>[1]): Promise<ImportRow[]> {
  return Array.fromAsync(readRows(Readable.from([Buffer.from(text)]), options));
}

test('readRows: an NDJSON line that is not an object is reported with its line', async () => {
  const rows = await rowsOf('\uFEFF{"eventName":"a"}\r\n\n{"eventName":\n[1]\n', { format: 'ndjson' });
  assert.deepEqual(rows, [
    { line: 1, event: { eventName: 'a' } },
    { line: 3, problem: 'is not valid JSON' },
    { line: 4, problem: 'is not a JSON object' },
  ]);
});

test('readRows: CSV columns become fields, or properties with numbers and booleans', async () => {
  const csv =
    'eventName,timestamp,amount,code,ok,empty,properties\nbought,2026-01-01,12.5,007,true,,"{""deep"":{""x"":1}}"\n';
  assert.deepEqual(await rowsOf(csv, { format: 'csv' }), [
    {
      line: 2,
      event: {
        eventName: 'bought',
        timestamp: '2026-01-01',
        properties: { amount: 12.5, code: '007', ok: true, deep: { x: 1 } },
      },
    },
  ]);
});

test('readRows: CSV cells may contain quotes, line breaks and delimiters', async () => {
  const rows = await rowsOf('note\n"a ""quoted"", text\nover two lines"\n', { format: 'csv', eventName: 'noted' });
  assert.deepEqual(rows[0]?.event, { eventName: 'noted', properties: { note: 'a "quoted", text\nover two lines' } });
});

test('readRows: a CSV row that does not fit the header is reported with its line', async () => {
  const rows = await rowsOf('a,b\n1,2\n1,2,3\n4,5\n', { format: 'csv', eventName: 'x' });
  assert.deepEqual(rows.map(({ line, event, problem }) => [line, event !== undefined, problem !== undefined]).sort(), [
    [2, true, false],
    [3, false, true],
    [4, true, false],
  ]);
});
