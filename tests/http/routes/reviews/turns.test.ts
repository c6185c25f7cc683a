import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { QueryId } from 'kysely';
import { STATE_FILE } from '../../../../src/storage/installation/names.ts';
import type { StateReader } from '../../../../src/storage/state/sql/database.ts';
import { SqlReviewStore } from '../../../../src/storage/state/sql/reviews/store.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { openStateReader } from '../../../../src/storage/state/sqlite/reader.ts';
import { skipOnServers, type TestApp, testApp } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { newDesk, REVIEWS } from './support.ts';

/** Gives back what is found for a tenant only when it is let go. */
function holding(reader: StateReader, tenantId: string) {
  const asked = new WeakSet<QueryId>();
  const held: (() => void)[] = [];
  let isOver = false;
  return {
    held,
    letGo: () => {
      isOver = true;
      for (const one of held) one();
    },
    reader: reader.withPlugin({
      transformQuery: ({ node, queryId }) => {
        if (JSON.stringify(node).includes(tenantId)) asked.add(queryId);
        return node;
      },
      transformResult: async ({ queryId, result }) => {
        if (asked.has(queryId) && !isOver) await new Promise<void>((resolve) => held.push(resolve));
        return result;
      },
    }),
  };
}

/** Lets lists of reviews of one tenant take as long as it is wanted; nothing else is different. */
async function slowedDown(t: TestContext, { runtime }: TestApp, tenantId: string) {
  const path = join(runtime.config.dataDir, STATE_FILE);
  const [database, reader] = [await openStateDatabase(path), openStateReader(path)];
  t.after(async () => {
    await reader.destroy();
    await database.destroy();
  });
  const slow = holding(reader, tenantId);
  const store = new SqlReviewStore(database, slow.reader);
  runtime.reviewStore.list = (...asked) => store.list(...asked);
  return slow;
}

test("GET /reviews: a tenant's long lists do not delay others, and queue up to 100", {
  skip: skipOnServers,
}, async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const [busy, other] = [await newDesk(app), await newDesk(app)];
  for (const desk of [busy, other, other]) await desk.review();
  const { held, letGo } = await slowedDown(t, app, busy.tenantId);
  const refused: unknown[] = [];
  const lists = Array.from({ length: 102 }, async () => {
    const { status, headers, body } = await busy.request('GET', REVIEWS);
    if (status === 200) return body.total;
    refused.push([status, headers.get('retry-after'), body.message]);
  });
  await eventually('one of them is refused', async () => refused.length > 0 && held.length > 1, 20_000);
  assert.equal((await other.list()).total, 2);
  assert.deepEqual(refused, [[503, '1', 'Too many lists and exports of reviews are asked for at once. Try again.']]);
  assert.equal(held.length, 2, 'the page and the total of one list');
  letGo();
  const totals = (await Promise.all(lists)).filter((total) => total !== undefined);
  assert.deepEqual(totals, Array(101).fill(1));
  assert.equal((await busy.list()).total, 1);
});
