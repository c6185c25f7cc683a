import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { DuckdbEventStore } from '../../../src/storage/events/duckdb/store.ts';
import { EVENTS_FILE, EVENTS_LOG_FILE, SPOOL_FILE } from '../../../src/storage/installation/names.ts';
import { UnusableFile } from '../../../src/storage/installation/unusable.ts';
import { temporaryDirectory } from '../../support/app.ts';

const DAMAGES: Record<string, (path: string) => void> = {
  'cut off in the middle': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'cut off at 100 bytes': (path) => truncateSync(path, 100),
  'without its header': (path) => overwrite(path, 0, 4_096, 0),
  'full of garbage': (path) => overwrite(path, 0, statSync(path).size, 0xa5),
  empty: (path) => truncateSync(path, 0),
  'a directory': (path) => {
    rmSync(path, { force: true });
    mkdirSync(path);
  },
};

const stores = { closed: '', killed: '' };

before(async () => {
  const t = { after: (cleanup: () => void) => process.once('exit', cleanup) } as unknown as TestContext;
  const directory = temporaryDirectory(t);
  stores.closed = temporaryDirectory(t);
  stores.killed = temporaryDirectory(t);
  const store = await DuckdbEventStore.open(optionsOf(directory));
  for (let batch = 0; batch < 3; batch++) await ingest(store, 1_000, `first-${batch}`);
  await store.close();
  cpSync(directory, stores.closed, { recursive: true });
  const again = await DuckdbEventStore.open(optionsOf(directory));
  for (let batch = 0; batch < 3; batch++) await ingest(again, 1_000, `second-${batch}`);
  cpSync(directory, stores.killed, { recursive: true });
  await again.close();
  assert.ok(existsSync(join(stores.killed, EVENTS_LOG_FILE)) && !existsSync(join(stores.closed, EVENTS_LOG_FILE)));
});

for (const file of [SPOOL_FILE, EVENTS_FILE]) {
  for (const [how, damage] of Object.entries(DAMAGES)) {
    test(`doctor: ${file} ${how} is reported and unchanged`, (t) => isRefused(t, 'closed', file, damage));
  }
}

test('doctor: garbage in the middle of spool.sqlite is reported', (t) =>
  isRefused(t, 'closed', SPOOL_FILE, (path) => overwrite(path, 20_000, statSync(path).size, 0xa5)));

for (const [how, damage] of Object.entries(DAMAGES)) {
  test(`doctor: a DuckDB log that is ${how} is reported and unchanged`, (t) =>
    isRefused(t, 'killed', EVENTS_LOG_FILE, damage));
}

test('doctor: garbage in the middle of the DuckDB log is reported', (t) =>
  isRefused(t, 'killed', EVENTS_LOG_FILE, (path) => {
    const { size } = statSync(path);
    overwrite(path, Math.floor(size / 2), Math.floor(size * 0.6), 0xa5);
  }));

test('doctor: an empty spool with a log is reported, since opening would lose the log', (t) =>
  isRefused(t, 'killed', SPOOL_FILE, DAMAGES.empty!));

test('stores: a complete store left by a crash opens', async (t) => {
  assert.equal(await countIn(copyOf(t, 'killed')), 6_000);
});

test('doctor: following each advice leaves everything else intact', async (t) => {
  const spoolGone = copyOf(t, 'closed');
  rmSync(join(spoolGone, SPOOL_FILE));
  assert.equal(await countIn(spoolGone), 3_000);

  const eventsGone = copyOf(t, 'killed');
  for (const name of [EVENTS_FILE, EVENTS_LOG_FILE]) rmSync(join(eventsGone, name));
  assert.deepEqual(await openTwice(eventsGone), [0, 10]);

  const logGone = copyOf(t, 'killed');
  rmSync(join(logGone, EVENTS_LOG_FILE));
  assert.deepEqual(await openTwice(logGone), [3_000, 3_010]);
});

test('stores: an empty spool of an interrupted first start counts as new', async (t) => {
  const directory = temporaryDirectory(t);
  await (await DuckdbEventStore.open(optionsOf(directory))).close();
  rmSync(join(directory, SPOOL_FILE));
  writeFileSync(join(directory, SPOOL_FILE), '');
  assert.equal(await countIn(directory), 0);
});

async function isRefused(t: TestContext, kind: keyof typeof stores, file: string, damage: (path: string) => void) {
  const directory = copyOf(t, kind);
  const path = join(directory, file);
  damage(path);
  const contents = () => (statSync(path).isFile() ? readFileSync(path).toString('base64') : 'directory');
  const found = contents();
  await assert.rejects(DuckdbEventStore.open(optionsOf(directory)), (error: Error) => {
    assert.ok(error instanceof UnusableFile, error.stack);
    assert.ok(error.message.startsWith(`${path} is `), error.message);
    assert.match(error.message, /restore a backup; or move .* aside/);
    assert.ok(!error.message.includes('\n'), error.message);
    return true;
  });
  assert.ok(contents() === found, 'the damaged file is as it was');
}

async function openTwice(directory: string): Promise<[number, number]> {
  const faults: unknown[] = [];
  const store = await DuckdbEventStore.open(optionsOf(directory), { onFault: (error) => faults.push(error) });
  assert.match(String(faults[0]), /batches that were accepted earlier are no longer in events\.duckdb/);
  const found = await count(store);
  await ingest(store, 10, 'after');
  const crashed = join(directory, 'crashed');
  mkdirSync(crashed);
  for (const name of [EVENTS_FILE, EVENTS_LOG_FILE, SPOOL_FILE, `${SPOOL_FILE}-wal`]) {
    if (existsSync(join(directory, name))) cpSync(join(directory, name), join(crashed, name));
  }
  await store.close();
  return [found, await countIn(crashed)];
}

function copyOf(t: TestContext, kind: keyof typeof stores): string {
  const directory = temporaryDirectory(t);
  cpSync(stores[kind], directory, { recursive: true });
  return directory;
}

async function countIn(directory: string): Promise<number> {
  const store = await DuckdbEventStore.open(optionsOf(directory));
  try {
    return await count(store);
  } finally {
    await store.close();
  }
}

async function count(store: DuckdbEventStore): Promise<number> {
  const known = await store.knownEvents('tenant', null);
  return known.reduce((sum, { events }) => sum + events, 0);
}

async function ingest(store: DuckdbEventStore, events: number, prefix: string): Promise<void> {
  const { receipt } = await store.append(
    'tenant',
    Array.from({ length: events }, (_, index) => ({
      id: `${prefix}-${index}`,
      idFromCaller: true,
      agentId: 'agent',
      eventName: 'seen',
      timestamp: 1_770_000_000_000 + index,
      threadId: null,
      executionId: null,
      properties: JSON.stringify({ index, text: `${prefix} ${index * 7919}` }),
    })),
  );
  assert.ok(await store.waitFor(receipt, 10_000));
}

function overwrite(path: string, from: number, to: number, byte: number): void {
  const content = readFileSync(path);
  content.fill(byte, Math.min(from, content.length), Math.min(to, content.length));
  writeFileSync(path, content);
}

function optionsOf(directory: string) {
  return { directory, dedupWindowMs: 1e9, queryTimeoutMs: 10_000, memoryLimit: 1e9, backlogLimit: 64 * 1024 * 1024 };
}
