import { ProviderFault } from '../../core/agents/chat/provider.ts';
import type { Embedded, Embedder } from '../../core/knowledge/embedder.ts';
import { batchesOf } from './batches.ts';
import type { EmbeddingModel, ModelSettings, Use } from './model.ts';
import { operatorError } from './operator-errors.ts';
import { type RetryEffects, retryEffects, type Timeouts, withRetries } from './retries.ts';
import { Vectors } from './vectors.ts';

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
    const vectors = new Vectors(texts.length, this.dimensions);
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
