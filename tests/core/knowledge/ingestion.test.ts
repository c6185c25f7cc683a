import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withMethods } from '../../../src/core/base/shared/with-methods.ts';
import type { NewJob } from '../../../src/core/knowledge/store.ts';
import { eventually } from '../../support/process.ts';
import { CRASH, slices, words, workshop } from './ingestion-support.ts';

type Workshop = ReturnType<typeof workshop>;

const ends = (shop: Workshop, ...jobs: NewJob[]) =>
  eventually(
    'the jobs have ended and been told of',
    async () => jobs.every(({ jobId }) => shop.ended.some((job) => job.jobId === jobId)),
    10_000,
  );

test('Ingestion: runs up to the configured number of jobs at once, and all end', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, embedder, stored, errors } = shop;
  let [now, most] = [0, 0];
  const { promise: asManyAsMayBe, resolve } = Promise.withResolvers<void>();
  embedder.meanwhile = async () => {
    now += 1;
    most = Math.max(most, now);
    if (now === 3) resolve();
    await asManyAsMayBe;
    await sleep(5);
    now -= 1;
  };
  const jobs = [];
  for (let number = 0; number < 8; number++)
    jobs.push(await add([words(3)], { vectorStore: `s${number}` }, `t${number % 3}`));
  ingestion().wake();
  await ends(shop, ...jobs);
  assert.equal(most, 3, 'two of a tenant, and one of another');
  assert.deepEqual(errors, []);
  for (const [number] of jobs.entries()) {
    assert.deepEqual(await stored(`s${number}`, `t${number % 3}`), { texts: words(3), wrong: [] });
  }
});

test('Ingestion: a hanging embedder of one tenant leaves another tenant a slot', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, embedder } = shop;
  embedder.meanwhile = (_texts, signal) => once(signal, 'abort').then(() => undefined);
  const hanging = [];
  for (const vectorStore of ['a', 'b', 'c']) hanging.push(await add([words(3)], { vectorStore }));
  const working = ingestion();
  working.wake();
  await eventually('the first two hang', async () => embedder.asked.length === 6, 10_000);
  const theirs = await add([words(3)], { embedder: 'none' }, 'two');
  working.wake();
  await ends(shop, theirs);
  const states = await Promise.all(hanging.map(async (job) => (await shop.job(job)).status));
  assert.deepEqual(states, ['processing', 'processing', 'queued']);
});

test('Ingestion: a document that crashes its reader fails without delaying other jobs', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, errors, stored, job } = shop;
  const bad = await add([CRASH]);
  const good = [await add([words(2)], { vectorStore: 'a' }), await add([words(2)], { vectorStore: 'b' }, 'two')];
  ingestion({ jobsPerTenant: 1 }).wake();
  await ends(shop, bad, ...good);
  assert.deepEqual(
    errors.map(({ jobId }) => jobId),
    [bad.jobId, bad.jobId, bad.jobId],
  );
  assert.match((await job(bad)).error!, /^It was given up after 3 attempts: reading it ended the reader/);
  assert.deepEqual((await stored('a')).texts, words(2));
  assert.deepEqual((await stored('b', 'two')).texts, words(2));
});

test("Ingestion: a job's end is one event of its agent, and its file is deleted", async (t) => {
  const shop = workshop(t);
  const { add, ingestion, events, reader, clock } = shop;
  const done = await add([words(3)], { agentId: 'mine', now: clock.now - 600, size: 77 });
  const failed = await add([[]], { agentId: 'mine', now: clock.now - 600, metadata: { secret: 'x' } });
  ingestion().wake();
  await ends(shop, done, failed);
  const [completed, broken] = events.sort((one, other) => one.id.localeCompare(other.id));
  assert.deepEqual(
    [completed!.id, completed!.idFromCaller, completed!.agentId, completed!.eventName],
    [`runtime.ingestion_completed:${done.jobId}`, true, 'mine', 'runtime.ingestion_completed'],
  );
  assert.deepEqual(JSON.parse(completed!.properties), {
    ...{ jobId: done.jobId, vectorStore: 'manuals', originalName: 'a.csv', format: 'csv', bytes: 77, chunks: 3 },
    ...{ waitMs: 600, durationMs: 0, documentId: done.documentId },
  });
  assert.equal(broken!.id, `runtime.ingestion_failed:${failed.jobId}`);
  assert.match(JSON.parse(broken!.properties).error, /^No extractable text/);
  assert.equal(events.length, 2);
  assert.equal(reader.documents.size, 0);
});

