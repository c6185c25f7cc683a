import type { Metric, Registry } from 'prom-client';
import type { StoreStats } from '../core/analytics/events/store.ts';
import { withTimeout } from '../core/base/concurrency/timers.ts';
import type { QueueStats } from '../core/knowledge/store.ts';
import type { DeliveryCounts } from '../core/watch/deliveries/store.ts';
import type { Metrics, NodeStats } from './metrics.ts';
import type { Recorder } from './recorders.ts';

export interface Exposition {
  contentType: string;
  text: string;
}

/** Read at each scrape. */
export interface Readings {
  store(): Promise<StoreStats>;
  queue(): Promise<QueueStats>;
  deliveries(): Promise<DeliveryCounts>;
  /** Null for a process with files. */
  node(): NodeStats | null;
}

/** Prometheus text format, with the metrics of the process. */
export function makeExposition(metrics: Metrics, readings: Readings): () => Promise<Exposition> {
  let registering: Promise<Registry> | null = null;
  return async () => {
    // Omits a store that does not answer in time, since the other metrics matter most then.
    const [stats, queue, deliveries] = await Promise.all([
      orNull(readings.store()),
      orNull(readings.queue()),
      orNull(readings.deliveries()),
    ]);
    metrics.setStoreStats(stats);
    metrics.setIngestionQueue(queue);
    metrics.setDeliveries(deliveries);
    metrics.setNode(readings.node(), stats);
    registering ??= registryOf(metrics);
    const registry = await registering;
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

/** Null if the store fails or takes more than two seconds. */
function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  return withTimeout(
    answer.catch(() => null),
    2_000,
    () => null,
  );
}

/** Loaded on first use: prom-client costs about 20 MB of memory. */
async function registryOf({ recorders }: Metrics): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  for (const recorder of recorders) registry.registerMetric(asMetric(recorder));
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Implements the part of a prom-client metric that the registry uses. */
function asMetric(recorder: Recorder): Metric {
  const { name, help, type } = recorder;
  const written = { name, get: async () => ({ name, help, type, aggregator: 'sum', values: recorder.samples() }) };
  return written as unknown as Metric;
}
