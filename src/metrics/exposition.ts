import type { Metric, Registry } from 'prom-client';
import type { StoreStats } from '../core/events/store.ts';
import type { QueueStats } from '../core/knowledge/store.ts';
import type { Metrics } from './metrics.ts';
import type { Recorder } from './recorders.ts';

export interface Exposition {
  contentType: string;
  text: string;
}

/** Writes the metrics as Prometheus reads them, with those of the process (`process_...`, `nodejs_...`). */
export class Exposer {
  private readonly metrics: Metrics;
  private readonly stats: () => Promise<StoreStats>;
  private readonly queue: () => Promise<QueueStats>;
  private registry: Promise<Registry> | null = null;

  constructor(metrics: Metrics, stats: () => Promise<StoreStats>, queue: () => Promise<QueueStats>) {
    this.metrics = metrics;
    this.stats = stats;
    this.queue = queue;
  }

  /** A store that does not answer in time is left out: the other metrics are wanted most just then. */
  async expose(): Promise<Exposition> {
    const [stats, queue] = await Promise.all([withinTwoSeconds(this.stats()), withinTwoSeconds(this.queue())]);
    this.metrics.standing(stats);
    this.metrics.ingesting(queue);
    this.registry ??= registryOf(this.metrics);
    const registry = await this.registry;
    return { contentType: registry.contentType, text: await registry.metrics() };
  }
}

async function withinTwoSeconds<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), 2_000);
  });
  return Promise.race([answer.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** The library costs some 20 MB of memory: it is loaded by the first who asks. */
async function registryOf({ recorders }: Metrics): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  for (const recorder of recorders) registry.registerMetric(asMetric(recorder));
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** What the registry asks of a metric when it writes it down. */
function asMetric(recorder: Recorder): Metric {
  const { name, help, type } = recorder;
  const written = { name, get: async () => ({ name, help, type, aggregator: 'sum', values: recorder.samples() }) };
  return written as unknown as Metric;
}
