import assert from 'node:assert/strict';
import { FLUSH_LEASE_MS } from '../../../src/storage/events/clickhouse/write/flush-loop.ts';
import { answersOf } from '../../support/answers.ts';
import { EVENTS } from '../../support/app.ts';
import type { Passed } from '../../support/balancer.ts';
import { ask, ended } from '../../support/knowledge.ts';
import type { MixedLoad, Sent } from './load.ts';
import { allVisible, type Cluster, type ClusterNode, type Outage } from './support.ts';

/** What was acknowledged is there once, and nothing that nobody sent. */
function compare(what: string, sent: Sent, found: string[]): void {
  const present = new Set(found);
  const lost = [...sent].filter(([id, isAcknowledged]) => isAcknowledged && !present.has(id)).map(([id]) => id);
  const doubled = [...Map.groupBy(found, (id) => id)].filter(([, times]) => times.length > 1).map(([id]) => id);
  const strange = [...present].filter((id) => !sent.has(id));
  assert.deepEqual({ lost, doubled, strange }, { lost: [], doubled: [], strange: [] }, what);
}

/** 0 lost, 0 doubled: events by the rows of ClickHouse, the rest by those of PostgreSQL. */
export async function checkStored(cluster: Cluster, load: MixedLoad, name = 'load'): Promise<void> {
  await allVisible(cluster);
  const events = await cluster.eventRows(
    `SELECT JSONExtractString(properties, 'unique') FROM {database}.events WHERE event_name = '${name}'`,
  );
  compare(
    'events',
    load.events,
    events.map(([unique]) => unique as string),
  );
  const idsOf = async (statement: string) =>
    (await cluster.pool.query<{ id: string }>(statement, [`${name}-%`])).rows.map(({ id }) => id);
  compare('executions', load.executions, await idsOf('SELECT id FROM executions WHERE id LIKE $1'));
  compare('reviews', load.reviews, await idsOf('SELECT execution_id AS id FROM reviews WHERE execution_id LIKE $1'));
  compare('cards', load.cards, await idsOf('SELECT title AS id FROM dashboard_cards WHERE title LIKE $1'));
}

/** Every job ended, with a reason if it failed; every file is one document with each of its chunks once. */
export async function checkDocuments(cluster: Cluster, load: MixedLoad, key: string): Promise<void> {
  const desk = { url: cluster.url, key };
  for (const jobId of load.jobs) {
    const job = await ended(desk, jobId, 120_000);
    assert.ok(job.status === 'completed' || job.error, JSON.stringify(job));
  }
  const { rows } = await cluster.pool.query<{ id: string; chunks: number; stored: number; places: number }>(
    `SELECT d.source_id AS id, d.chunks, count(c.id)::int AS stored, count(DISTINCT c.seq)::int AS places
      FROM knowledge_documents d LEFT JOIN knowledge_chunks c ON c.document = d.id
      WHERE d.completed_at IS NOT NULL AND d.removed_at IS NULL GROUP BY d.id`,
  );
  compare(
    'documents',
    load.files,
    rows.map(({ id }) => id),
  );
  assert.deepEqual(
    rows.filter(({ chunks, stored, places }) => chunks === 0 || stored !== chunks || places !== chunks),
    [],
    'chunks are complete and not doubled',
  );
}

export async function checkEqualAnswers({ nodes }: Cluster, key: string, name = 'load'): Promise<void> {
  const range = { dateFrom: '2026-01-01T00:00:00Z', dateTo: '2036-01-01T00:00:00Z' };
  const questions = [
    { eventName: name, mode: 'aggregate', ...range, groupBy: ['threadId'], metrics: METRICS },
    { eventName: name, mode: 'raw', ...range, limit: 1_000 },
  ];
  const answers = await Promise.all(
    nodes.map(async ({ url }) => {
      const desk = { url, key };
      const own = [];
      for (const question of questions) own.push(await ask(desk, 'POST', `${EVENTS}/query`, question));
      own.push(await ask(desk, 'GET', `${EVENTS}/feed?eventName=${name}&limit=100`));
      assert.deepEqual([...new Set(own.map(({ status }) => status))], [200]);
      return { own, all: await answersOf(desk) };
    }),
  );
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
}

const METRICS = [
  { aggregation: 'count', alias: 'count' },
  { aggregation: 'sum', propertyKey: 'amount', alias: 'sum' },
  { aggregation: 'distinct_count', propertyKey: 'unique', alias: 'distinct' },
];

export interface EngineOutages {
  postgres: Outage[];
  clickhouse: Outage[];
  suspensions: Outage[];
}

const NONE: EngineOutages = { postgres: [], clickhouse: [], suspensions: [] };

export function failuresOf(cluster: Cluster, { postgres, clickhouse, suspensions } = NONE) {
  const ends = [...cluster.nodes.flatMap(({ outages }) => outages), ...suspensions];
  // Whoever asks for a receipt gets 503 until the lease of the node that moved events has ended, and another looks.
  const unmoved = ends.map(({ from, to }) => ({ from, to: Math.min(to, from + FLUSH_LEASE_MS) + FLUSH_LEASE_MS }));
  const failures = { inFlight: 0, others: [] as string[] };
  for (const one of cluster.balancer.passed) {
    if (one.status !== null && one.status < 500) continue;
    const isQuestion = one.path.includes('/query') || one.path.includes('/feed') || one.path.includes('/mcp');
    if (one.backend?.outages.some(({ from, gone }) => one.from <= gone && from <= one.to)) failures.inFlight += 1;
    else if (during(one, postgres) || (isQuestion && during(one, clickhouse))) continue;
    else if (!(one.path.endsWith('/query') && one.status === 503 && during(one, unmoved))) {
      failures.others.push(described(one));
    }
  }
  return failures;
}

function during({ from, to }: Passed<ClusterNode>, outages: Outage[]): boolean {
  return outages.some((outage) => from <= outage.to && outage.from <= to);
}

function described({ backend, method, path, status, from, to }: Passed<ClusterNode>): string {
  return `${method} ${path} at ${backend?.name ?? 'no node'}: ${status ?? 'broken off'} after ${Math.round(to - from)} ms`;
}
