import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openPostgres } from '../../../../src/storage/state/postgres/database.ts';
import { endLease, holdsLease, takeLease } from '../../../../src/storage/state/postgres/leases.ts';
import { PostgresPool } from '../../../../src/storage/state/postgres/pool.ts';
import { ConstraintViolation } from '../../../../src/storage/state/sql/violations.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../../../support/postgres.ts';

const skip = whyNoPostgres();
const ends: (() => unknown)[] = [];
let server: Postgres;
let pool: PostgresPool;

before(async () => {
  if (skip) return;
  server = await startPostgres({ after: (end: unknown) => ends.push(end as () => unknown) } as never);
  pool = await PostgresPool.open({ url: await server.database(), connections: 4 });
});

after(async () => {
  await pool?.end();
  for (const end of ends) await end();
});

test('PostgresPool: every text returns as it was sent, also in lists', { skip }, async () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom('\u0000', '\u0001', '\u0002', 'é', '💡'), fc.string()) });
  await fc.assert(
    fc.asyncProperty(text, fc.array(text), async (one, list) => {
      const { rows } = await pool.query<{ one: string; whole: string }>(
        `SELECT $1::text AS one, array_to_string($2::text[], '') AS whole`,
        [one, list],
      );
      assert.deepEqual(rows, [{ one: one.toWellFormed(), whole: list.map((each) => each.toWellFormed()).join('') }]);
    }),
  );
});

test('PostgresPool: texts are sorted by code points, also those with U+0000', { skip }, async () => {
  const texts = ['a\u0001', 'a', 'a\u0000b', 'Z', 'é', 'a\u0002', '💡', 'a\u0000'];
  const { rows } = await pool.query<{ text: string }>(
    'SELECT text FROM unnest($1::text[]) AS t(text) ORDER BY text COLLATE "C"',
    [texts],
  );
  assert.deepEqual(
    rows.map((row) => row.text),
    texts.toSorted(),
  );
});

test('PostgresPool: numbers and truth values are those of SQLite', { skip }, async () => {
  const { rows } = await pool.query(
    'SELECT 9007199254740991::bigint AS whole, sum(x) AS sum, 1 = 1 AS yes, 0.1::float8 AS part FROM (VALUES (2::bigint)) AS t(x)',
  );
  assert.deepEqual(rows, [{ whole: Number.MAX_SAFE_INTEGER, sum: 2, yes: 1, part: 0.1 }]);
});

test('PostgresPool: a failed transaction leaves nothing and its connection can be used', { skip }, async () => {
  await pool.query('CREATE TABLE kept (id int PRIMARY KEY, name text UNIQUE)');
  const failing = pool.transaction(async (client) => {
    await client.query(`INSERT INTO kept VALUES (1, 'one')`);
    await client.query(`INSERT INTO kept VALUES (1, 'two')`);
  });
  await assert.rejects(failing, (error) => error instanceof ConstraintViolation && error.violated === 'primary key');
  const twice = pool.query(`INSERT INTO kept VALUES (1, 'same'), (2, 'same')`);
  await assert.rejects(twice, (error) => error instanceof ConstraintViolation && error.violated === 'unique');
  assert.deepEqual((await pool.query('SELECT * FROM kept')).rows, []);
});

test('PostgresPool: unavailable while the server is away, and it answers again', { skip }, async (t) => {
  const away = await startPostgres(t);
  const errors: Error[] = [];
  const of = await PostgresPool.open({
    url: await away.database(),
    connections: 2,
    onError: (error) => errors.push(error),
  });
  try {
    await of.query('SELECT 1');
    await away.stop();
    await assert.rejects(of.query('SELECT 1'), { code: 'unavailable' });
    await away.start();
    assert.equal((await of.query('SELECT 1')).rowCount, 1);
    const interrupted = of.transaction(async (client) => {
      await client.query('SELECT 1');
      // The connection ends while no query waits for it.
      await away.stop();
      await away.start();
      await client.query('SELECT 1');
    });
    await assert.rejects(interrupted, { code: 'unavailable' });
    assert.equal((await of.query('SELECT 1')).rowCount, 1);
  } finally {
    await of.end();
  }
});

test('Leases: one holder until it ends or expires, with a growing fence', { skip }, async () => {
  const { pool: own, close } = await openPostgres({ url: await server.database(), connections: 2 });
  try {
    const first = await takeLease(own, 'flush', { holder: 'a', ms: 60_000 });
    assert.deepEqual(first, { fence: 1 });
    assert.equal(await takeLease(own, 'flush', { holder: 'b', ms: 60_000 }), null);
    assert.deepEqual(await takeLease(own, 'flush', { holder: 'a', ms: 60_000 }), { fence: 1 });
    await endLease(own, 'flush', 'a');
    assert.deepEqual(await takeLease(own, 'flush', { holder: 'b', ms: 60_000 }), { fence: 2 });
    assert.equal(await own.transaction((client) => holdsLease(client, 'flush', 1)), false);
    assert.equal(await own.transaction((client) => holdsLease(client, 'flush', 2)), true);
  } finally {
    await close();
  }
});

test('Migrations: of nodes that start at once, one migrates', { skip }, async () => {
  const url = await server.database();
  const opened = await Promise.all([1, 2, 3].map(() => openPostgres({ url, connections: 2 })));
  for (const { close } of opened) await close();
});
