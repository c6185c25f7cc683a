import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { UnreadableDocument } from '../../core/knowledge/reader.ts';

export interface DocumentBlock {
  headings: string[];
  text: string;
}

const LINE_FEED = 0x0a;
const READ_AT_ONCE = 256 * 1_024;
const WRITE_AT_ONCE = 256 * 1_024;
/** Bytes. Every block repeats its headings, so short blocks may grow much. */
const MAX_SIZE = 500_000_000;

/** JSON lines: reading can resume at any. Renamed when complete: a crash leaves no partial file. */
export class BlockFile {
  size = 0;
  readonly #path: string;
  readonly #limit: number;
  readonly #file: number;
  #pending = '';

  constructor(path: string, limit = MAX_SIZE) {
    this.#path = path;
    this.#limit = limit;
    this.#file = openSync(this.#temporary, 'w');
  }

  /** Throws UnreadableDocument above the size limit. */
  add(block: DocumentBlock): void {
    this.#pending += `${JSON.stringify(block)}\n`;
    if (this.#pending.length >= WRITE_AT_ONCE) this.#write();
  }

  finish(): void {
    this.#write();
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.#temporary, this.#path);
  }

  abandon(): void {
    closeSync(this.#file);
    rmSync(this.#temporary, { force: true });
  }

  get #temporary(): string {
    return `${this.#path}.part`;
  }

  #write(): void {
    const bytes = Buffer.from(this.#pending);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.size += bytes.length;
    this.#pending = '';
    if (this.size <= this.#limit) return;
    throw new UnreadableDocument(
      `Its text, with the headings that each part stands under, comes to more than ${this.#limit / 1e6} MB. Split it into smaller documents.`,
    );
  }
}

export function* readBlocks(path: string, from: number): Generator<{ block: DocumentBlock; next: number }, void, void> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let next = from;
    while (true) {
      const buffer = Buffer.alloc(READ_AT_ONCE);
      const read = readSync(file, buffer, 0, buffer.length, next + rest.length);
      if (read === 0) return;
      rest = Buffer.concat([rest, buffer.subarray(0, read)]);
      for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
        next += end + 1;
        yield { block: JSON.parse(rest.toString('utf8', 0, end)) as DocumentBlock, next };
        rest = rest.subarray(end + 1);
      }
    }
  } finally {
    closeSync(file);
  }
}
