import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openDatabase } from '../compiled-store.ts';

const ENDLESS = 'SELECT count(*) FROM range(100000000) a, range(60) b WHERE (a.range * b.range) % 7 = 3';
/** As many threads as Node.js has by default. */
const POOL = 4;

test('AnalyticsDatabase: a query ends at its timeout before the engine has started it', async (t) => {
  const database = await openDatabase(t);
  const busy: Promise<unknown>[] = [];
  const started = performance.now();
  const query = database.read(
    async (connection) => {
      for (let thread = 0; thread < POOL; thread++) busy.push(promisify(pbkdf2)('', '', 500_000, 32, 'sha512'));
      await connection.runAndReadAll(ENDLESS);
    },
    { timeoutMs: 200 },
  );
  await assert.rejects(query, { code: 'timeout' });
  const ms = performance.now() - started;
  await Promise.all(busy);
  assert.ok(ms < 15_000, `${ms} ms`);
});
