import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { KNOWLEDGE_FILE } from '../../../../src/storage/installation/names.ts';
import { chunk, openStore } from '../../../contracts/knowledge/backend.ts';
import { sqliteKnowledge } from './backend.ts';

/** As the first version of the tables had it. */
const BEFORE = `DROP INDEX documents_by_content; DROP INDEX documents_repeated; ALTER TABLE documents DROP COLUMN content;
  ALTER TABLE documents DROP COLUMN repeated; ALTER TABLE jobs DROP COLUMN notes; PRAGMA user_version = 1;`;

test('openKnowledge(): a file of the version before keeps its documents', async (t) => {
  const old = await openStore(t, sqliteKnowledge);
  const { jobId } = await old.filled({ chunks: [chunk('red valve')] });
  await old.close();
  const database = new BetterSqlite3(join(old.at, KNOWLEDGE_FILE));
  database.exec(BEFORE);
  database.close();
  const { texts, job, filled } = await openStore(t, sqliteKnowledge, old.at);
  assert.deepEqual((await job(jobId)).notes, []);
  for (let copy = 0; copy < 2; copy += 1) await filled({ content: 'same', chunks: [chunk('blue valve')] });
  assert.deepEqual((await texts({ text: 'valve' }))!.toSorted(), ['blue valve', 'red valve']);
});
