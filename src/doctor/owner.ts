import { counted, formatBytes } from '../core/base/shared/text.ts';
import type { OwnerInfo } from '../ownership/owner.ts';
import { OwnerClient } from '../ownership/owner-client.ts';
import { QUARANTINE_FILE } from '../storage/installation/names.ts';
import { type Finding, formatCount } from './findings.ts';

/** Above this share of its limit, the backlog is a warning. */
const LONG_BACKLOG = 0.5;
const FRESH_SECONDS = 2;

export interface RunningOwner {
  owner: OwnerInfo;
  ready: boolean;
  /** Null when /metrics does not answer. */
  metrics: Map<string, number> | null;
}

/** Null when no process has the directory open. */
export async function findOwner(dataDir: string): Promise<RunningOwner | null> {
  const client = new OwnerClient(dataDir);
  try {
    const owner = await client.owner();
    if (!owner) return null;
    const [ready, text] = await Promise.all([client.ready(), client.metrics()]);
    return runningOwner(owner, ready, text);
  } finally {
    await client.close();
  }
}

/** `text`: what /metrics answers; null: nothing. */
export function runningOwner(owner: OwnerInfo, ready: boolean, text: string | null): RunningOwner {
  return { owner, ready, metrics: text === null ? null : seriesOf(text) };
}

export function findingsOfOwner({ owner, ready, metrics }: RunningOwner, now: number): Finding[] {
  const where = `${owner.command}, process ${owner.pid}${owner.url ? `, ${owner.url}` : ''}`;
  const server: Finding = ready
    ? { check: 'server', status: 'ok', message: `${where}: ready` }
    : { check: 'server', status: 'failed', message: `${where}: is not ready; see its log` };
  if (metrics?.has('agent_runtime_backlog_bytes') !== true) {
    const message = 'the event store does not say how it stands; see the log of the server';
    return [server, { check: 'event store', status: 'failed', message }];
  }
  const read = (name: string) => metrics.get(`agent_runtime_${name}`) ?? 0;
  // Only a store in files learns columns.
  const columns = metrics.has('agent_runtime_learned_columns') ? [properties(read)] : [];
  return [server, flushing(read, now), backlog(read), freshness(read), ...columns];
}

type Read = (name: string) => number;

function flushing(read: Read, now: number): Finding {
  const seconds = read('flush_failing_seconds');
  if (seconds === 0) return { check: 'flush', status: 'ok', message: 'events become queryable' };
  const since = new Date(now - seconds * 1_000).toISOString();
  return {
    check: 'flush',
    status: 'failed',
    message: `has been failing since ${since}: events are accepted and kept, but do not become queryable. The log says why; a full disk is the usual reason`,
  };
}

function backlog(read: Read): Finding {
  const bytes = read('backlog_bytes');
  const limit = read('backlog_limit_bytes');
  const message = `${formatCount(read('backlog_batches'))} batches, ${formatBytes(bytes)} of at most ${formatBytes(limit)}`;
  if (bytes >= limit) return { check: 'backlog', status: 'failed', message: `${message}: ingest answers 503` };
  if (bytes < limit * LONG_BACKLOG) return { check: 'backlog', status: 'ok', message };
  return { check: 'backlog', status: 'warning', message: `${message}: events arrive faster than they can be moved` };
}

function freshness(read: Read): Finding {
  const flushes = read('freshness_seconds_count');
  if (flushes === 0) return { check: 'freshness', status: 'ok', message: 'no events since the start' };
  const mean = read('freshness_seconds_sum') / flushes;
  const share = read(`freshness_seconds_bucket{le="${FRESH_SECONDS}"}`) / flushes;
  const message = `queryable after ${mean.toFixed(1)} s on average, within ${FRESH_SECONDS} s in ${(share * 100).toFixed(1)}% of the flushes since the start`;
  return { check: 'freshness', status: share >= 0.95 ? 'ok' : 'warning', message };
}

function properties(read: Read): Finding {
  const columns = `${counted(read('learned_columns'), 'property column')} for ${counted(read('tenants'), 'tenant')}`;
  const tenants = read('crowded_tenants');
  if (tenants === 0) return { check: 'properties', status: 'ok', message: columns };
  return {
    check: 'properties',
    status: 'warning',
    message: `${columns}; ${formatCount(tenants)} have more property keys than there is room for: queries of the keys that came last are slower`,
  };
}

export function findingOfQuarantine(path: string, lines: number): Finding {
  if (lines === 0) return { check: 'quarantine', status: 'ok', message: 'empty' };
  return {
    check: 'quarantine',
    status: 'warning',
    message: `${formatCount(lines)} events that the engine refused are in ${path}: each line says why. Send them again when corrected, with other ids or none, then delete ${QUARANTINE_FILE} while the server is stopped. See "Quarantine" in docs/operation.md`,
  };
}

function seriesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
