import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from 'kysely';
import { searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import { execution } from '../../../contracts/execution-store.ts';
import { review } from '../../../contracts/reviews.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { rareTest } from '../../../support/rare.ts';
import { openReviews } from '../../../support/reviews.ts';

const ALL = { limit: 1, offset: 0 };

test('SqlExecutionStore: large executions are erased in small transactions', async (t) => {
  const { database, executions, close } = await openReviews(temporaryDirectory(t));
  t.after(close);
  await sql`PRAGMA synchronous = OFF`.execute(database);
  const messages = JSON.stringify([{ role: 'user', content: 'x'.repeat(1024 * 1024) }]);
  const thread = { threadId: 'thread', executionIds: [] };
  for (const erased of [null, thread]) {
    for (let index = 0; index < 64; index++) {
      await executions.put('one', execution({ messages, threadId: 'thread' }), null);
    }
    let turns = 0;
    let ended = false;
    const others = (async () => {
      for (; !ended; turns++) await new Promise(setImmediate);
    })();
    assert.equal(await executions.erase('one', erased), 64);
    ended = true;
    await others;
    assert.ok(turns >= 8, `${turns} turns while 64 MB were erased`);
  }
});

rareTest('SqlReviewStore: erased reviews and their indexed words are gone from the file', async (t) => {
  const { path, database, executions, reviews, close } = await openReviews(temporaryDirectory(t));
  t.after(close);
  await sql`PRAGMA synchronous = OFF`.execute(database);
  const create = async (tenantId: string, comment: string, executionId?: string) => {
    const made = review({ comment, tags: [comment], actionTaken: comment, ...(executionId ? { executionId } : {}) });
    await reviews.create(tenantId, made);
  };
  // Enough that SQLite does not merge the deleted words away by itself.
  for (let index = 0; index < 2_000; index++) await create('two', `comentário número ${index}`);
  for (let index = 0; index < 50; index++) {
    await create('one', `xilofone ${index}`);
    await executions.put('one', execution({ id: `e${index}`, threadId: 'thread', output: '"zarabatana"' }), null);
    await create('two', `quiabada ${index}`, `e${index}`);
  }
  for (let index = 0; index < 200; index++) await create('two', `comentário número ${index}`);
  const written = async (...words: string[]) => {
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database);
    const bytes = readFileSync(path).toString('latin1');
    return words.filter((word) => bytes.includes(word));
  };
  const words = ['xilofon', 'quiab', 'zarabatana'];
  assert.deepEqual(await written(...words), words);
  assert.equal(await reviews.erase('one', null), 50);
  assert.deepEqual(await written(...words), ['quiab', 'zarabatana']);
  const thread = { threadId: 'thread', executionIds: Array.from({ length: 50 }, (_, index) => `e${index}`) };
  assert.equal(await reviews.erase('two', thread), 50);
  assert.equal(await executions.erase('one', thread), 50);
  assert.deepEqual(await written(...words), []);
  const { total } = await reviews.list('two', { search: searchTerms('comentários') }, ALL);
  assert.equal(total, 2_200, 'and what was not erased is found');
  await sql`INSERT INTO review_index (review_index) VALUES ('integrity-check')`.execute(database);
});
