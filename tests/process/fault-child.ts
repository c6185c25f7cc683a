import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planTable } from '../../src/core/analytics/events/questions/plan.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../contracts/event-store.ts';
import { tableQuestion } from '../reference/questions.ts';
import { storeOptions } from '../support/event-store.ts';
import { limitFiles } from './file-limit.ts';

/*
 * A store in a process whose files may not grow beyond a limit (RLIMIT_FSIZE; Node.js ignores SIGXFSZ, so writes fail as
 * on a full disk). It ends with what it saw, as one line of JSON.
 */

const EVENTS = 500;
const BACKLOG_LIMIT = 3_000_000;
const directory = process.argv[2]!;
const context = { agentId: null, timezone: 'UTC', now: Date.now() };

const store = await DuckdbEventStore.open(storeOptions(directory, { backlogLimit: BACKLOG_LIMIT }));
const accepted = new Set<number>();
const refused = new Map<number, string>();
const text = 'x'.repeat(120);

/** The log of the tables (some 14 MB) outgrows that of the spool (4 MB). */
for (let batch = 0; batch < 70; batch += 1) await append(batch, true);

const log = { copy: '', whileBroken: '', whileFull: '', idle: '', late: false, lateAfterwards: true };
limitFiles(process.pid, 1_000_000);
mkdirSync(join(directory, 'copy'));
log.copy = await outcome(store.copyTo(join(directory, 'copy')));
log.whileBroken = await answered();
limitFiles(process.pid, 'unlimited');
await sleep(2_500);
// Nothing was appended meanwhile: the store has come back by itself.
log.idle = await answered();

limitFiles(process.pid, 6_500_000);
for (let batch = 70; batch < 120; batch += 1) await append(batch, false);
const { backlog, failingSince } = await store.stats();
log.whileFull = await answered();
log.late = await lateNow();
limitFiles(process.pid, 'unlimited');
const started = Date.now();
while ((await store.stats()).backlog.batches > 0 && Date.now() - started < 10_000) await sleep(50);
const recovered = await store.stats();
log.lateAfterwards = await lateNow();
const refusedOnce = [...refused];
let duplicates = 0;
for (const [batch] of refusedOnce) duplicates += (await append(batch, true)) ?? 0;
await sleep(100);

const seen = {
  ...log,
  refused: [...new Set(refusedOnce.map(([, how]) => how))],
  refusedBatches: refusedOnce.length,
  backlogBytes: backlog.bytes,
  backlogLimit: BACKLOG_LIMIT,
  failing: failingSince !== null,
  failingAfterwards: recovered.failingSince !== null,
  waitingAfterwards: recovered.backlog.batches,
  duplicates,
  accepted: accepted.size * EVENTS,
  stored: await answered(),
  ping: await outcome(store.ping()),
};
console.log(JSON.stringify(seen));
await store.close();

async function append(batch: number, wait: boolean): Promise<number | null> {
  const events = Array.from({ length: EVENTS }, (_, index) =>
    storedEvent({ id: `${batch} ${index}`, idFromCaller: true, properties: JSON.stringify({ batch, text }) }),
  );
  try {
    const { receipt, duplicates } = await store.append('t', events);
    accepted.add(batch);
    if (wait) await store.waitFor(receipt, 10_000);
    else await sleep(10);
    return duplicates;
  } catch (error) {
    refused.set(batch, codeOf(error));
    return null;
  }
}

async function answered(): Promise<string> {
  const plan = planTable(tableQuestion({ eventName: 'a', mode: 'aggregate', groupBy: 'batch' }), context);
  return store.query('t', plan).then(({ matched }) => String(matched), codeOf);
}

async function lateNow(): Promise<boolean> {
  const plan = planTable(tableQuestion({ eventName: 'a', mode: 'aggregate' }), context);
  return (await store.query('t', plan)).lateSince !== undefined;
}

function outcome(done: Promise<unknown>): Promise<string> {
  return done.then(() => 'done', codeOf);
}

function codeOf(error: unknown): string {
  if (!(error instanceof RuntimeError)) return String(error);
  return error.retryAfter === undefined ? error.code : `${error.code}, retry`;
}
