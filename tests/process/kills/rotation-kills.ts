import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { credentialPlace } from '../../../src/core/agents/connectors/credentials/service.ts';
import { keyIdOf, seal } from '../../../src/core/base/sealing/sealing.ts';
import { StoredKeyRing } from '../../../src/storage/installation/key-ring.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { tablesOf } from '../../support/connectors.ts';
import { startProgram } from '../../support/process.ts';
import { definition, openProviders } from '../../support/providers.ts';
import { runJson } from '../../support/shell.ts';

/** How far a rotation has come when it is killed: before its key is on disk, just after, or with a share of the rows. */
export type KillPoint = 'at its start' | 'with its key on disk' | number;

const PROVIDERS = 20;

/** Rotations begun for one kill point, because a fast one can end before its kill arrives. */
const ATTEMPTS = 10;

const secretOf = (index: number) => `secret-${index}`;

/**
 * Rotates in processes that are killed at each of the points, over and over on one directory. Every secret opens after each
 * kill, for a process that has had the directory open all along and for a new one; at the end a start or a rotation finishes.
 */
export async function rotationSurvivesKills(t: TestContext, credentials: number, points: KillPoint[]): Promise<void> {
  const dataDir = temporaryDirectory(t);
  const serving = await openProviders(t, {}, dataDir);
  await fill(t, serving, credentials);
  const database = tablesOf(t, dataDir);
  for (const point of points) {
    let attempts = 0;
    let killed = false;
    while (!killed && attempts < ATTEMPTS) {
      attempts += 1;
      killed = await killedAt(t, dataDir, database, point);
      await assertEverythingOpens(serving, credentials);
      await assertEverythingOpens(await serving.beside(), credentials);
    }
    assert.ok(killed, `every one of ${attempts} rotations ended before it was killed at ${point}`);
  }

  const { state } = await serving.beside();
  await state.sealing.finish();
  assert.deepEqual(keyIdsIn(database), [ringOf(dataDir).find(({ retiredAt }) => retiredAt === null)?.id]);
  await killedAt(t, dataDir, database, 0.5);
  const rotation = await runJson(dataDir, 'secrets', 'rotate');
  assert.deepEqual([keyIdsIn(database), rotation.unopened], [[rotation.keyId], []]);
  await assertEverythingOpens(serving, credentials);
  const { forgotten, retired } = await runJson(dataDir, 'secrets', 'rotate', '--forget-retired');
  assert.deepEqual([forgotten, retired], [rotation.retired, 1], 'all but the one that this rotation retired');
  await assertEverythingOpens(serving, credentials);
}

type Opened = Awaited<ReturnType<typeof openProviders>>;

async function fill(
  t: TestContext,
  { state, tenantId, providers, dataDir }: Opened,
  credentials: number,
): Promise<void> {
  await providers.apply(
    tenantId,
    Array.from({ length: PROVIDERS }, (_, index) =>
      definition({ name: `p${index}`, apiKey: secretOf(index), headers: { 'x-a': secretOf(index) } }),
    ),
  );
  const hosts = ['api.example.com'];
  await state.credentials.set(tenantId, { name: 'first', secret: 'the first', hosts }, null);
  const key = await new StoredKeyRing({ dataDir }).active();
  const database = tablesOf(t, dataDir);
  const insert = database.prepare(
    `INSERT INTO credentials SELECT tenant_id, ?, username, ?, hosts, created_by, created_at, updated_at
     FROM credentials WHERE name = 'first'`,
  );
  database.transaction(() => {
    for (let index = 0; index < credentials; index += 1) {
      const credential = { name: `c${index}`, username: null, hosts };
      const sealed = seal(key, secretOf(index), credentialPlace(tenantId, credential));
      insert.run(credential.name, sealed);
    }
  })();
}

/** False when the rotation was at its end before. */
async function killedAt(t: TestContext, dataDir: string, database: BetterSqlite3.Database, point: KillPoint) {
  const before = ringOf(dataDir).length;
  const rotation = startProgram(t, ['secrets', 'rotate', '--json', '--data-dir', dataDir]);
  const total = database.prepare('SELECT count(*) FROM credentials').pluck().get() as number;
  const isReached = () => {
    // The lock is taken for as long as the ring is changed.
    if (point === 'at its start') return isLocked(dataDir);
    const ring = ringOf(dataDir);
    if (ring.length === before) return false;
    const active = ring.find(({ retiredAt }) => retiredAt === null)!;
    return point === 'with its key on disk' || sealedWith(database, active.id) >= point * total;
  };
  while (rotation.child.exitCode === null && !isReached()) await setImmediate();
  const { signal } = await rotation.end('SIGKILL');
  return signal === 'SIGKILL';
}

function isLocked(dataDir: string): boolean {
  const database = new BetterSqlite3(join(dataDir, 'sealing-keys.json.lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

function ringOf(dataDir: string): { id: string; retiredAt: string | null }[] {
  return (JSON.parse(readFileSync(join(dataDir, 'sealing-keys.json'), 'utf8')) as ReturnType<typeof JSON.parse>).keys;
}

function sealedWith(database: BetterSqlite3.Database, keyId: string): number {
  const count = (sql: string) => database.prepare(sql).pluck().get(`%v1.${keyId}.%`) as number;
  return (
    count('SELECT count(*) FROM credentials WHERE sealed LIKE ?') +
    count('SELECT count(*) FROM providers WHERE definition LIKE ?')
  );
}

function keyIdsIn(database: BetterSqlite3.Database): string[] {
  const texts = database
    .prepare('SELECT sealed FROM credentials UNION ALL SELECT definition FROM providers')
    .pluck()
    .all();
  return [
    ...new Set((texts as string[]).flatMap((text) => [...text.matchAll(/v1\.([\w-]{8})\./g)].map(([, id]) => id!))),
  ];
}

async function assertEverythingOpens({ state, providers, tenantId, pass }: Opened, credentials: number): Promise<void> {
  pass(1_000); // Beyond what is kept of what was read before.
  for (let index = 0; index < credentials; index += 1) {
    const { secret } = await state.credentials.secretOf(tenantId, `c${index}`);
    if (secret !== secretOf(index)) assert.fail(`c${index} is ${secret}`);
  }
  for (let index = 0; index < PROVIDERS; index += 1) {
    const { connection } = await providers.configured(tenantId, `p${index}`);
    assert.deepEqual([connection.apiKey, connection.headers['x-a']], [secretOf(index), secretOf(index)]);
  }
}

export async function activeKeyId(dataDir: string): Promise<string> {
  return keyIdOf(await new StoredKeyRing({ dataDir }).active());
}