test('Ingestion: after a crash the event of an end is recorded again under the same id', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, events, parts, errors } = shop;
  const made = await add([words(3)]);
  const crashing = withMethods(parts.store, {
    markReported: async (jobIds) => {
      if (jobIds.length > 0) throw new Error('power is gone');
      return [];
    },
  });
  const first = ingestion({ store: crashing });
  first.wake();
  await eventually('it could not be settled', async () => errors.length > 0, 10_000);
  await first.stop();
  ingestion().wake();
  await ends(shop, made);
  assert.deepEqual(new Set(events.map(({ id }) => id)), new Set([`runtime.ingestion_completed:${made.jobId}`]));
  assert.ok(events.length >= 2);
  const [one, other] = events;
  assert.deepEqual(one, other, 'so that the event store knows it for the same');
  assert.deepEqual(
    shop.ended.map(({ jobId }) => jobId),
    [made.jobId],
  );
});

test('Ingestion: no event is recorded for a tenant that is being erased', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, events, shut } = shop;
  shut.add('one');
  const [mine, theirs] = [await add([words(3)]), await add([words(3)], {}, 'two')];
  ingestion().wake();
  await ends(shop, mine, theirs);
  assert.deepEqual(
    events.map(({ id }) => id),
    [`runtime.ingestion_completed:${theirs.jobId}`],
  );
});

test('Ingestion: stop interrupts jobs, and the next start loses and doubles no chunk', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, embedder, stored, errors } = shop;
  embedder.meanwhile = async (_texts, signal) => void (await sleep(15, undefined, { signal }));
  const jobs = [await add(slices(90, 2), { vectorStore: 'a' }), await add(slices(90, 2), { vectorStore: 'b' })];
  for (let round = 0; round < 4; round++) {
    const working = ingestion();
    working.wake();
    await sleep(20 + 15 * round);
    await working.stop();
    assert.equal(shop.ended.length, 0);
  }
  ingestion().wake();
  await ends(shop, ...jobs);
  for (const name of ['a', 'b']) assert.deepEqual(await stored(name), { texts: words(180), wrong: [] });
  assert.deepEqual(errors, []);
});

test('Ingestion: a job claimed while stopping does not start', async (t) => {
  const { add, ingestion, embedder, parts } = workshop(t);
  await add(slices(3, 2));
  const claiming = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = withMethods(parts.store, {
    claim: async (request) => {
      claiming.resolve();
      await go.promise;
      return parts.store.claim(request);
    },
  });
  embedder.meanwhile = (_texts, signal) => sleep(60_000, undefined, { signal });
  const working = ingestion({ store: slow });
  working.wake();
  await claiming.promise;
  const stopping = working.stop();
  go.resolve();
  const late = sleep(2_000, 'late', { ref: false });
  assert.notEqual(await Promise.race([stopping, late]), 'late');
});

test('Ingestion: abort resolves once the job no longer runs; other jobs continue', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, embedder, store, stored } = shop;
  let isOver = false;
  embedder.meanwhile = async (texts, signal) => {
    if (texts.includes('word 1')) await sleep(60_000, undefined, { signal });
    else await sleep(20);
    assert.equal(isOver && texts.includes('word 1'), false);
  };
  const [held, other] = [await add([words(4)]), await add(slices(10, 2).slice(1), {}, 'two')];
  const working = ingestion();
  working.wake();
  await eventually('it is at work', async () => embedder.asked.includes('word 1'), 5_000);
  await store.cancelJob('one', held.jobId, 'cancelled', 5);
  await working.abort({ jobId: held.jobId });
  isOver = true;
  await ends(shop, held, other);
  assert.deepEqual((await stored('manuals', 'two')).texts, words(20).slice(2));
  assert.deepEqual((await stored()).texts, []);
});

test('Ingestion: a job whose lease expires completes once; abort ends all its runs', async (t) => {
  const shop = workshop(t);
  const { add, ingestion, embedder, passTime, stored } = shop;
  const made = await add(slices(3, 2));
  let [begun, active] = [0, 0];
  embedder.meanwhile = async (_texts, signal) => {
    begun += 1;
    active += 1;
    await sleep(10_000, undefined, { signal }).finally(() => {
      active -= 1;
    });
  };
  const working = ingestion();
  working.wake();
  await eventually('it is at work', async () => begun === 3, 5_000);
  // As if the machine had slept.
  passTime(3_600_000);
  working.wake();
  await eventually('it is claimed again', async () => begun === 6, 5_000);
  await working.abort({ jobId: made.jobId });
  assert.equal(active, 0, 'nobody is at work');
  await working.stop();
  embedder.meanwhile = async () => undefined;
  ingestion().wake();
  await ends(shop, made);
  assert.deepEqual(await stored(), { texts: words(6), wrong: [] });
});
