import { ProviderFault } from '../../core/agents/chat/provider.ts';
import type { Embedded, Embedder } from '../../core/knowledge/embedder.ts';
import type { EmbeddingModel, Limits, ModelSettings, Use } from './model.ts';
import { operatorError } from './operator-errors.ts';
import { type RetryEffects, retryEffects, type Timeouts, withRetries } from './retries.ts';

/** A search has a user waiting; a document can wait for a busy provider. */
const TIMEOUTS: Record<Use, Timeouts> = {
  document: { requestMs: 60_000, totalMs: 300_000 },
  query: { requestMs: 60_000, totalMs: 10_000 },
};

export interface EmbedderOptions {
  timeouts?: Record<Use, Timeouts>;
  retry?: RetryEffects;
}

export class ProviderEmbedder implements Embedder {
  readonly name: string;
  readonly dimensions: number | null;
  readonly semantic = true;
  private readonly settings: ModelSettings;
  private readonly load: () => Promise<EmbeddingModel>;
  private readonly timeouts: Record<Use, Timeouts>;
  private readonly retry: RetryEffects;

  constructor(
    name: string,
    settings: ModelSettings,
    load: () => Promise<EmbeddingModel>,
    { timeouts = TIMEOUTS, retry = retryEffects }: EmbedderOptions = {},
  ) {
    this.name = name;
    this.dimensions = settings.dimensions;
    this.settings = settings;
    this.load = load;
    this.timeouts = timeouts;
    this.retry = retry;
  }

  async embed(texts: readonly string[], use: Use, signal: AbortSignal): Promise<Embedded> {
    signal.throwIfAborted();
    try {
      return await this.ask(await this.load(), texts, use, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ProviderFault ? operatorError(error, this.name, this.settings.connection) : error;
    }
  }

  private async ask(model: EmbeddingModel, texts: readonly string[], use: Use, caller: AbortSignal): Promise<Embedded> {
    const vectors = new VectorCollector(texts.length, this.dimensions);
    const batches = batchesOf(texts, model.limits);
    const failed = new AbortController();
    const signal = AbortSignal.any([caller, failed.signal]);
    // All runs take their batches from one generator.
    const run = async () => {
      for (const batch of batches) {
        const request = (ended: AbortSignal) => model.ask(batch.texts, use, ended);
        const given = await withRetries(request, this.timeouts[use], signal, this.retry);
        vectors.put(batch.from, batch.texts.length, given);
      }
    };
    const runs = Array.from({ length: model.limits.maxRequests }, () =>
      run().catch((error) => {
        // The first failure ends all runs.
        failed.abort(error);
        throw error;
      }),
    );
    await Promise.all(runs);
    return vectors.result();
  }
}

export interface Batch {
  /** The index of the first. */
  from: number;
  texts: string[];
}

/** Keeps the order. A text above `maxBytes` goes alone, so keep `maxTextBytes` within it. */
export function* batchesOf(
  texts: readonly string[],
  { maxTexts, maxBytes, maxTextBytes }: Omit<Limits, 'maxRequests'>,
): Generator<Batch, void, void> {
  let batch: Batch = { from: 0, texts: [] };
  let bytes = 0;
  for (const [index, given] of texts.entries()) {
    const text = cutToBytes(given, maxTextBytes);
    const size = Buffer.byteLength(text);
    if (batch.texts.length > 0 && (batch.texts.length === maxTexts || bytes + size > maxBytes)) {
      yield batch;
      batch = { from: index, texts: [] };
      bytes = 0;
    }
    batch.texts.push(text);
    bytes += size;
  }
  if (batch.texts.length > 0) yield batch;
}

const BYTES_PER_UNIT = 3;
const encoder = new TextEncoder();

/** UTF-8 bytes. Cuts between characters and replaces lone surrogates. */
export function cutToBytes(text: string, maxBytes: number): string {
  const whole = text.toWellFormed();
  if (whole.length * BYTES_PER_UNIT <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole;
  const { read } = encoder.encodeInto(whole, new Uint8Array(maxBytes));
  return whole.slice(0, read);
}

export class VectorCollector {
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
    if (typeof value !== 'number') throw broken('It gave a vector with a value that is not a number.');
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
