import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { SORTED_BY } from '../../../../src/core/agents/executions/list-schema.ts';
import type { ExecutionFilter, ExecutionPlace } from '../../../../src/core/agents/executions/store.ts';
import { createQueueSchema } from '../../../../src/core/agents/queues/schema.ts';
import type { HeldItem } from '../../../../src/core/agents/queues/store.ts';
import { exactWords, searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import type { ReviewFilter } from '../../../../src/core/agents/reviews/store.ts';
import { SqlRubricStore } from '../../../../src/storage/state/sql/assessments/rubrics.ts';
import { SqlAssessmentStore } from '../../../../src/storage/state/sql/assessments/store.ts';
import { SqlConnectorStore, SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlExecutionStore } from '../../../../src/storage/state/sql/executions/store.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlQueueStore } from '../../../../src/storage/state/sql/queues/store.ts';
import { SqlSessionStore } from '../../../../src/storage/state/sql/sessions.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { assessment, rubric } from '../../../contracts/assessment-store.ts';
import { storedCredential } from '../../../contracts/credential-store.ts';
import { execution } from '../../../contracts/execution-store.ts';
import { review } from '../../../contracts/reviews.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { assertThrifty, plansOf, statementsOf } from '../../../support/plans.ts';
import { rareTest } from '../../../support/rare.ts';
import { openReviews } from '../../../support/reviews.ts';

const TABLES =
  '(reviews|executions|execution_bodies|execution_steps|review_counts|agents|tenants|assessments|rubrics|queue_items|queue_hands|queue_changes)';
/** These indexes have nothing but what is left to be done. */
const LEFT = 'USING INDEX executions_un(indexed|sent)$';
const WASTEFUL = new RegExp(`^SCAN ${TABLES}( (?!${LEFT})|$)|AUTOMATIC|^SCAN review_index VIRTUAL TABLE INDEX \\d+:$`);

const FILTERS: ReviewFilter[] = [
  {},
  { agentId: 'a' },
  { rating: ['bad', 'good'], status: ['resolved'], priority: ['low'], tags: ['x', 'y'] },
  { search: searchTerms('entrega atrasada') },
  { words: exactWords('entrega atrasada') },
  { from: 1 },
  { from: 1, to: 2 },
  { from: 1, to: 2, agentId: 'a', search: searchTerms('entrega') },
];

const LISTED: ExecutionFilter[] = [
  {},
  { threadId: 't' },
  { agentId: 'a', status: 'failed', tag: 'x', kind: 'tool' },
  { search: searchTerms('entrega atrasada'), hasReview: true, rating: 'bad' },
  { hasReview: false, hasAssessment: true, minCost: 1, maxLatencyMs: 2, from: 1, to: 2 },
];

/** The statements that work on the stores runs, those of their reader included. */
async function statements(t: TestContext, use: (stores: Awaited<ReturnType<typeof openReviews>>) => Promise<unknown>) {
  const stores = await openReviews(temporaryDirectory(t));
  t.after(stores.close);
  const read: string[] = [];
  const executor = stores.reader.getExecutor();
  const { executeQuery } = executor;
  executor.executeQuery = async function <Row>(query: Parameters<typeof executeQuery>[0]) {
    read.push(query.sql);
    return executeQuery.call(this, query) as ReturnType<typeof executeQuery<Row>>;
  };
  const written = await statementsOf(() => use(stores));
  return { ...stores, texts: [...new Set([...written, ...read])] };
}

test('executions and reviews: no statement scans a table where an index serves', async (t) => {
  const { path, texts } = await statements(t, async ({ executions, reviews }) => {
    const run = execution();
    await executions.put('one', run, null);
    await executions.put('one', run, await executions.find('one', run.id));
    await executions.agentOf('one', run.id);
    await executions.isOfAnotherTenant('one', run.id);
    const made = review();
    await reviews.create('one', made);
    await reviews.find('one', made.id);
    await reviews.findByExecution('one', made.executionId);
    await reviews.update('one', made.id, { status: 'resolved', updatedBy: 'a', updatedAt: 1 });
    await reviews.update('one', made.id, { comment: 'outro', tags: ['x'], updatedBy: 'a', updatedAt: 1 });
    await reviews.counts('one', 'a');
    for (const filter of FILTERS) {
      await reviews.list('one', filter, { limit: 50, offset: 100 });
      await reviews.executionIds('one', filter, 1_000);
      await reviews.judged('one', filter, 1_000);
      await reviews.trainingCounts('one', filter);
      await reviews.trainingPage('one', filter, 5);
      await reviews.trainingPage('one', filter, 5, [{ rating: 'bad', wasCorrected: true, shape: null }]);
    }
    await reviews.remove('one', made.id);
    const thread = { threadIds: ['a'], executionIds: ['b'], userId: null };
    for (const store of [reviews, executions]) {
      await store.erase('one', thread);
      await store.erase('one', { ...thread, userId: 'u' });
      await store.erase('one', null);
    }
    await executions.threadsOfOthers('one', ['a'], 'u');
  });
  assert.ok(texts.length > 35, `${texts.length}`);
  assertThrifty(path, texts, WASTEFUL);
});

test('rubrics and assessments: statements use indexes, and pages of answers no sort', async (t) => {
  const { path, texts } = await statements(t, async ({ database, reader }) => {
    const [rubrics, store] = [new SqlRubricStore(database), new SqlAssessmentStore(database, reader)];
    const [made, asked] = [assessment(), rubric()];
    await rubrics.add('one', asked);
    await rubrics.find('one', asked.name);
    await rubrics.find('one', asked.name, 1);
    await rubrics.some('one', await rubrics.heads('one'));
    await store.put('one', made);
    await store.find('one', 'run', made.id);
    await store.list('one', 'run', { limit: 9, after: null });
    await store.list('one', 'run', { limit: 9, after: made });
    await store.countsOf('one', ['run']);
    await store.ofExecutions('one', ['run']);
    await store.newestAnswered('one', asked.name);
    const people = { rubric: asked.name, version: 1 };
    await store.answersPage('one', { ...people, from: null, to: null }, null, 9);
    await store.answersPage('one', { ...people, from: 1, to: 2 }, made, 9);
    await store.remove('one', made.id);
    for (const userId of [null, 'u']) await store.erase('one', { threadIds: ['a'], executionIds: ['b'], userId });
    await store.erase('one', null);
  });
  assert.ok(texts.length >= 16, `${texts.length}`);
  assertThrifty(path, texts, WASTEFUL);
  const ofPeople = texts.filter((text) => text.includes("'user'"));
  for (const [text, plan] of plansOf(path, ofPeople)) {
    assert.ok(plan.length === 1 && /assessments_of_people/.test(plan[0]!), `${text}\n${plan.join('\n')}`);
  }
});

test('lists, threads and queues: no statement scans a table where an index serves', async (t) => {
  const { path, texts } = await statements(t, async ({ database, reader, executions }) => {
    const lists = new SqlExecutionStore(database, undefined, reader);
    t.after(() => lists.close());
    await executions.put('one', execution({ id: 'a', threadId: 't' }), null);
    const after: ExecutionPlace = [1, 1];
    for (const filter of LISTED) {
      for (const by of SORTED_BY) await lists.list('one', filter, { by, order: 'desc', after, limit: 9 });
      await lists.count('one', filter, { by: 'startedAt', most: 9 });
    }
    for (const filter of [{}, { agentId: 'a', userId: 'u', from: 1, to: 2 }]) {
      await lists.listThreads('one', filter, { after, limit: 9 });
      await lists.countThreads('one', filter, { most: 9 });
    }
    await lists.indexSome();
    await lists.endsSent(await lists.unsentEnds(9));
    await lists.stepsOf('one', 'a', { startedAt: 1, id: 'b' }, 9);
    await lists.stepOutlines('one', 'a', 9);
    await lists.expire('one', 1);

    const queues = new SqlQueueStore(database, reader);
    const made = { id: 'q', createdAt: 1, createdBy: 'a', updatedAt: 1 };
    const queue = { ...createQueueSchema.parse({ name: 'q' }), ...made };
    await queues.create('one', queue);
    await executions.put('one', execution({ id: 'b', threadId: 't', parentId: 'a' }), null);
    const changes = await queues.changes('one', 9);
    const numbers = changes.map(({ number }) => number);
    await queues.candidates('one', {}, after, 9);
    await queues.matching('one', { userId: 'u' }, numbers);
    await queues.numbersOf('one', ['t'], 0, 9);
    await queues.enter((await queues.find('one', 'q'))!, numbers, { isWalked: true }, { numbers, now: 1 });
    await queues.changesSeen('one', changes);
    const [by, lease] = [
      { id: 'ana', label: 'Ana' },
      { now: 1, until: 2 },
    ];
    const taken = (await queues.take('q', by, lease)) as HeldItem;
    assert.equal(await queues.take('q', { id: 'bob', label: 'Bob' }, { now: 2, until: 3 }), 'lease ended');
    await queues.settle('q', taken.executionId, by, 'done', 1);
    await queues.release('q', taken.executionId, by, lease);
    await queues.counts('q', 9);
    await queues.people('q', 9);
    await queues.change('one', queue, true);
    await queues.remove('one', 'q');
  });
  assert.ok(texts.length > 60, `${texts.length}`);
  assertThrifty(path, texts, WASTEFUL);
});

test('query plans: a wasteful plan is detected', async (t) => {
  const { path } = await statements(t, async () => undefined);
  const wasteful = [
    'SELECT * FROM reviews WHERE comment = ?',
    'SELECT * FROM executions WHERE id = ?',
    'SELECT rowid FROM review_index',
  ];
  for (const [text, plan] of plansOf(path, wasteful))
    assert.ok(
      plan.some((line) => WASTEFUL.test(line)),
      text,
    );
});

test("executions and reviews: a statement's text is the same for any number of values", async (t) => {
  const many = Array.from({ length: 50 }, (_, index) => `${index}`);
  const ask = async (values: string[]) => {
    const { texts } = await statements(t, async ({ executions, reviews }) => {
      const filter = { agentId: 'a', tags: values, search: values.map((value) => [value]), from: 1 };
      await reviews.list('one', filter, { limit: values.length, offset: values.length });
      await reviews.executionIds('one', filter, values.length);
      await reviews.trainingCounts('one', filter);
      await reviews.trainingPage('one', filter, values.length);
      for (const store of [reviews, executions])
        await store.erase('one', { threadIds: ['a'], executionIds: values, userId: null });
    });
    return texts;
  };
  assert.deepEqual(await ask(many), await ask(['1']));
});

test('connectors and credentials: every statement uses an index, in its order', async (t) => {
  const { path, texts } = await statements(t, async ({ database }) => {
    const [connectors, credentials] = [new SqlConnectorStore(database), new SqlCredentialStore(database)];
    await connectors.find('one', 'pets');
    await connectors.list('one');
    await connectors.names('one');
    await connectors.listedCredentials('one');
    await connectors.remove('one', 'pets');
    await credentials.find('one', 'main');
    await credentials.list('one');
    await credentials.put('one', storedCredential());
    await credentials.touch('one', 'main', 1);
    await credentials.remove('one', 'main');
    await new SqlUserStore(database).counts('ana');
  });
  assert.equal(texts.length, 12, texts.join('\n'));
  assertThrifty(path, texts, /^SCAN (?!CONSTANT|json_each)|TEMP B-TREE|AUTOMATIC/);
  const byName = texts.filter((text) => /"?name"? = \?/.test(text) && text.includes('from "connectors"'));
  for (const [, plan] of plansOf(path, byName)) {
    assert.match(plan[0]!, /USING INDEX connectors_name \(tenant_id=\? AND name=\?\)/);
  }
});

test('SqlKeyStore: the first keys of a tenant are read in the order of an index', async (t) => {
  const { path, texts } = await statements(t, async ({ database }) => {
    const store = new SqlKeyStore(database);
    for (const leavers of [false, true]) {
      const filters = { createdBy: null, search: 'x', state: 'active', leavers, now: 1 } as const;
      await store.page('one', { ...filters, limit: 1, offset: 0 });
    }
  });
  assertOrdered(path, texts, 2, /USING INDEX api_keys_newest \(tenant_id=\?\).*SEARCH maker USING/);
});

test('SqlUserStore, SqlSessionStore: many rows are read in the order of an index', async (t) => {
  const { path, texts } = await statements(t, async ({ database }) => {
    const [users, sessions] = [new SqlUserStore(database), new SqlSessionStore(database)];
    for (const search of ['', 'ana']) {
      await users.list('one', { search, role: 'USER', isActive: true, ...ALL });
      await sessions.pageOfAll('one', { search, now: 1 }, { ...ALL, countAtMost: 1_000 });
    }
  });
  assertOrdered(path, texts, 4, /USING INDEX (users|sessions)_newest \(tenant_id=\?/);
});

/** So many statements have an order, which an index gives. */
function assertOrdered(path: string, texts: readonly string[], count: number, index: RegExp): void {
  const ordered = texts.filter((text) => text.includes('order by'));
  assert.equal(ordered.length, count);
  assertThrifty(path, ordered, /TEMP B-TREE/);
  for (const [text, plan] of plansOf(path, ordered)) assert.match(plan.join(' '), index, text);
}

const ALL = { limit: 1, offset: 0 };

test('SqlExecutionStore: large executions are erased in small transactions', async (t) => {
  const { database, executions, close } = await openReviews(temporaryDirectory(t));
  t.after(close);
  await sql`PRAGMA synchronous = OFF`.execute(database);
  const messages = JSON.stringify([{ role: 'user', content: 'x'.repeat(1024 * 1024) }]);
  const thread = { threadIds: ['thread'], executionIds: [], userId: null };
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
  const executionIds = Array.from({ length: 50 }, (_, index) => `e${index}`);
  const thread = { threadIds: ['thread'], executionIds, userId: null };
  assert.equal(await reviews.erase('two', thread), 50);
  assert.equal(await executions.erase('one', thread), 50);
  assert.deepEqual(await written(...words), []);
  const { total } = await reviews.list('two', { search: searchTerms('comentários') }, ALL);
  assert.equal(total, 2_200, 'and what was not erased is found');
  await sql`INSERT INTO review_index (review_index) VALUES ('integrity-check')`.execute(database);
});
