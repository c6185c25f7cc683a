import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type {
  AnswersFilter,
  AssessmentStore,
  PersonsAnswers,
  RubricStore,
  StoredAssessment,
  StoredRubric,
} from '../../src/core/agents/assessments/store.ts';
import type { ErasedConversations, ExecutionStore } from '../../src/core/agents/executions/store.ts';
import { rowsOf } from '../support/pages.ts';
import { openStores, type StateBackend } from './backend.ts';
import { execution } from './execution-store.ts';

export type AssessmentBackend = StateBackend<{
  rubrics: RubricStore;
  assessments: AssessmentStore;
  executions: ExecutionStore;
}>;

const HOSTILE = 'q"\\\'; DROP TABLE assessments --\u2028😀\u202e%_*';

export function rubric(members: Partial<StoredRubric> = {}): StoredRubric {
  return {
    name: 'quality',
    version: 1,
    title: HOSTILE,
    questions: [
      { id: 'right', text: HOSTILE, type: 'boolean' },
      { id: 'tone', text: 'How?', type: 'choice', choices: [HOSTILE, 'cold'], guidance: HOSTILE },
    ],
    createdAt: 1,
    createdBy: HOSTILE,
    ...members,
  };
}

let counter = 0;

export function assessment(members: Partial<StoredAssessment> = {}): StoredAssessment {
  counter += 1;
  return {
    id: `assessment-${String(counter).padStart(6, '0')}`,
    executionId: 'run',
    rubric: 'quality',
    version: 1,
    assessor: { type: 'user', id: `user ${counter}`, label: 'ada@example.com' },
    answers: { right: true },
    comment: null,
    createdAt: counter * 1_000,
    updatedAt: counter * 1_000,
    ...members,
  };
}

const ALL = { limit: 1_000, after: null };
const EVERYBODY: AnswersFilter = { rubric: 'quality', version: 1, from: null, to: null };

async function opened(t: TestContext, backend: AssessmentBackend) {
  const stores = await openStores(backend, t);
  const { assessments: store } = stores;
  /** Puts a new one, which nobody has put before. */
  const create = async (members: Partial<StoredAssessment> = {}, tenantId = 'one') => {
    const made = assessment(members);
    assert.deepEqual(await store.put(tenantId, made), { created: true, assessment: made });
    return made;
  };
  const idsOf = async (executionId = 'run', tenantId = 'one') =>
    (await store.list(tenantId, executionId, ALL)).items.map(({ id }) => id);
  return { ...stores, store, create, idsOf };
}

