import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAGES } from '../../../src/storage/events/duckdb/observer.ts';
import { dataDirectoryOf } from '../../support/fixtures.ts';
import { lazyDisk, skip } from '../../support/lazyfs/lazy-disk.ts';
import {
  countOverMcp,
  createKey,
  eventually,
  newDataDirectory,
  type Program,
  runProgram,
  startMcp,
  startProgram,
  startServe,
  startServer,
} from '../../support/process.ts';
import { ENVIRONMENT, survivesKills } from './crash-cycles.ts';
import { KilledStore } from './kill-points.ts';

/* Power failures: the process is killed, and the disk forgets what was not synced. Nothing acknowledged may be lost. */

const RESTORED = ['--json'];

test('Power loss: twenty under mixed load', { skip, timeout: 900_000 }, async (t) => {
  const disk = await lazyDisk(t);
  await survivesKills(t, 20, 2_000, { dataDir: join(disk.directory, 'data'), afterKill: disk.fail });
});

/** A copy is a backup only once it is packed: the next start removes it. */
for (const stage of STAGES.filter((one) => !one.startsWith('copy'))) {
  test(`Power loss: at ${stage}`, { skip, timeout: 600_000 }, async (t) => {
    const disk = await lazyDisk(t);
    const killed = new KilledStore(disk.directory, disk.fail);
    for (const nth of /^(sort|merge|compact)/.test(stage) ? [1] : [1, 3, 8]) {
      if (stage.startsWith('sort')) await killed.fillArrivals();
      if (stage.startsWith('merge')) await killed.fillRuns();
      if (stage.startsWith('compact')) await killed.fillBehindHole();
      await killed.kill(t, stage, nth);
    }
  });
}

test('Power loss: while the data of an earlier version is migrated', { skip, timeout: 900_000 }, async (t) => {
  const [disk, old] = [await lazyDisk(t), await dataDirectoryOf(t, '0.2')];
  const failures = 12;
  for (let failure = 0; failure < failures; failure += 1) {
    const dataDir = join(disk.directory, `data-${failure}`);
    cpSync(old, dataDir, { recursive: true });
    chmodSync(dataDir, 0o700);
    syncTree(dataDir);
    // Each meets the migration elsewhere; some meet it twice.
    for (const wait of [250 + failure * 80, 400]) {
      const program = startServe(t, dataDir);
      await Promise.race([sleep(wait), eventually('it is ready', async () => isReady(program), 20_000)]);
      await program.end('SIGKILL');
      await disk.fail();
    }
    const server = await startServer(t, dataDir);
    const { key } = await createKey(dataDir);
    const { client } = await startMcp(t, dataDir, key);
    assert.equal(await countOverMcp(client, 'ticket_resolved'), 301, `failure ${failure}`);
    const { body } = await server.request(key, 'GET', '/api/v1/runtime/v1/observability/reviews?search=cart%C3%A3o');
    assert.equal(body.reviews.length, 1, `failure ${failure}`);
    await client.close();
    assert.equal((await server.end('SIGTERM')).code, 0);
    const { code, stdout } = await runProgram(t, ['doctor', '--data-dir', dataDir]);
    assert.equal(code, 0, stdout);
  }
});

test('Power loss: a backup is whole as soon as it is said to be, or is none', { skip, timeout: 900_000 }, async (t) => {
  const disk = await lazyDisk(t);
  const dataDir = join(disk.directory, 'data');
  const { key } = await createKey(dataDir);
  let stored = 0;
  for (let failure = 0; failure < 12; failure += 1) {
    const server = await startServer(t, dataDir, { environment: ENVIRONMENT });
    await server.ingest(key, eventsOf(500));
    stored += 500;
    const file = join(disk.directory, `${failure}.backup`);
    const backup = startProgram(t, ['backup', file, '--json', '--data-dir', dataDir]);
    // The first ones end; the others are cut off.
    const ending = failure < 4 ? await backup.ended : await cutOff(backup, 300 + failure * 60);
    await server.end('SIGKILL');
    await disk.fail();
    assert.equal(existsSync(file) || ending.code !== 0, true, ending.stderr);
    if (existsSync(file)) {
      const { events } = await restoredFrom(t, file, { of: dataDir, to: newDataDirectory(t) });
      assert.equal(events, stored, `failure ${failure}`);
    }
    assert.equal(await countIn(t, dataDir), stored, `failure ${failure}`);
  }
});

