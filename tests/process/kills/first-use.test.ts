import assert from 'node:assert/strict';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { findCleanClose } from '../../../src/storage/events/duckdb/clean-close.ts';
import { SPOOL_FILE } from '../../../src/storage/installation/names.ts';
import { EVENTS } from '../../support/app.ts';
import { createKey, newDataDirectory, type Server, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand } from '../../support/shell.ts';

/* A server whose event store stays closed until its first use (docs/decisions/0029-event-store-at-first-use.md). */

rareTest('serve: killed with a full spool, the next start makes it queryable unasked', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  let sent = 0;
  let spooled = 0;
  for (let attempt = 1; spooled === 0 && attempt <= 5; attempt++) {
    const server = await startServer(t, dataDir);
    const events = Array.from({ length: 200 }, () => ({ eventName: 'seen' }));
    await Promise.all(Array.from({ length: 4 }, () => server.ingest(key, events)));
    await server.end('SIGKILL');
    sent += 4 * 200;
    spooled = batchesIn(dataDir);
  }
  assert.ok(spooled > 0, 'the kill came after every flush');
  const server = await startServer(t, dataDir);
  assert.equal(batchesIn(dataDir), 0);
  assert.equal(await countOf(server, key), sent);
});

rareTest('serve: its event store stays closed whoever probes it, and after a kill', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const first = await startServer(t, dataDir);
  await first.ingest(key, [{ eventName: 'seen', properties: { plan: 'free' } }, { eventName: 'seen' }]);
  assert.equal((await first.end('SIGTERM')).code, 0);
  assert.ok(findCleanClose(dataDir), 'flushed and closed cleanly');

  const resting = await startServer(t, dataDir);
  for (let probe = 0; probe < 3; probe++) assert.equal((await resting.request(key, 'GET', '/readyz')).status, 200);
  const metrics = await (await fetch(`${resting.url}/metrics`)).text();
  assert.match(metrics, /^agent_runtime_tenants 1$/m);
  assert.match(metrics, /^agent_runtime_backlog_batches 0$/m);
  const doctor = await runCommand(['doctor', '--json', '--data-dir', dataDir]);
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.match(doctor.stdout, /1 property column for 1 tenant/);
  assert.ok(findCleanClose(dataDir), 'still closed');
  await resting.end('SIGKILL');
  assert.ok(findCleanClose(dataDir));

  const next = await startServer(t, dataDir);
  assert.ok(findCleanClose(dataDir), 'the kill found nothing open');
  assert.equal(await countOf(next, key), 2);
  assert.equal(findCleanClose(dataDir), null);
  await next.end('SIGKILL');
  const last = await startServer(t, dataDir);
  assert.equal(await countOf(last, key), 2);
});

function batchesIn(dataDir: string): number {
  const spool = new BetterSqlite3(join(dataDir, SPOOL_FILE), { readonly: true });
  try {
    return spool.prepare('SELECT count(*) FROM batches').pluck().get() as number;
  } finally {
    spool.close();
  }
}

async function countOf(server: Server, key: string): Promise<number> {
  const query = { eventName: 'seen', mode: 'aggregate' };
  const { status, body } = await server.request(key, 'POST', `${EVENTS}/query`, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.rows[0].count;
}
