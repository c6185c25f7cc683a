import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { LEAST_BYTES } from '../../../src/memory/budget.ts';
import { memoryGroup } from '../../support/container.ts';
import { ended } from '../../support/knowledge.ts';
import { createKey, newDataDirectory, startProgram, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { askQuestions, countEvents, sendEvents, sendFile } from './container-load.ts';

const MEGABYTE = 1024 * 1024;
const CLIENTS = 4;
const QUESTIONS = 50;
const FILE_BYTES = 4_000_000;
const FILE_MS = 800_000;
const NO_GROUP = 'needs root and the control groups of Linux';

/** On a disk: files of a file system in memory would count as memory of the server. */
function directoryOnDisk(t: TestContext): string {
  const directory = mkdtempSync('/var/tmp/agent-runtime-test-');
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'data');
}

/** Everything at once; all that was acknowledged is there afterwards, and the process is the one that was started. */
async function endure(t: TestContext, megabytes: number, events: number): Promise<void> {
  const group = memoryGroup(t, megabytes * MEGABYTE);
  if (group === null) return t.skip(NO_GROUP);
  const dataDir = directoryOnDisk(t);
  const { key } = await createKey(dataDir);
  const environment = { AGENT_RUNTIME_RATE_LIMIT: '0' };
  const server = await startServer(t, dataDir, { program: group.program, environment });
  const desk = { url: server.url, key };
  let sending = true;
  const asked = askQuestions(desk, QUESTIONS, () => sending);
  const ingested = sendFile(desk, FILE_BYTES).then((jobId) => ended(desk, jobId, FILE_MS));
  const sent = await sendEvents(desk, events, CLIENTS);
  const job = await ingested;
  sending = false;
  const { statuses } = await asked;
  assert.equal(job.status, 'completed', job.error);
  assert.equal(sent.acknowledged, events);
  assert.equal(await countEvents(desk), events);
  assert.equal(group.kills(), 0);
  assert.ok(statuses[200]! > 0);
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['200', '429', '503'].includes(status)),
    [],
  );
  assert.equal((await server.end('SIGTERM')).code, 0);
}

rareTest('Container: 256 MB bear 100,000 events, 50 questions at once and a file', (t) => endure(t, 256, 100_000));

rareTest('Container: 512 MB bear a million events, 50 questions at once and a file', { timeout: 900_000 }, (t) =>
  endure(t, 512, 1_000_000),
);

rareTest('Container: with less than the least `serve` ends with 78 and says what to do', async (t) => {
  const group = memoryGroup(t, LEAST_BYTES - MEGABYTE);
  if (group === null) return t.skip(NO_GROUP);
  const args = ['serve', '--port', '0', '--data-dir', newDataDirectory(t)];
  const { code, stderr } = await startProgram(t, args, { program: group.program }).ended;
  assert.match(stderr, /^error: the limit of the container is \d+ MB of memory, .* at least \d+\. Raise it\.\n$/);
  assert.equal(code, 78);
});
