import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { KNOWLEDGE_FILE } from '../../../../src/storage/installation/names.ts';
import { examineKnowledge } from '../../../../src/storage/knowledge/sqlite/examine.ts';
import { openStore } from '../../../contracts/knowledge/backend.ts';
import { sqliteKnowledge } from './backend.ts';

test('examineKnowledge: work is what jobs and removals have left', async (t) => {
  const { store, filled, created, close, at } = await openStore(t, sqliteKnowledge);
  const hasWork = async () => (await examineKnowledge(at, { thorough: false }))?.hasWork;
  const { jobId } = await filled();
  assert.equal(await hasWork(), true, 'a job that ended and was not reported');
  await store.markReported([jobId]);
  assert.equal(await hasWork(), false);
  await created();
  assert.equal(await hasWork(), true, 'a job that waits');
  await close();

  const database = new BetterSqlite3(join(at, KNOWLEDGE_FILE));
  database.exec('UPDATE jobs SET settled = 1');
  assert.equal(await hasWork(), false);
  database.exec('UPDATE documents SET removed_at = 1');
  database.close();
  assert.equal(await hasWork(), true, 'a document whose chunks are to be removed');
});
