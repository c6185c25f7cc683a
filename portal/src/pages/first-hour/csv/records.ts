import { t } from '../../../language/index.ts';
/** A row, or what is wrong with it. `line` is the first of its lines, from 1. */
export interface CsvRow {
  line: number;
  values: string[];
  problem?: string;
}

/**
 * RFC 4180, as `agent-runtime import` reads it: a row that is broken costs its first line only. Blank lines are no rows.
 */
export function* csvRows(text: string, delimiter: string, width?: number): Generator<CsvRow> {
  const reader = new RowReader(text, delimiter);
  // Lines before it were within a row that is broken: a stray quote in them is a part of it.
  let doubtfulUntil = 0;
  for (let row = reader.next(); row !== null; row = reader.next()) {
    if (row.problem === undefined && row.values.every((value) => value.trim() === '')) continue;
    if (row.problem === undefined && width !== undefined && row.values.length !== width) {
      row.problem = t('has {columns}, and the header {others}', {
        columns: counted(row.values.length),
        others: counted(width),
      });
    }
    if (row.problem === undefined && row.line < doubtfulUntil && row.values.some((value) => value.includes('"'))) {
      row.problem = t('has a quote, and the lines before it have one that is not closed');
    }
    if (row.problem !== undefined) {
      if (!reader.isOpen) doubtfulUntil = Math.max(doubtfulUntil, reader.line);
      reader.continueAfterLine(row.line);
    }
    yield row;
  }
}

function counted(values: number): string {
  return t.count(values, '{count} column', '{count} columns');
}

/** A longer value is a quote that is not closed. */
const RECORD_CHARACTERS = 1024 * 1024;

class RowReader {
  readonly #text: string;
  readonly #delimiter: string;
  #at = 0;
  /** The line of the next row. */
  line = 1;
  /** The row just read has a quote that is not closed. */
  isOpen = false;
  /** Where the row just read begins. */
  #begun = 0;
  #problem: string | undefined;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  /** Null at the end. */
  next(): CsvRow | null {
    if (this.#at >= this.#text.length) return null;
    this.#begun = this.#at;
    this.#problem = undefined;
    this.isOpen = false;
    const line = this.line;
    const values: string[] = [];
    do values.push(this.#value());
    while (this.#take(this.#delimiter));
    if (!this.#take('\r\n')) this.#take('\n');
    this.line += 1;
    return { line, values, ...(this.#problem !== undefined && { problem: this.#problem }) };
  }

  /** The other lines of a row that is broken may be rows. */
  continueAfterLine(line: number): void {
    if (this.line === line + 1) return;
    const end = this.#text.indexOf('\n', this.#begun);
    this.#at = end === -1 ? this.#text.length : end + 1;
    this.line = line + 1;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return this.#at <= this.#text.length;
  }

  #value(): string {
    if (this.#text[this.#at] !== '"') return this.#plain();
    const quoted = this.#quoted();
    const rest = this.#plain();
    if (rest !== '') this.#problem ??= t('has text after a closing quote; quotes within a value are doubled ("")');
    return quoted + rest;
  }

  #plain(): string {
    const text = this.#text;
    const from = this.#at;
    let at = from;
    while (at < text.length && text[at] !== this.#delimiter && text[at] !== '\n') at += 1;
    if (text[at] === '\n' && text[at - 1] === '\r' && at > from) at -= 1;
    this.#at = at;
    return text.slice(from, at);
  }

  #quoted(): string {
    const text = this.#text;
    const opened = this.line;
    const from = this.#at + 1;
    for (let at = from; ; at += 2) {
      at = text.indexOf('"', at);
      if (at === -1 || at - from > RECORD_CHARACTERS) {
        this.isOpen = true;
        this.#problem = t(
          'The quote opened in line {line} is not closed within 1 MB. Close it, or double it ("") if it belongs to the value.',
          { line: String(opened) },
        );
        this.#at = text.length;
        this.line += 1;
        return '';
      }
      if (text[at + 1] === '"') continue;
      this.#at = at + 1;
      const value = text.slice(from, at);
      for (let found = value.indexOf('\n'); found !== -1; found = value.indexOf('\n', found + 1)) this.line += 1;
      return value.replaceAll('""', '"');
    }
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_ROWS = 200;
const SAMPLE_CHARACTERS = 256 * 1024;

/** The character that divides the first rows most evenly; a comma for a single column. */
export function delimiterOf(text: string): string {
  const given = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (given !== undefined) return given;
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const found = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(sample, delimiter) }));
  const best = found.reduce((one, other) => (other.score > one.score ? other : one));
  return best.delimiter;
}

/** Rows that are all alike outweigh any number of columns. Commas of decimals and texts are often as many by chance. */
const ALL_ALIKE = 100;

function scoreOf(text: string, delimiter: string): number {
  const widths: number[] = [];
  for (const { values } of csvRows(text, delimiter)) {
    if (widths.push(values.length) === SAMPLE_ROWS) break;
  }
  const width = widths[0] ?? 0;
  if (width < 2) return 0;
  const share = widths.filter((one) => one === width).length / widths.length;
  const alike = share < 1 ? 0 : delimiter === ';' || delimiter === '\t' ? 2 * ALL_ALIKE : ALL_ALIKE;
  return share * Math.log2(width + 1) + alike;
}
