import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deriveKey, type SecretKey } from '../../../../src/core/base/sealing/secret-key.ts';
import { openPostgres } from '../../../../src/storage/state/postgres/database.ts';
import { PostgresEventCounts } from '../../../../src/storage/state/postgres/limits/event-counts.ts';
import { PostgresFailures } from '../../../../src/storage/state/postgres/limits/failures.ts';
import { limitsOfNodes } from '../../../../src/storage/state/postgres/limits/limits.ts';
import { PostgresPendingStore } from '../../../../src/storage/state/postgres/limits/pending.ts';
import type { PostgresPool } from '../../../../src/storage/state/postgres/pool.ts';
import { testEventCounts } from '../../../contracts/event-counts.ts';
import { testFailures } from '../../../contracts/failures.ts';
import { testPendingStore } from '../../../contracts/pending-store.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../../../support/postgres.ts';

const skip = whyNoPostgres();
const secretKey: SecretKey = { keyFor: (use) => deriveKey('a secret of the test, long enough', use) };
const ends: (() => unknown)[] = [];
let server: Postgres;
let pools: PostgresPool[];

before(async () => {
  if (skip) return;
  server = await startPostgres({ after: (end: unknown) => ends.push(end as () => unknown) } as never);
  const url = await server.database();
  const opened = await Promise.all([1, 2].map(() => openPostgres({ url, connections: 3 })));
  pools = opened.map(({ pool }) => pool);
  ends.unshift(() => Promise.all(opened.map(({ close }) => close())));
});

after(async () => {
  for (const end of ends) await end();
});

async function emptied() {
  await pools[0]!.query('TRUNCATE login_failures, pending, event_counts, event_admissions');
}

const passing = (table: string, column: string) => async (ms: number) => {
  await pools[0]!.query(`UPDATE ${table} SET ${column} = ${column} - ${ms}`);
};

testFailures({
  name: 'PostgreSQL',
  skip,
  open: async () => {
    await emptied();
    return pools.map((pool) => new PostgresFailures(pool, secretKey));
  },
});

testPendingStore({
  name: 'PostgreSQL',
  skip,
  open: async () => {
    await emptied();
    const pass = passing('pending', 'expires_at');
    // Not to the millisecond: the clock of the database goes on.
    const passed = async (ms: number) => pass(ms === 59_999 ? 30_000 : ms === 1 ? 30_000 : ms);
    return { stores: pools.map((pool) => new PostgresPendingStore(pool, secretKey)), pass: passed };
  },
});

testEventCounts({
  name: 'PostgreSQL',
  skip,
  open: async () => {
    await emptied();
    return pools.map((pool) => new PostgresEventCounts(pool));
  },
});

test("EventCounts (PostgreSQL): a dead node's admissions end", { skip }, async () => {
  await emptied();
  const [here, dead] = pools.map((pool) => new PostgresEventCounts(pool)) as [PostgresEventCounts, PostgresEventCounts];
  const count = async () => here.endCount('one', await here.beginCount('one'), 50);
  await count();
  await dead.admit('one', 40, 100);
  await count();
  assert.equal((await here.admit('one', 20, 100)).id, null);
  await pools[0]!.query('UPDATE event_admissions SET at = at - 300001');
  await count();
  const { id, stored, admitted } = await here.admit('one', 20, 100);
  assert.deepEqual([stored, admitted], [50, 20]);
  assert.equal(await here.end('one', id!, { stored: 20 }), 70);
});

test('Limits (PostgreSQL): no e-mail and no secret is readable', { skip }, async () => {
  await emptied();
  const { failures, pending } = limitsOfNodes(pools[0]!, secretKey, Date.now);
  const name = { counter: 'account', account: 'one ada@example.com\n', of: '192.0.2.7' };
  await failures.change([name], ([times]) => times!.push(1));
  await pending.put('enrolment', 'key', { owner: 'ada', value: { secret: 'JBSWY3DP' }, lifetimeMs: 60_000 }, 1);
  const rows = [];
  for (const table of ['login_failures', 'pending'])
    rows.push(...(await pools[0]!.query(`SELECT * FROM ${table}`)).rows);
  assert.equal(rows.length, 2);
  assert.doesNotMatch(JSON.stringify(rows), /example|192\.0|JBSWY3DP/);
  const elsewhere: SecretKey = { keyFor: (use) => deriveKey('another secret, as long as the first', use) };
  assert.equal(await new PostgresPendingStore(pools[1]!, elsewhere).get('enrolment', 'key'), null);
});

test('Limits (PostgreSQL): idle rows are removed, others stay', { skip }, async () => {
  await emptied();
  const failures = new PostgresFailures(pools[0]!, secretKey);
  const pending = new PostgresPendingStore(pools[0]!, secretKey);
  const named = (of: string) => ({ counter: 'device', account: 'ada', of });
  for (const device of ['idle', 'used']) await failures.change([named(device)], ([times]) => times!.push(1));
  await pending.put('login', 'idle', { owner: 'ada', value: 1, lifetimeMs: -1 }, 5);
  await pending.put('login', 'used', { owner: 'ada', value: 1, lifetimeMs: 60_000 }, 5);
  await pools[0]!.query(`UPDATE login_failures SET at = at - 90000000 WHERE name = $1`, [
    (await pools[0]!.query<{ name: string }>('SELECT min(name) AS name FROM login_failures')).rows[0]!.name,
  ]);
  await pending.prune();
  await pending.prune();
  assert.equal(await failures.prune(), 1);
  const left = await pools[0]!.query<{ count: number }>(
    'SELECT (SELECT count(*) FROM login_failures) + (SELECT count(*) FROM pending) AS count',
  );
  assert.equal(left.rows[0]!.count, 2);
});
