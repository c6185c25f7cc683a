import type { ImportedConnector, OpenApiImportOptions } from '../core/agents/connectors/openapi/import.ts';
import { FairLimiter } from '../core/base/concurrency/fair-limiter.ts';
import { invalid, RuntimeError } from '../core/base/shared/errors.ts';
import { fromWire, siblingModule } from '../threads/call-thread.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { ImportTask, OpenApiResult } from './entry.ts';

const MAX_WAITING = 4;
const IDLE_MS = 10_000;
/** Megabytes of YAML take seconds. */
const READ_MS = 60_000;
const OLD_GENERATION_MB = 512;

/** Reads OpenAPI documents in a thread, one after the other. */
export class OpenApiReader {
  private readonly pool = new ThreadPool<ImportTask, OpenApiResult>({
    entry: siblingModule(import.meta.url, 'entry'),
    maxThreads: 1,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB },
  });
  private readonly limiter = new FairLimiter({
    concurrency: 1,
    perKeyAlone: 1,
    perKeyContended: 1,
    maxQueue: MAX_WAITING,
    rejection: 'Too many documents are being read. Try again.',
  });

  /** Throws `invalid` with the line or place in the document, and `timeout`. */
  read(
    document: string,
    options: OpenApiImportOptions,
    tenantId: string,
    signal: AbortSignal,
  ): Promise<ImportedConnector> {
    return this.limiter.run(tenantId, () => this.import({ document, options }), signal);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async import(task: ImportTask): Promise<ImportedConnector> {
    const late = AbortSignal.timeout(READ_MS);
    try {
      const result = await this.pool.run(task, late);
      if ('error' in result) throw fromWire(result.error);
      return result.imported;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw invalid('document: takes too much memory to be read; import the document in parts');
      if (!late.aborted) throw error;
      throw new RuntimeError('timeout', 'The document took too long to read. Import a part of it.', { cause: error });
    }
  }
}
