import type { Passage } from '../core/knowledge/chunking.ts';
import type { Field } from '../core/knowledge/hygiene.ts';
import type { Position, Prepared, ReadOptions } from '../core/knowledge/reader.ts';

export type { Field };

/** What is read of a file at once: a page, a row, the text under a heading. Reading can go on after each. */
export interface Section extends Passage {
  /** Where reading goes on after it; plain JSON. */
  next: Position;
  /** How much of the file has been read with it, 0 to 1. */
  done: number;
}

/** A kind of document. Runs in a thread of its own, so it may read and compute without yielding. */
export interface Format {
  /**
   * Looks over the whole file once. Plain JSON is kept of it with the job, and given to each `read`. It may write one
   * file beside the upload, whose name begins with the upload's.
   */
  prepare(path: string, options: ReadOptions): Prepared | Promise<Prepared>;
  /** The sections after a position; null: from the beginning. Whoever has enough leaves it by `return()`, which closes files. */
  read(
    prepared: Prepared,
    from: Position | null,
    options: ReadOptions,
  ): Generator<Section, void, void> | AsyncGenerator<Section, void, void>;
}
