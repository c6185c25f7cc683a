import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { openStore } from '../../../contracts/knowledge/backend.ts';
import { sqliteKnowledge } from './backend.ts';

const STORE = import.meta.resolve('../../../../src/storage/knowledge/sqlite/thread.ts');

test('Claims: jobs of a killed process are claimed at once, of a living one not', async (t) => {
  const { created, close, at } = await openStore(t, sqliteKnowledge);
  const { jobId } = await created();
  await close();
  const script = `import(${JSON.stringify(STORE)}).then(async ({ openKnowledgeStore }) => {
    const store = openKnowledgeStore(${JSON.stringify(at)}, { onFault: () => undefined });
    const claim = await store.claim({ now: 1, leaseMs: 3_600_000 });
    console.log(claim.fence);
    setInterval(() => undefined, 1_000);
  })`;
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [fence] = await once(child.stdout, 'data');
  assert.equal(Number(fence), 1);
  const beside = await openStore(t, sqliteKnowledge, at);
  assert.equal(await beside.store.claim({ now: 2, leaseMs: 1_000 }), null, 'it is alive');
  await beside.close();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const after = await openStore(t, sqliteKnowledge, at);
  const claim = await after.claimed(3);
  assert.deepEqual([claim.job.jobId, claim.fence, claim.attempts], [jobId, 2, 2]);
});
