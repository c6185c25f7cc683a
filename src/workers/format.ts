import type { Passage } from '../core/knowledge/chunking.ts';
import type { Position, Prepared, ReadOptions } from '../core/knowledge/reader.ts';

/** A page, a row, the text under a heading; reading can resume after each. */
export interface Section extends Passage {
  next: Position;
  done: number;
  /** Notes on the file besides its text; told once. */
  notes?: string[];
}

/** Runs in its own thread, so it may block. */
export interface Format {
  /** A first pass, stored with the job. May write one file whose name begins with the upload's. */
  prepare(path: string, options: ReadOptions): Prepared | Promise<Prepared>;
  /** `from` null: the beginning. `return()` closes the files. */
  read(
    prepared: Prepared,
    from: Position | null,
    options: ReadOptions,
  ): Generator<Section, void, void> | AsyncGenerator<Section, void, void>;
}
