import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { openBytes } from '../../src/text/bytes.ts';
import { CsvReader } from '../../src/text/csv-reader.ts';
import { sniffCsv } from '../../src/text/csv-sniff.ts';
import { medianTimes } from '../events/measure.ts';
import type { Bench } from './bench.ts';
import { csvFile } from './csv-file.ts';

const SHARE_OF_ROWS = 1 / 50;

/** The reader of CSV alone: the same file, and the same values. */
export async function benchCsvRead({ options, report, directory }: Bench): Promise<void> {
  const rows = Math.ceil(options.rows * SHARE_OF_ROWS);
  const { path, bytes } = await csvFile(directory, { rows, words: 10 });
  const ours = await withOurs(path);
  const theirs = await withCsvParse(path);
  if (ours !== theirs) throw new Error(`Our reader found ${ours} characters in values, csv-parse ${theirs}.`);
  const times = await medianTimes(
    { ours: () => withOurs(path), 'csv-parse': () => withCsvParse(path) },
    options.rounds,
  );
  const figures = (milliseconds: number) => ({ 'rows/s': rows / (milliseconds / 1_000) });
  report.table('csv-read', `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, one thread`, [
    {
      what: 'ours',
      values: { ...figures(times.ours), 'x csv-parse': times['csv-parse'] / times.ours },
      demanded: { of: 'x csv-parse', atLeast: 3 },
    },
    { what: 'csv-parse 7.0.3, stream', values: { ...figures(times['csv-parse']), 'x csv-parse': 1 } },
  ]);
}

/** Characters in all values, so that each was made and both readers can be seen to agree. */
async function withOurs(path: string): Promise<number> {
  const file = openBytes(path);
  try {
    const layout = sniffCsv(file.read, 0);
    const reader = new CsvReader(file.read, layout.rows, layout);
    let characters = 0;
    for (let values = reader.read(); values; values = reader.read())
      for (const value of values) characters += value.length;
    return characters;
  } finally {
    file.close();
  }
}

async function withCsvParse(path: string): Promise<number> {
  const parser = createReadStream(path, { highWaterMark: 1 << 20 }).pipe(parse({ from_line: 2 }));
  let characters = 0;
  // Its fastest way that holds one row at a time: no promise for each.
  parser.on('readable', () => {
    for (let values = parser.read(); values; values = parser.read())
      for (const value of values) characters += value.length;
  });
  await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject));
  return characters;
}
