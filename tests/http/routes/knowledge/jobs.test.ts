import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOnServers } from '../../../support/app.ts';
import { accepted, ask, ended, ingested, JOBS, jobOf, send, storePath } from '../../../support/knowledge.ts';
import { eventually } from '../../../support/process.ts';
import { heldApp, newDesk } from './support.ts';

const TEXT = { name: 'a.txt', content: 'some text' };
const listPath = `${storePath('manuals')}/ingestion-jobs`;

test('GET /vectors job: found at its path and at its statusUrl, without /api', async () => {
  const desk = await newDesk();
  const { body } = await send(desk, TEXT);
  await ended(desk, body.jobId);
  const job = await jobOf(desk, body.jobId);
  assert.equal(body.statusUrl, `/runtime/v1/vectors/ingestion-jobs/${body.jobId}`);
  assert.deepEqual(await ask(desk, 'GET', body.statusUrl), { status: 200, body: job });
  for (const path of [`${JOBS}/nothing`, '/runtime/v1/vectors/ingestion-jobs/nothing']) {
    const { status, body: error } = await ask(desk, 'GET', path);
    assert.deepEqual([status, error.message], [404, 'There is no ingestion job "nothing".']);
  }
  assert.equal((await ask({ ...desk, key: 'nobody' }, 'GET', body.statusUrl)).status, 401);
});

test('GET /vectors jobs: newest first, by status, in pages; empty members are absent', async () => {
  const desk = await newDesk();
  const jobs: string[] = [];
  for (let number = 0; number < 5; number++) {
    const content = number === 2 ? ' ' : `text ${number}`;
    jobs.unshift(await accepted(desk, { name: `${number}.txt`, content }));
  }
  for (const jobId of jobs) await ended(desk, jobId);
  const list = async (query: string) => {
    const { status, body } = await ask(desk, 'GET', `${listPath}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.success, body.vectorStore], [true, 'manuals']);
    return body.jobs.map(({ jobId }: { jobId: string }) => jobId);
  };
  assert.deepEqual(await list(''), jobs);
  assert.deepEqual(await list('status=&limit=&offset='), jobs);
  assert.deepEqual(await list('limit=2&offset=1'), jobs.slice(1, 3));
  assert.deepEqual(await list('limit=1000'), jobs, 'capped');
  assert.deepEqual(await list('offset=5'), []);
  assert.deepEqual(await list('status=failed'), [jobs[2]]);
  assert.deepEqual(await list('status=completed'), jobs.toSpliced(2, 1));
  assert.deepEqual(await list('status=queued'), []);
  const { body } = await ask(desk, 'GET', listPath);
  assert.deepEqual(body.jobs[0], await jobOf(desk, jobs[0]!), 'each as it is by itself');
});

test('GET /vectors jobs: an unknown store is named beside those there are', async () => {
  const desk = await newDesk();
  await ingested(desk, TEXT);
  const { status, body } = await ask(desk, 'GET', `${storePath('manual')}/ingestion-jobs`);
  assert.deepEqual([status, body.message], [404, 'There is no vector store "manual". There are "manuals".']);
  assert.equal((await ask(desk, 'GET', `${storePath('a%20b')}/ingestion-jobs`)).status, 400);
});

test('POST /vectors ingest: the same file is one job while it runs, then a new one', {
  skip: skipOnServers,
}, async (t) => {
  const { app, letGo } = await heldApp(t);
  const desk = await newDesk(app);
  const first = (await send(desk, TEXT)).body;
  await eventually('it is processed', async () => (await jobOf(desk, first.jobId)).status === 'processing', 5_000);
  const again = await send(desk, TEXT);
  assert.deepEqual(
    [again.status, again.body],
    [202, { ...first, status: 'processing', message: 'a.txt is being ingested already, with the same options.' }],
  );
  const jobs = new Set([first.jobId]);
  jobs.add(await accepted(desk, { ...TEXT, content: 'other text' }));
  jobs.add(await accepted(desk, { ...TEXT, name: 'b.txt' }));
  jobs.add(await accepted(desk, TEXT, { metadata: '{"a":1}' }));
  jobs.add(await accepted(desk, TEXT, { hygieneStripHtml: 'true' }));
  jobs.add(await accepted(desk, TEXT, { vectorStore: 'other' }));
  jobs.add(await accepted(await newDesk(app), TEXT));
  assert.equal(jobs.size, 7, 'whatever differs is another job');
  letGo();
  assert.equal((await ended(desk, first.jobId)).status, 'completed');
  assert.notEqual(await accepted(desk, TEXT), first.jobId);
});

test('POST /vectors cancel: waiting and running jobs can be cancelled, ended ones not', {
  skip: skipOnServers,
}, async (t) => {
  const { app, letGo } = await heldApp(t);
  const desk = await newDesk(app);
  const processed = await accepted(desk, TEXT);
  const queued = await accepted(desk, { name: 'b.txt', content: 'other' });
  const kept = await accepted(desk, { name: 'c.txt', content: 'kept' });
  await eventually('it is processed', async () => (await jobOf(desk, processed)).status === 'processing', 5_000);
  for (const jobId of [queued, processed]) {
    const { status, body } = await ask(desk, 'POST', `${JOBS}/${jobId}/cancel`);
    assert.deepEqual([status, body.status, body.error, body.documentId], [200, 'failed', 'cancelled', null]);
    assert.deepEqual(await jobOf(desk, jobId), body);
    const again = await ask(desk, 'POST', `${JOBS}/${jobId}/cancel`, {});
    assert.equal(again.status, 409);
    assert.match(
      again.body.message,
      /^The job is failed already; only one that is queued or processing can be cancelled/,
    );
  }
  letGo();
  assert.equal((await ended(desk, kept)).status, 'completed', 'the next was begun');
  assert.equal((await ask(desk, 'POST', `${JOBS}/${kept}/cancel`)).status, 409);
  assert.equal((await ask(desk, 'POST', `${JOBS}/nothing/cancel`)).status, 404);
  assert.equal((await ask(desk, 'POST', `${JOBS}/${kept}/cancel`, { now: true })).status, 400);
  const { documents } = (await ask(desk, 'GET', `${storePath('manuals')}/documents`)).body;
  assert.deepEqual(
    documents.map(({ name }: { name: string }) => name),
    ['c.txt'],
  );
});

test("POST /vectors ingest: a store's other embedder is 409 and named", { skip: skipOnServers }, async (t) => {
  const { app } = await heldApp(t);
  const desk = await newDesk(app);
  const { knowledge } = app.runtime;
  await accepted(desk, TEXT);
  const parts = (knowledge as unknown as { parts: { embedders: { configured: string } } }).parts;
  Object.assign(parts.embedders, { configured: 'hash' });
  const { status, body } = await send(desk, { name: 'b.txt', content: 'b' });
  assert.equal(status, 409);
  assert.match(
    body.message,
    /^The vector store "manuals" was made with the embedder compatible\/held, and the server .* hash:/,
  );
  assert.match(
    body.message,
    /Use another store, delete this one, or set AGENT_RUNTIME_EMBEDDER to compatible\/held\.$/,
  );
});
