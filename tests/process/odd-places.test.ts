import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS } from '../support/app.ts';
import { BIN, createKey, eventually, newDataDirectory, type Server, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const isRoot = process.geteuid?.() === 0;
/** Not in the list of users. */
const NAMELESS = 54_321;

async function works(server: Server, key: string, eventName: string): Promise<void> {
  const receipt = await server.ingest(key, [{ eventName }]);
  const query = { eventName, mode: 'aggregate' };
  const { status, body } = await server.request(key, 'POST', `${EVENTS}/query`, query, { 'x-wait-for': receipt });
  assert.deepEqual([status, body.rows[0].count], [200, 1]);
}

test('Odd places: a user without a name', { skip: !isRoot && 'only root can be another user' }, async (t) => {
  // Also with a path so long that the socket is elsewhere.
  for (const folder of ['data', 'd'.repeat(120)]) {
    const dataDir = join(newDataDirectory(t), folder);
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    chmodSync(join(dataDir, '../..'), 0o755);
    const { key } = await createKey(dataDir);
    for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), NAMELESS, NAMELESS);
    chownSync(dataDir, NAMELESS, NAMELESS);
    const server = await startServer(t, dataDir, { uid: NAMELESS, cwd: '/' });
    await works(server, key, 'seen');
    assert.equal((await server.end('SIGTERM')).code, 0);
  }
});

rareTest('Odd places: a root file system that is read-only', async (t) => {
  const script = 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"';
  const inside = ['-m', 'sh', '-c', script, 'sh'];
  if (spawnSync('unshare', [...inside, 'true']).status !== 0) return t.skip('no mount can be changed here');
  const place = mkdtempSync('/dev/shm/agent-runtime-odd-');
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const dataDir = join(place, 'data');
  const { key } = await createKey(dataDir);
  const program = { command: 'unshare', args: [...inside, process.execPath, BIN] };
  const server = await startServer(t, dataDir, { program, cwd: '/' });
  await works(server, key, 'seen');
  assert.equal((await server.end('SIGTERM')).code, 0);
});

rareTest('Odd places: 256 descriptors, and 400 connections that send half a request', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const program = { command: 'sh', args: ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, BIN] };
  const server = await startServer(t, dataDir, { program });
  const { port } = new URL(server.url);
  const half: Socket[] = [];
  for (let index = 0; index < 400; index += 1) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write('POST /api HTTP/1.1\r\nhost: loc');
    half.push(socket);
  }
  await sleep(1_000);
  for (const socket of half) socket.destroy();
  await eventually(
    'it answers again',
    () =>
      works(server, key, `seen-${Math.random()}`).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  assert.equal((await server.end('SIGTERM')).code, 0);
});

rareTest('Odd places: a machine that sleeps, and wakes eight hours later', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const jump = `const { now } = Date; let ahead = 0; Date.now = () => now() + ahead; process.on('SIGUSR2', () => { ahead += 8 * 3_600_000; });`;
  const server = await startServer(t, dataDir, {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(jump)}` },
  });
  await works(server, key, 'before');
  await server.ingest(key, [{ eventName: 'asleep' }]);
  server.child.kill('SIGSTOP');
  await sleep(1_500);
  server.child.kill('SIGUSR2');
  server.child.kill('SIGCONT');
  await works(server, key, 'after');
  const { body } = await server.request(key, 'POST', `${EVENTS}/query`, { eventName: 'asleep', mode: 'aggregate' });
  assert.equal(body.rows[0].count, 1);
  assert.equal((await server.request(key, 'GET', '/readyz')).status, 200);
  server.child.kill('SIGTERM');
  assert.deepEqual(await once(server.child, 'exit'), [0, null]);
});
