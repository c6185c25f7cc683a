import { ProviderFault } from '../../core/chat/provider.ts';
import type { Embedded } from '../../core/knowledge/embedder.ts';

/** Takes in what a provider gives as vectors, and lets nothing pass that is none. */
export class Vectors {
  private readonly count: number;
  private readonly expected: number | null;
  /** All vectors, once the first has told how long they are. */
  private embedded: Embedded | null = null;

  /** `dimensions`: how many were asked for; null takes what comes. */
  constructor(count: number, dimensions: number | null) {
    this.count = count;
    this.expected = dimensions;
  }

  /** Those of `count` texts from an index on. Throws a ProviderFault. */
  put(from: number, count: number, given: readonly unknown[]): void {
    if (given.length !== count) throw broken(`It gave ${given.length} vectors for ${count} texts.`);
    for (const [index, vector] of given.entries()) {
      if (!isVector(vector)) throw broken('It gave something else where a vector should be.');
      const { vectors, dimensions } = this.allocate(vector.length);
      const at = (from + index) * dimensions;
      writeUnit(vector, vectors.subarray(at, at + dimensions));
    }
  }

  /** All of them, once they are there. */
  result(): Embedded {
    return this.embedded ?? { vectors: new Float32Array(0), dimensions: this.expected ?? 0 };
  }

  private allocate(length: number): Embedded {
    if (this.expected !== null && length !== this.expected) {
      throw broken(`It gave a vector of ${length} dimensions where ${this.expected} were asked for.`);
    }
    this.embedded ??= { vectors: new Float32Array(this.count * length), dimensions: length };
    const { dimensions } = this.embedded;
    if (length !== dimensions) throw broken(`It gave a vector of ${length} dimensions after one of ${dimensions}.`);
    return this.embedded;
  }
}

function isVector(value: unknown): value is ArrayLike<number> {
  return (Array.isArray(value) || value instanceof Float32Array) && value.length > 0;
}

/** Writes it with a length of 1, whatever it was. */
function writeUnit(vector: ArrayLike<number>, unit: Float32Array): void {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index]!;
    // It is what JSON held: a text or null would pass for a number in what follows.
    if (typeof value !== 'number') throw broken('It gave a vector that does not hold numbers alone.');
    squares += value * value;
  }
  // Of NaN and infinities the sum is one, too.
  if (!Number.isFinite(squares)) throw broken('It gave a vector with a number that is not finite.');
  if (squares === 0) throw broken('It gave a vector of zeros, which points nowhere.');
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) unit[index] = vector[index]! * scale;
}

function broken(message: string): ProviderFault {
  return new ProviderFault('broken', message);
}
