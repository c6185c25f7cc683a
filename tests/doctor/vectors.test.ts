import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { findingsOfFiles } from '../../src/doctor/files.ts';
import { findingsOfPostgresVectors } from '../../src/doctor/vectors.ts';
import { KNOWLEDGE_FILE } from '../../src/storage/installation/names.ts';
import { openStore } from '../contracts/knowledge/backend.ts';
import { sqliteKnowledge } from '../storage/knowledge/sqlite/backend.ts';

const MEASURED = {
  none: 'bits = NULL, candidates = NULL, recall = NULL',
  enough: 'bits = 512, candidates = 400, recall = 0.9875',
  'too little': 'bits = 2048, candidates = NULL, recall = 0.91',
};

test('doctor: large vector stores are shown with the recall that was measured', async (t) => {
  const { store, filled, close, at } = await openStore(t, sqliteKnowledge);
  const { jobId } = await filled();
  await store.markReported([jobId]);
  await close();
  const database = new BetterSqlite3(join(at, KNOWLEDGE_FILE));
  t.after(() => database.close());
  const found = async () => {
    const findings = await findingsOfFiles({ dataDir: at }, false);
    return findings.filter(({ check }) => check === 'vector search');
  };
  assert.deepEqual(await found(), [], 'small stores are searched exactly');

  database.exec('UPDATE stores SET dimensions = 384; UPDATE documents SET chunks = 1000000');
  const messages: string[] = [];
  for (const measured of Object.values(MEASURED)) {
    database.exec(`UPDATE stores SET ${measured}`);
    const [finding] = await found();
    messages.push(`${finding!.status}: ${finding!.message}`);
  }
  const { name } = database.prepare('SELECT name FROM stores').get() as { name: string };
  const { tenant_id: tenant } = database.prepare('SELECT tenant_id FROM stores').get() as { tenant_id: string };
  const subject = `${name} of tenant ${tenant}, 1,000,000 vectors`;
  assert.deepEqual(messages, [
    `ok: ${subject}: searched exactly until its index is made and measured`,
    `ok: ${subject}: searched by 512 bits and 400 candidates; found 0.988 of the ten nearest when it was measured`,
    `warning: ${subject}: searched exactly, which is slow: an index found only 0.910 of the ten nearest when it was measured`,
  ]);
  assert.deepEqual(
    (await found()).map((finding) => ('search' in finding ? finding.search : null)),
    [{ tenant, store: name, vectors: 1_000_000, search: 'exact', bits: 2_048, candidates: null, recall: 0.91 }],
  );
});

test('doctor: vectors in a database that cannot be read are one failure', async () => {
  const findings = await findingsOfPostgresVectors('postgres://nobody:secret@127.0.0.1:1/absent');
  assert.deepEqual(
    findings.map(({ check, status }) => [check, status]),
    [['vector search', 'failed']],
  );
  assert.doesNotMatch(findings[0]!.message, /secret/);
});
