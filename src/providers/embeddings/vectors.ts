import { ProviderFault } from '../../core/agents/chat/provider.ts';
import type { Embedded } from '../../core/knowledge/embedder.ts';

export class Vectors {
  private readonly count: number;
  private readonly expected: number | null;
  private embedded: Embedded | null = null;

  /** `dimensions`: null accepts any number. */
  constructor(count: number, dimensions: number | null) {
    this.count = count;
    this.expected = dimensions;
  }

  /** Throws a ProviderFault. */
  put(from: number, count: number, given: readonly unknown[]): void {
    if (given.length !== count) throw broken(`It gave ${given.length} vectors for ${count} texts.`);
    for (const [index, vector] of given.entries()) {
      if (!isVector(vector)) throw broken('It gave something else where a vector should be.');
      const { vectors, dimensions } = this.allocate(vector.length);
      const at = (from + index) * dimensions;
      writeUnit(vector, vectors.subarray(at, at + dimensions));
    }
  }

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

function writeUnit(vector: ArrayLike<number>, unit: Float32Array): void {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index]!;
    // A JSON text or null would be converted to a number below.
    if (typeof value !== 'number') throw broken('It gave a vector that does not hold numbers alone.');
    squares += value * value;
  }
  // The sum is not finite either if a number is not.
  if (!Number.isFinite(squares)) throw broken('It gave a vector with a number that is not finite.');
  if (squares === 0) throw broken('It gave a vector of zeros, which points nowhere.');
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) unit[index] = vector[index]! * scale;
}

function broken(message: string): ProviderFault {
  return new ProviderFault('broken', message);
}
