import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COMMENT, EXECUTIONS, EXPORT, REVIEWS, reviewsOf } from '../http/routes/reviews/support.ts';
import { EVENTS, temporaryDirectory } from '../support/app.ts';
import { createKey, eventually, newDataDirectory, readyUrl, startProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { canLimitFiles, limitFiles } from './file-limit.ts';

const CHILD = fileURLToPath(new URL('./fault-child.ts', import.meta.url));
const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';

rareTest('Full disk: ingest answers 503, queries work, and freed space needs no restart', { skip }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir, { environment: { AGENT_RUNTIME_RATE_LIMIT: '0' } });
  const batch = (number: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      eventName: 'load',
      id: `${number} ${index}`,
      properties: { number },
    }));
  const send = (number: number) =>
    fetch(`${server.url}${EVENTS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ events: batch(number) }),
    });
  const count = async (receipt?: string): Promise<number> => {
    const query = { eventName: 'load', mode: 'aggregate', groupBy: 'number', limit: 1_000 };
    const waiting = receipt === undefined ? {} : { 'x-wait-for': receipt };
    const { status, body } = await server.request(
      key,
      'POST',
      `${EVENTS}/query`,
      query,
      waiting as Record<string, string>,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.rows.reduce((sum: number, row: { count: number }) => sum + row.count, 0);
  };
  const statuses = new Map<number, number>();
  for (let number = 0; number < 5; number += 1) statuses.set(number, (await send(number)).status);
  await eventually('what was accepted is visible', async () => (await count()) === 250, 5_000);

  limitFiles(server.pid, 4_096);
  for (let number = 5; number < 15; number += 1) {
    const response = await send(number);
    statuses.set(number, response.status);
    assert.equal(response.status, 503, await response.text());
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.equal(await count(), 250, 'queries are answered');

  limitFiles(server.pid, 'unlimited');
  let receipt = '';
  for (const [number, before] of statuses) {
    const { status, body } = await server.request(key, 'POST', EVENTS, { events: batch(number) });
    assert.equal(status, 202);
    assert.equal(body.accepted, before === 202 ? 0 : 50, 'what was refused is new, what was accepted is not');
    receipt = body.receipt;
  }
  assert.equal(await count(receipt), 750);
  const { status } = await server.request(key, 'GET', '/readyz');
  assert.equal(status, 200);
});

rareTest('Full disk: writes of all kinds fail, the log included, and reads still work', { skip }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const logFile = join(temporaryDirectory(t), 'serve.log');
  const server = startProgram(t, ['serve', '--port', '0', '--data-dir', dataDir], { logFile });
  const url = await readyUrl(server);
  const send = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
  const changes = [
    () => send(EVENTS, { events: [{ eventName: 'load', agentId: 'never seen before' }] }),
    () => send('/api/v1/runtime/observability/dashboard-tabs', { agentId: 'support', name: 'A tab' }),
    () => send(EXECUTIONS, { id: 'run', output: 'x' }),
    () => send(reviewsOf('run'), { rating: 'bad', comment: COMMENT }),
  ];
  const { size } = statSync(logFile);
  limitFiles(server.pid, Math.max(size, 64));
  for (const change of changes) {
    const response = await change();
    const { message } = (await response.json()) as { message: string };
    assert.equal(response.status, 503, message);
    assert.match(
      message,
      /cannot be changed at the moment: the disk is full or fails\. Nothing was changed\. Try again\./,
    );
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  }
  for (const path of [REVIEWS, `${REVIEWS}?search=letras`, EXPORT, `${EXPORT}?format=dpo-jsonl`]) {
    const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
    assert.equal(response.status, 200, await response.text());
  }
  assert.ok(statSync(logFile).size <= Math.max(size, 64));
  limitFiles(server.pid, 'unlimited');
  for (const change of changes) assert.ok((await change()).ok);
  const { code } = await server.end('SIGTERM');
  assert.equal(code, 0);
  assert.match(readFileSync(logFile, 'utf8'), /"level":"error".*the disk is full or fails/, 'what waited for room');
});

rareTest('Full disk: a failed checkpoint or log write is retried and loses no event', { skip }, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, temporaryDirectory(t)]);
  const seen = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
  assert.equal(seen.copy, 'unavailable, retry', 'a copy that finds no room');
  assert.ok(['unavailable, retry', '35000'].includes(String(seen.whileBroken)), String(seen.whileBroken));
  assert.equal(seen.idle, '35000', 'readable again though nothing arrives');
  assert.deepEqual(seen.refused, ['unavailable, retry']);
  assert.ok(Number(seen.refusedBatches) > 0, 'the backlog is bounded');
  assert.ok(Number(seen.backlogBytes) < Number(seen.backlogLimit) * 1.1);
  assert.equal(seen.whileFull, '35000', 'queries are answered while nothing can be written');
  assert.equal(seen.failing, true);
  assert.deepEqual([seen.late, seen.lateAfterwards], [true, false], 'answers say so');
  assert.equal(seen.failingAfterwards, false);
  assert.equal(seen.waitingAfterwards, 0);
  assert.equal(seen.duplicates, 0, 'what was refused is new');
  assert.equal(seen.accepted, 60_000);
  assert.equal(seen.stored, '60000');
  assert.equal(seen.ping, 'done');
});
