import type { EndedChat } from '../core/agents/chat/recording/record.ts';
import type { CallMetadata } from '../core/agents/connectors/call/execute-schema.ts';
import type { IngestCounts } from '../core/analytics/events/ingest.ts';
import type { FileStats, StoreNotice, StoreStats } from '../core/analytics/events/store.ts';
import { PROGRAM } from '../core/base/shared/program.ts';
import type { Job, QueueStats } from '../core/knowledge/store.ts';
import type { DeliveryOutcome } from '../core/watch/deliveries/attempt.ts';
import type { DeliveryCounts } from '../core/watch/deliveries/store.ts';
import type { TargetType } from '../core/watch/deliveries/targets.ts';
import { Histogram, type Recorder, Value } from './recorders.ts';

const MILLISECONDS = 1_000;
const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG = [0.1, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

/** `aborted`: the client disconnected. */
export type QueryOutcome = 'ok' | 'refused' | 'timeout' | 'aborted' | 'failed';

/** Figures of a process whose state is in PostgreSQL. */
export interface NodeStats {
  connections: { used: number; idle: number; waiting: number };
  /** The tasks that this node does for all. */
  tasks: string[];
}

/** docs/operation.md lists them. Labels have low cardinality: no tenant, event name, path or id. */
export class Metrics {
  readonly recorders: Recorder[] = [];

  private readonly build = this.gauge('build_info', 'Version of the program; the value is always 1.', [
    'version',
    'node',
  ]);
  readonly requests = this.histogram(
    'http_request_duration_seconds',
    'HTTP requests by method, route pattern and status.',
    FAST,
    ['method', 'route', 'status'],
  );
  readonly toolCalls = this.histogram('tool_call_duration_seconds', 'MCP tool calls by tool and outcome.', FAST, [
    'tool',
    'outcome',
  ]);
  private readonly chats = this.histogram(
    'chat_duration_seconds',
    'Chats by provider and status (completed, failed, cancelled), from the request to the end.',
    SLOW,
    ['provider', 'status'],
  );
  private readonly firstTokens = this.histogram(
    'chat_first_token_seconds',
    'Until the first content of a chat, by provider.',
    SLOW,
    ['provider'],
  );
  readonly lostChats = this.counter('chats_lost_total', 'Chats that were not recorded, because too many waited.');
  private readonly connectorCalls = this.histogram(
    'connector_call_duration_seconds',
    'Calls of connectors by outcome (ok, mocked, invalid, upstream, timeout, unavailable), all attempts together.',
    FAST,
    ['outcome'],
  );
  readonly lostRuntimeEvents = this.counter(
    'runtime_events_lost_total',
    "The runtime's own events (calls of connectors and tools) that were not recorded, because too many waited.",
  );
  private readonly deliveryAttempts = this.histogram(
    'delivery_attempt_duration_seconds',
    'Attempts to deliver an alert or a digest by target (webhook, email, slack) and outcome (sent, failed, dead).',
    FAST,
    ['target', 'outcome'],
  );
  private readonly deliveries = this.gauge(
    'deliveries',
    'Deliveries by state: waiting; sent and dead in the last 30 days.',
    ['state'],
  );
  private readonly files = this.histogram(
    'ingestion_duration_seconds',
    'Files ingested into vector stores by status (completed, failed), from their acceptance to the end.',
    LONG,
    ['status'],
  );
  readonly storedChunks = this.counter('ingested_chunks_total', 'Chunks of documents that were stored.');
  private readonly ingestionJobs = this.gauge(
    'ingestion_jobs',
    'Files that wait or are being ingested, by status (queued, processing).',
    ['status'],
  );
  private readonly ingestedEvents = this.counter(
    'ingested_events_total',
    'Events that were sent, by outcome: accepted, duplicate or rejected (invalid).',
    ['outcome'],
  );
  private readonly ingestedBatches = this.counter('ingested_batches_total', 'Batches of events that were stored.');
  readonly queries = this.histogram(
    'query_duration_seconds',
    'Queries of the event store by kind and outcome, waiting included.',
    FAST,
    ['kind', 'outcome'],
  );
  private readonly freshness = this.histogram(
    'freshness_seconds',
    'From the acceptance of events until they could be queried; the oldest of each flush.',
    SLOW,
  );
  private readonly flushes = this.histogram('flush_duration_seconds', 'Moving accepted events into the tables.', SLOW);
  private readonly flushedEvents = this.counter('flushed_events_total', 'Events that were moved into the tables.');
  private readonly compactions = this.histogram(
    'compaction_duration_seconds',
    'Sorting arrivals and merging sorted runs, by step.',
    SLOW,
    ['step'],
  );
  private readonly compactedEvents = this.counter(
    'compacted_events_total',
    'Events sorted, merged or moved, by step.',
    ['step'],
  );
  private readonly quarantined = this.counter(
    'quarantined_events_total',
    'Events set aside since the start because the engine refused them.',
  );
  readonly faults = this.counter(
    'store_faults_total',
    'Failures in the background of the event store, a flush that is tried again for example.',
  );
  /** Read from the event store at each scrape. */
  private readonly storeMetrics: [metric: Value, read: (stats: StoreStats) => number][] = [
    [this.gauge('backlog_batches', 'Batches accepted and not queryable yet.'), ({ backlog }) => backlog.batches],
    [this.gauge('backlog_bytes', 'Size of the events accepted and not queryable yet.'), ({ backlog }) => backlog.bytes],
    [this.gauge('backlog_limit_bytes', 'Backlog above which ingest answers 503.'), ({ backlog }) => backlog.limitBytes],
    [
      this.gauge('flush_failing_seconds', 'For how long flushing has been failing; 0: it works.'),
      ({ failingSince }) => secondsSince(failingSince),
    ],
    [this.gauge('tenants', 'Tenants with events.'), ({ tenants }) => tenants],
    [this.gauge('quarantined_events', 'Events in the quarantine.'), ({ quarantined }) => quarantined],
    [
      this.counter('result_cache_hits_total', 'Queries whose result was kept from before.'),
      ({ resultCache }) => resultCache.hits,
    ],
    [
      this.counter('result_cache_misses_total', 'Queries whose result had to be computed, while there is a cache.'),
      ({ resultCache }) => resultCache.misses,
    ],
    [this.gauge('result_cache_bytes', 'Size of the results that are kept.'), ({ resultCache }) => resultCache.bytes],
  ];
  /** Only a store in files has them. */
  private readonly fileMetrics: [metric: Value, read: (stats: FileStats) => number][] = [
    [this.gauge('unsorted_events', 'Events in the tables that are not sorted yet.'), ({ arrivals }) => arrivals],
    [this.gauge('sorted_runs', 'Sorted runs of events.'), ({ runs }) => runs],
    [
      this.gauge('learned_columns', 'Property columns learned, over all tenants.'),
      ({ learnedColumns }) => learnedColumns,
    ],
    [
      this.gauge('crowded_tenants', 'Tenants with more property keys than there are columns for.'),
      ({ crowdedTenants }) => crowdedTenants,
    ],
    [this.gauge('kept_columns_bytes', 'Size of the event columns in memory.'), ({ keptColumns }) => keptColumns.bytes],
    [
      this.counter('kept_columns_answers_total', 'Queries that were answered from columns in memory.'),
      ({ keptColumns }) => keptColumns.answers,
    ],
  ];
  private readonly backlogAge = this.gauge(
    'backlog_age_seconds',
    'Nodes: for how long the oldest event has been accepted and not queryable; 0: none is.',
  );
  private readonly leases = this.gauge(
    'leases_held',
    'Nodes: 1 for each task that this node does for all: moving events, alerts, digests, oauth, retention.',
    ['task'],
  );
  private readonly connections = this.gauge(
    'database_connections',
    'Connections to PostgreSQL by state (used, idle), and queries that wait for one (waiting).',
    ['state'],
  );
  private readonly disk = this.gauge('store_disk_bytes', "Size of the event store's files.", ['file']);

  constructor() {
    this.build.set(1, { version: PROGRAM.version, node: process.version });
  }

  recordIngest({ accepted, duplicates, rejected }: IngestCounts): void {
    this.ingestedEvents.add(accepted, { outcome: 'accepted' });
    this.ingestedEvents.add(duplicates, { outcome: 'duplicate' });
    this.ingestedEvents.add(rejected, { outcome: 'rejected' });
    if (accepted > 0) this.ingestedBatches.add(1);
  }

  recordIngestion({ status, createdAt, completedAt }: Job): void {
    this.files.observe(((completedAt ?? createdAt) - createdAt) / MILLISECONDS, { status });
  }

  /** Null if it is unknown, and omitted from the exposition. */
  setIngestionQueue(queue: QueueStats | null): void {
    this.ingestionJobs.clear();
    for (const [status, count] of Object.entries(queue ?? {})) this.ingestionJobs.set(count, { status });
  }

  recordChat({ provider, status, startedAt, completedAt, timeToFirstTokenMs }: EndedChat): void {
    this.chats.observe((completedAt - startedAt) / MILLISECONDS, { provider, status });
    if (timeToFirstTokenMs !== null) this.firstTokens.observe(timeToFirstTokenMs / MILLISECONDS, { provider });
  }

  recordConnectorCall({ duration, mocked }: CallMetadata, error: string | null): void {
    this.connectorCalls.observe(duration / MILLISECONDS, { outcome: error ?? (mocked ? 'mocked' : 'ok') });
  }

  recordDelivery(target: TargetType, { kind, ms }: DeliveryOutcome): void {
    this.deliveryAttempts.observe(ms / MILLISECONDS, { target, outcome: kind });
  }

  /** Null if they are unknown, and omitted from the exposition. */
  setDeliveries(counts: DeliveryCounts | null): void {
    this.deliveries.clear();
    for (const [state, count] of Object.entries(counts ?? {})) this.deliveries.set(count, { state });
  }

  recordNotice(notice: StoreNotice): void {
    if (notice.kind === 'flushed') {
      this.flushedEvents.add(notice.events);
      this.flushes.observe(notice.ms / MILLISECONDS);
      this.freshness.observe(notice.freshnessMs / MILLISECONDS);
    } else if (notice.kind === 'compacted') {
      this.compactedEvents.add(notice.events, { step: notice.step });
      this.compactions.observe(notice.ms / MILLISECONDS, { step: notice.step });
    } else if (notice.kind === 'quarantined') {
      this.quarantined.add(notice.events);
    }
  }

  /** Null if they are unknown, and omitted from the exposition. */
  setStoreStats(stats: StoreStats | null): void {
    for (const [metric, read] of this.storeMetrics) {
      if (stats !== null) metric.set(read(stats));
      else if (metric.type === 'gauge') metric.clear();
    }
    const files = stats?.files;
    for (const [metric, read] of this.fileMetrics) {
      if (files) metric.set(read(files));
      else metric.clear();
    }
    this.disk.clear();
    for (const [file, bytes] of Object.entries(files?.disk ?? {})) this.disk.set(bytes, { file });
  }

  /** Null for a process with files, and omitted from the exposition. */
  setNode(node: NodeStats | null, stats: StoreStats | null): void {
    for (const metric of [this.backlogAge, this.leases, this.connections]) metric.clear();
    if (node === null) return;
    if (stats?.shared) this.backlogAge.set(stats.shared.ageMs / MILLISECONDS);
    for (const task of [...node.tasks, ...(stats?.shared?.isMoving ? ['moving events'] : [])]) {
      this.leases.set(1, { task });
    }
    for (const [state, count] of Object.entries(node.connections)) this.connections.set(count, { state });
  }

  private counter(name: string, help: string, labels?: readonly string[]): Value {
    return this.register(new Value('counter', `agent_runtime_${name}`, help, labels));
  }

  private gauge(name: string, help: string, labels?: readonly string[]): Value {
    return this.register(new Value('gauge', `agent_runtime_${name}`, help, labels));
  }

  private histogram(name: string, help: string, bounds: readonly number[], labels?: readonly string[]): Histogram {
    return this.register(new Histogram(`agent_runtime_${name}`, help, bounds, labels));
  }

  private register<Kind extends Recorder>(recorder: Kind): Kind {
    this.recorders.push(recorder);
    return recorder;
  }
}

function secondsSince(epochMs: number | null): number {
  return epochMs === null ? 0 : Math.max(0, Date.now() - epochMs) / MILLISECONDS;
}
