import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPACTING_DIRECTORY, EVENTS_FILE } from '../../src/storage/installation/names.ts';
import { EVENTS } from '../support/app.ts';
import { createKey, eventually, newDataDirectory, runProgram, type Server, startServer } from '../support/process.ts';

/* What a kill at each moment of it leaves: process/kills/kill-points.test.ts. */

test('compact: beside `serve`, after a kill of it and without it, every event stays', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  let sent = 0;
  const send = async (to: Server) => {
    await to.ingest(
      key,
      Array.from({ length: 500 }, () => ({ eventName: 'seen' })),
    );
    sent += 500;
  };
  await send(server);
  const [first] = await Promise.all([compact(), send(server)]);
  assert.ok(first.before > 0 && first.after > 0);
  assert.equal(statSync(join(dataDir, EVENTS_FILE)).size, first.after);
  await send(server);
  await eventually('all are visible', async () => (await countOf(server, key)) === sent, 10_000);

  const interrupted = runProgram(t, ['compact', '--data-dir', dataDir]);
  await sleep(Math.random() * 500);
  await server.end('SIGKILL');
  const { code, stdout, stderr } = await interrupted;
  // Nobody is left to ask before the kill, or the command does it itself after the kill.
  assert.match(code === 0 ? stdout : stderr, /events\.duckdb had .*, and has .* now\.|ended before it answered/);

  await compact();
  assert.ok(!existsSync(join(dataDir, COMPACTING_DIRECTORY)));
  assert.equal(await countOf(await startServer(t, dataDir), key), sent);

  async function compact(): Promise<{ before: number; after: number }> {
    const ran = await runProgram(t, ['compact', '--json', '--data-dir', dataDir]);
    assert.equal(ran.code, 0, ran.stderr);
    return JSON.parse(ran.stdout);
  }
});

async function countOf(server: Server, key: string): Promise<number> {
  const query = { eventName: 'seen', mode: 'aggregate' };
  const { status, body } = await server.request(key, 'POST', `${EVENTS}/query`, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.rows[0].count;
}
