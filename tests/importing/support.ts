import type { TestContext } from 'node:test';
import { columnTypes } from '../../src/importing/columns.ts';
import { openInput } from '../../src/importing/input.ts';
import { readRows } from '../../src/importing/read.ts';
import type { EventFileOptions, ImportRow, Reading } from '../../src/importing/reading.ts';
import { fileOf } from '../support/upload-file.ts';

export interface ReadFile extends Omit<Reading, 'rows'> {
  encoding: string;
  rows: ImportRow[];
}

interface Options extends Omit<Partial<EventFileOptions>, 'types'> {
  encoding?: string;
  types?: string;
}

/** All rows of a file, as JSON has them. A CSV unless the options say otherwise. */
export async function readFileOf(t: TestContext, content: string | Buffer, options: Options = {}): Promise<ReadFile> {
  const input = await openInput(fileOf(t, content), options.encoding);
  const types = columnTypes(options.types ?? '');
  const { rows, ...reading } = await readRows(input, { format: 'csv', eventName: 'e', ...options, types });
  return { ...reading, encoding: input.encoding, rows: JSON.parse(JSON.stringify(await Array.fromAsync(rows))) };
}

export function propertiesOf({ rows }: ReadFile): unknown[] {
  return rows.map(({ event, problem }) => problem ?? event?.properties);
}