test('Power loss: a restore leaves the old state, the new one, or says to repeat it', {
  skip,
  timeout: 900_000,
}, async (t) => {
  const [disk, source] = [await lazyDisk(t), newDataDirectory(t)];
  const { key } = await createKey(source);
  const server = await startServer(t, source);
  await server.ingest(key, eventsOf(3_000));
  await server.end('SIGTERM');
  const file = join(source, '..', 'a.backup');
  assert.equal((await runProgram(t, ['backup', file, '--data-dir', source])).code, 0);
  const seen: Record<string, number> = {};
  for (let failure = 0; failure < 16; failure += 1) {
    const target = join(disk.directory, `target-${failure}`);
    const isFilled = failure % 2 === 0;
    if (isFilled) {
      const old = await createKey(target);
      const before = await startServer(t, target);
      await before.ingest(old.key, eventsOf(10));
      await before.end('SIGTERM');
    }
    const restore = startProgram(t, restoring(file, { of: source, to: target }));
    const ending = failure < 4 ? await restore.ended : await cutOff(restore, 150 + failure * 40);
    await disk.fail();
    const state = await stateOf(t, target);
    if (ending.code === 0) assert.equal(state, 'new', `failure ${failure}: it had ended`);
    else assert.ok(['new', isFilled ? 'old' : 'refused', ...(isFilled ? [] : ['empty'])].includes(state), state);
    // Nothing of the restore was on the disk yet.
    if (state === 'empty') assert.equal(readdirSync(target).includes('restore-staging'), false);
    seen[state] = (seen[state] ?? 0) + 1;
    if (state === 'new') continue;
    await restoredFrom(t, file, { of: source, to: target });
    assert.equal(await stateOf(t, target), 'new');
  }
});

test('A disk without sockets: serve, the command line and mcp work together', { skip }, async (t) => {
  const { directory } = await lazyDisk(t, { LAZYFS_NO_SOCKETS: '1' });
  const dataDir = join(directory, 'data');
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  await server.ingest(key, eventsOf(10));
  const { client } = await startMcp(t, dataDir, key);
  const counted = async () => (await countOverMcp(client, 'load')) === 10;
  await eventually('mcp asks the server', counted, 10_000);
  const file = join(directory, 'a.backup');
  const { code, stderr } = await runProgram(t, ['backup', file, '--data-dir', dataDir]);
  assert.equal(code, 0, stderr);
  const second = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
  assert.match(second.stderr, /is served already at http/);
  assert.equal((await server.end('SIGTERM')).code, 0);
});

function eventsOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ eventName: 'load', properties: { index } }));
}

function isReady(program: Program): boolean {
  return /ready at/.test(program.output().stdout) || program.child.exitCode !== null;
}

async function cutOff(program: Program, ms: number) {
  await Promise.race([sleep(ms), program.ended]);
  return program.end('SIGKILL');
}

/** `of`: the data directory of the backup, whose key opens it. */
interface Directories {
  of: string;
  to: string;
}

function restoring(file: string, { of, to }: Directories): string[] {
  return ['restore', file, ...RESTORED, '--identity', join(of, 'secret.key'), '--data-dir', to];
}

async function restoredFrom(t: TestContext, file: string, directories: Directories): Promise<{ events: number }> {
  const { code, stdout, stderr } = await runProgram(t, restoring(file, directories));
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function countIn(t: TestContext, dataDir: string): Promise<number> {
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  const query = { eventName: 'load', mode: 'aggregate' };
  const { body } = await server.request(key, 'POST', '/api/v1/runtime/v1/observability/events/query', query);
  await server.end('SIGTERM');
  return body.rows[0]?.count ?? 0;
}

async function stateOf(t: TestContext, dataDir: string): Promise<string> {
  const program = startServe(t, dataDir);
  await eventually('it starts or ends', async () => isReady(program), 20_000);
  const { code, stderr } = await program.end('SIGTERM');
  if (code !== 0) {
    assert.deepEqual([code, /Repeat the `restore`/.test(stderr)], [78, true], stderr);
    return 'refused';
  }
  const names: Record<number, string> = { 3000: 'new', 10: 'old', 0: 'empty' };
  return names[await countIn(t, dataDir)] ?? 'neither';
}

function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) fsyncSync(openSync(join(entry.parentPath, entry.name), 'r'));
  }
}
