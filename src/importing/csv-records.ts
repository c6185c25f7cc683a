import { UnreadableDocument } from '../core/knowledge/reader.ts';
import type { ReadBytes } from '../text/bytes.ts';
import { CsvReader } from '../text/csv-reader.ts';
import type { CsvLayout } from '../text/csv-sniff.ts';
import { type ImportInput, isUtf8Name } from './input.ts';
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

/** Readers need a record of 1 MB and look at the first 2 MB. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/** The next megabytes of a stream, for readers that do not wait. Forgets what is behind them. */
export class LookAhead {
  #chunks: Buffer[] = [];
  /** Positions of the first byte held, and behind the last. */
  #begin = 0;
  #end = 0;
  #ended = false;
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  readonly read: ReadBytes = (into, at, length, position) => {
    let from = position - this.#begin;
    let copied = 0;
    for (const chunk of this.#chunks) {
      if (from < chunk.length) copied += chunk.copy(into, at + copied, from, from + length - copied);
      if (copied === length) break;
      from = Math.max(0, from - chunk.length);
    }
    return copied;
  };

  /** Then a reader at this position has to wait for `fill`. */
  isShort(position: number): boolean {
    return !this.#ended && this.#end - position < AHEAD_BYTES / 2;
  }

  async fill(position: number): Promise<void> {
    while (this.#chunks.length > 0 && this.#begin + this.#chunks[0]!.length <= position) {
      this.#begin += this.#chunks.shift()!.length;
    }
    while (!this.#ended && this.#end - position < AHEAD_BYTES) {
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else {
        this.#chunks.push(value);
        this.#end += value.length;
      }
    }
  }
}
