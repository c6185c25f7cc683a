import type { ReadBytes } from '../text/bytes.ts';

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
