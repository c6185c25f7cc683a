import type { Passage } from '../core/knowledge/chunking.ts';
import type { Field } from '../core/knowledge/hygiene.ts';
import type { Position, Prepared, ReadOptions } from '../core/knowledge/reader.ts';

export type { Field };

/** The unit of reading: a page, a row, the text under a heading. Reading can resume after each. */
export interface Section extends Passage {
  /** Where to resume after it; plain JSON. */
  next: Position;
  /** The share of the file read so far, 0 to 1. */
  done: number;
}

/** A document format. Runs in its own thread, so it may block. */
export interface Format {
  /**
   * A first pass over the whole file. Its result, plain JSON, is stored with the job and passed to
   * each `read`. It may write one file whose name begins with the upload's.
   */
  prepare(path: string, options: ReadOptions): Prepared | Promise<Prepared>;
  /** The sections after a position; null is the beginning. `return()` closes the files. */
  read(
    prepared: Prepared,
    from: Position | null,
    options: ReadOptions,
  ): Generator<Section, void, void> | AsyncGenerator<Section, void, void>;
}
