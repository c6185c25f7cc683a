import { UnreadableDocument } from '../core/knowledge/reader.ts';
import { CsvReader } from '../text/csv-reader.ts';
import type { CsvLayout } from '../text/csv-sniff.ts';
import { type ImportInput, isUtf8Name } from './input.ts';
import type { LookAhead } from './look-ahead.ts';
import { notIn } from './ndjson.ts';

/** Neither values nor a problem: blank lines. */
export interface CsvRecord {
  line: number;
  /** Lines. */
  count: number;
  values: string[] | null;
  problem?: string;
}

const BATCH = 1_000;

/**
 * Up to a record that begins behind so many bytes. A record that is broken costs its first line
 * only: others follow.
 */
export async function* csvRecords(
  bytes: LookAhead,
  layout: CsvLayout,
  input: ImportInput,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<CsvRecord[]> {
  const records = new Records(bytes, layout, input.encoding);
  for (let batch: CsvRecord[] = []; ; batch = []) {
    while (batch.length < BATCH && records.byte < most) {
      if (bytes.isShort(records.byte)) await bytes.fill(records.byte);
      if (!records.next(batch)) break;
    }
    if (batch.length === 0) return;
    yield batch;
  }
}

class Records {
  readonly #reader: CsvReader;
  readonly #width: number;
  readonly #encoding: string;
  /** Lines before it were within a record that is broken: a stray quote in them is a part of it. */
  #doubtfulUntil = 0;
  /** In a line that goes on behind the bytes ahead. */
  #isSkipping = false;

  constructor(bytes: LookAhead, layout: CsvLayout, encoding: string) {
    this.#reader = new CsvReader(bytes.read, layout.rows, layout);
    this.#width = layout.header.length;
    this.#encoding = encoding;
  }

  get byte(): number {
    return this.#reader.position.byte;
  }

  /** False at the end. */
  next(into: CsvRecord[]): boolean {
    const reader = this.#reader;
    if (this.#isSkipping) {
      const before = this.byte;
      this.#isSkipping = !reader.skipLine();
      return this.byte > before;
    }
    const from = reader.position.line;
    let values: string[] | null = null;
    let problem: string | undefined;
    try {
      values = reader.read();
      if (values) problem = this.#problem(values);
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      problem = error.message;
    }
    const hasRead = values !== null;
    const line = hasRead ? reader.line : reader.position.line;
    if (line > from) into.push({ line: from, count: line - from, values: null });
    if (!hasRead && problem === undefined) return line > from;
    const end = reader.position.line;
    if (problem !== undefined && (!hasRead || end - line > 1)) {
      if (hasRead) this.#doubtfulUntil = Math.max(this.#doubtfulUntil, end);
      this.#isSkipping = !reader.skipLine();
    }
    const count = Math.max(1, reader.position.line - line);
    if (problem !== undefined) into.push({ line, count, values: null, problem });
    else into.push({ line, count, values: values!.every((value) => value.trim() === '') ? null : values });
    return true;
  }

  #problem(values: string[]): string | undefined {
    const reader = this.#reader;
    if (reader.hasTextAfterQuote) return 'has text after a closing quote; quotes within a value are doubled ("")';
    if (values.length !== this.#width) return `has ${counted(values.length)}, and the header ${counted(this.#width)}`;
    if (reader.line < this.#doubtfulUntil && values.some((value) => value.includes('"'))) {
      return 'has a quote, and the lines before it have one that is not closed';
    }
    const isDoubtful = values.some((value) => value.includes('\ufffd'));
    if (isDoubtful && !(isUtf8Name(this.#encoding) && reader.isUtf8())) return notIn(this.#encoding);
    return undefined;
  }
}

function counted(values: number): string {
  return values === 1 ? '1 column' : `${values} columns`;
}