/** Every backend runs it. */
export function testAssessmentStores(backend: AssessmentBackend): void {
  const { name } = backend;

  test(`RubricStore (${name}): each version stays as it was added`, async (t) => {
    const { rubrics } = await opened(t, backend);
    const [first, second] = [rubric(), rubric({ version: 2, title: 'Second', createdAt: 2 })];
    for (const one of [first, second]) assert.equal(await rubrics.add('one', one), 'added');
    assert.equal(await rubrics.add('one', rubric({ version: 2, title: 'Third' })), 'conflict');
    assert.deepEqual(await rubrics.find('one', 'quality'), second);
    assert.deepEqual(await rubrics.find('one', 'quality', 1), first);
    assert.equal(await rubrics.find('one', 'quality', 3), null);
    assert.equal(await rubrics.find('one', 'qualit'), null);
  });

  test(`RubricStore (${name}): of ten equal versions at once one is added`, async (t) => {
    const { rubrics } = await opened(t, backend);
    const added = await Promise.all(Array.from({ length: 10 }, () => rubrics.add('one', rubric())));
    assert.equal(added.filter((result) => result === 'added').length, 1);
  });

  test(`RubricStore (${name}): heads are the newest versions, by name, of a tenant`, async (t) => {
    const { rubrics } = await opened(t, backend);
    for (const version of [1, 2, 10]) await rubrics.add('one', rubric({ version }));
    await rubrics.add('one', rubric({ name: 'accuracy', questions: [{ id: 'a', text: 'ä', type: 'text' }] }));
    await rubrics.add('two', rubric({ name: 'theirs' }));
    const heads = await rubrics.heads('one');
    assert.deepEqual(
      heads.map((head) => `${head.name}@${head.version}`),
      ['accuracy@1', 'quality@10'],
    );
    const { title, questions } = (await rubrics.find('one', 'accuracy'))!;
    assert.equal(heads[0]!.bytes, Buffer.byteLength(JSON.stringify({ title, questions })));
    const some = await rubrics.some('one', [...heads, { name: 'theirs', version: 1 }, { name: 'quality', version: 3 }]);
    assert.deepEqual(
      some.map((one) => `${one.name}@${one.version}`),
      ['accuracy@1', 'quality@10'],
    );
    assert.deepEqual(await rubrics.some('one', []), []);
    assert.equal(await rubrics.find('one', 'theirs'), null);
  });

  test(`AssessmentStore (${name}): one keeps every member`, async (t) => {
    const { store, create } = await opened(t, backend);
    const full = await create({
      executionId: HOSTILE,
      assessor: { type: 'judge', id: HOSTILE, label: HOSTILE },
      answers: { right: false, tone: HOSTILE, stars: 5, why: '' },
      comment: HOSTILE,
      createdAt: 253_402_300_799_999,
    });
    assert.deepEqual(await store.find('one', HOSTILE, full.id), full);
    assert.deepEqual(await store.list('one', HOSTILE, ALL), { items: [full], total: 1 });
    assert.equal(await store.find('one', 'run', full.id), null);
  });

  test(`AssessmentStore (${name}): an assessor's second one takes the place of the first`, async (t) => {
    const { store, create, idsOf } = await opened(t, backend);
    const assessor = { type: 'user', id: 'ada', label: 'ada@example.com' } as const;
    const first = await create({ assessor });
    const changed = assessment({
      assessor: { ...assessor, label: 'lovelace@example.com' },
      version: 2,
      answers: { tone: 'cold' },
      comment: 'Different',
    });
    const { id, createdAt } = first;
    const expected = { ...changed, id, createdAt };
    assert.deepEqual(await store.put('one', changed), { created: false, assessment: expected });
    assert.deepEqual((await store.list('one', 'run', ALL)).items, [expected]);
    const others = [
      await create({ assessor: { ...assessor, type: 'key' } }),
      await create({ assessor: { ...assessor, id: 'bob' } }),
      await create({ assessor, rubric: 'tone' }),
      await create({ assessor, executionId: 'another run' }),
    ];
    await create({ assessor }, 'two');
    assert.deepEqual(await idsOf(), [id, ...others.slice(0, 3).map((one) => one.id)]);
  });

  test(`AssessmentStore (${name}): of twenty at once by one assessor one is kept`, async (t) => {
    const { store, idsOf } = await opened(t, backend);
    const assessor = { type: 'user', id: 'ada', label: 'ada' } as const;
    const made = Array.from({ length: 20 }, () => assessment({ assessor }));
    const put = await Promise.all(made.map((one) => store.put('one', one)));
    const created = put.filter((one) => one.created);
    assert.equal(created.length, 1);
    assert.deepEqual(await idsOf(), [created[0]!.assessment.id]);
    assert.deepEqual(new Set(put.map((one) => one.assessment.id)).size, 1);
  });

  test(`AssessmentStore (${name}): lists page by time and id, and count all`, async (t) => {
    const { store, create } = await opened(t, backend);
    const made = [];
    for (let index = 0; index < 7; index++) made.push(await create({ createdAt: Math.floor(index / 3) }));
    await create({ executionId: 'another run' });
    const seen = await rowsOf<StoredAssessment>(3, async (after) => {
      const { items, total } = await store.list('one', 'run', { limit: 3, after });
      assert.equal(total, 7);
      return items;
    });
    assert.deepEqual(seen, made);
  });

  test(`AssessmentStore (${name}): counts and lists have the executions that have some`, async (t) => {
    const { store, create } = await opened(t, backend);
    const made = [
      await create({ executionId: 'a', createdAt: 2 }),
      await create({ executionId: 'a', createdAt: 1 }),
      await create({ executionId: HOSTILE }),
    ];
    await create({ executionId: 'a' }, 'two');
    const ids = ['a', 'b', HOSTILE];
    assert.deepEqual(
      await store.countsOf('one', ids),
      new Map([
        ['a', 2],
        [HOSTILE, 1],
      ]),
    );
    assert.deepEqual(
      await store.ofExecutions('one', ids),
      new Map([
        ['a', [made[1], made[0]]],
        [HOSTILE, [made[2]]],
      ]),
    );
    assert.deepEqual([await store.countsOf('one', []), await store.ofExecutions('one', [])], [new Map(), new Map()]);
  });

  test(`AssessmentStore (${name}): pages of answers are of people and one version alone`, async (t) => {
    const { store, create } = await opened(t, backend);
    assert.equal(await store.newestAnswered('one', 'quality'), null);
    const made = [];
    for (const executionId of ['b', 'a', 'a', 'c']) made.push(await create({ executionId, answers: { right: false } }));
    await create({ executionId: 'a', assessor: { type: 'key', id: 'k', label: 'k' }, version: 9 });
    await create({ executionId: 'a', assessor: { type: 'judge', id: 'j', label: 'j' } });
    await create({ executionId: 'a', rubric: 'other' });
    await create({ executionId: 'a' }, 'two');
    assert.equal(await store.newestAnswered('one', 'quality'), 1);
    const later = await create({ executionId: 'a', version: 3 });
    assert.equal(await store.newestAnswered('one', 'quality'), 3);
    const read = (filter: Partial<AnswersFilter> = {}) =>
      rowsOf<PersonsAnswers>(2, (after) => store.answersPage('one', { ...EVERYBODY, ...filter }, after, 2));
    const [b, a1, a2, c] = made;
    const all = await read();
    assert.deepEqual(
      all.map(({ id }) => id),
      [a1!.id, a2!.id, b!.id, c!.id],
    );
    assert.deepEqual(all[0], {
      ...{ id: a1!.id, executionId: 'a', assessorId: a1!.assessor.id, answers: '{"right":false}' },
    });
    assert.deepEqual(
      (await read({ version: 3 })).map(({ id }) => id),
      [later.id],
    );
    const between = await read({ from: a1!.createdAt, to: c!.createdAt });
    assert.deepEqual(
      between.map(({ id }) => id),
      [a1!.id, a2!.id],
    );
  });

  test(`AssessmentStore (${name}): a removed one is gone, once; those of others stay`, async (t) => {
    const { store, create, idsOf } = await opened(t, backend);
    const [gone, kept] = [await create(), await create()];
    assert.equal(await store.remove('two', gone.id), false);
    const removed = await Promise.all(Array.from({ length: 4 }, () => store.remove('one', gone.id)));
    assert.equal(removed.filter(Boolean).length, 1);
    assert.deepEqual(await idsOf(), [kept.id]);
    assert.equal(await store.find('two', 'run', kept.id), null);
  });

  test(`AssessmentStore (${name}): erases those of a thread, or all of a tenant`, async (t) => {
    const { store, executions, create, idsOf } = await opened(t, backend);
    const record = async (id: string, threadId: string | null, tenantId = 'one') =>
      assert.equal(await executions.put(tenantId, execution({ id, threadId }), null), 'kept');
    await record('of thread', 'thread');
    await record('of another', 'another');
    await record('without thread', null);
    await record('of thread', 'another', 'two');
    for (let index = 0; index < 120; index++) await create({ executionId: 'of thread' });
    for (const executionId of ['of another', 'without thread', 'not recorded', 'not named'])
      await create({ executionId });
    await create({ executionId: 'of thread' }, 'two');
    const thread: ErasedConversations = {
      threadIds: ['thread'],
      userId: null,
      executionIds: ['of thread', 'of another', 'without thread', 'not recorded'],
    };
    assert.equal(await store.erase('one', thread), 122);
    const left = await store.countsOf('one', [...thread.executionIds, 'not named']);
    assert.deepEqual(
      left,
      new Map([
        ['of another', 1],
        ['not named', 1],
      ]),
    );
    assert.equal(await store.erase('one', null), 2);
    assert.equal(await store.erase('one', null), 0);
    assert.equal((await idsOf('of thread', 'two')).length, 1);
  });

  test(`AssessmentStore (${name}): erasing an end user takes none of another's executions`, async (t) => {
    const { store, executions, create } = await opened(t, backend);
    const record = (id: string, threadId: string, userId: string) =>
      executions.put('one', execution({ id, threadId, userId }), null);
    await record('of thread', 'private', 'u');
    await record('of shared', 'shared', 'u');
    await record('of another', 'private', 'another');
    const executionIds = ['of thread', 'of shared', 'of another', 'not recorded'];
    for (const executionId of [...executionIds, 'not named']) await create({ executionId });
    assert.equal(await store.erase('one', { threadIds: [], executionIds: [], userId: 'u' }), 0);
    const some = { threadIds: ['private'], executionIds: executionIds.slice(1), userId: 'u' };
    assert.equal(await store.erase('one', some), 3);
    const left = await store.countsOf('one', [...executionIds, 'not named']);
    assert.deepEqual([...left.keys()].sort(), ['not named', 'of another']);
  });
}
