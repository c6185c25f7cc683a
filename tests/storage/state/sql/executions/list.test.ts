import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SORTED_BY } from '../../../../../src/core/agents/executions/list-schema.ts';
import type {
  ExecutionFilter,
  ListedExecution,
  StoredExecution,
  StoredStep,
} from '../../../../../src/core/agents/executions/store.ts';
import { searchTerms } from '../../../../../src/core/agents/reviews/portuguese.ts';
import { RATINGS } from '../../../../../src/core/base/shared/review-fields.ts';
import { SqlAssessmentStore } from '../../../../../src/storage/state/sql/assessments/store.ts';
import { countExecutions, listExecutions } from '../../../../../src/storage/state/sql/executions/list.ts';
import { SqlExecutionStore } from '../../../../../src/storage/state/sql/executions/store.ts';
import { SqlReviewStore } from '../../../../../src/storage/state/sql/reviews/store.ts';
import { assessment } from '../../../../contracts/assessment-store.ts';
import { storedStep } from '../../../../contracts/execution-steps.ts';
import { execution } from '../../../../contracts/execution-store.ts';
import { review } from '../../../../contracts/reviews.ts';
import { rowsOf } from '../../../../support/pages.ts';
import { storeBackends } from '../../../../support/state.ts';

const SUBJECTS = ['entrega', 'pedido', 'pagamento'];

interface Known {
  execution: StoredExecution;
  kind: StoredStep['kind'] | null;
  rating: (typeof RATINGS)[number] | null;
  isAssessed: boolean;
  subject: string;
}

const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: null });

const known: fc.Arbitrary<Known> = fc
  .record({
    agentId: fc.constantFrom('support', 'sales'),
    threadId: some('t1', 't2'),
    userId: some('ada', 'bob'),
    name: some('answer', '"quoted"'),
    tags: fc.uniqueArray(fc.constantFrom('vip', 'vi', 'a"b', '\\', 'é'), { maxLength: 3 }),
    provider: some('openai'),
    model: some('gpt-5', 'claude'),
    usage: fc.constant({ own: 1 }),
    status: fc.constantFrom('completed' as const, 'failed' as const, 'running' as const),
    cost: some(0, 0.5, 2),
    latencyMs: some(0, 10, 2_000),
    totalTokens: some(0, 7),
    startedAt: some(5, 100, 100.5 * 2),
  })
  .chain((members) =>
    fc.record({
      execution: fc.constant(members as Partial<StoredExecution>).map((given) => execution(given)),
      kind: some('tool' as const, 'model' as const),
      rating: some(...RATINGS),
      isAssessed: fc.boolean(),
      subject: fc.constantFrom(...SUBJECTS),
    }),
  );

/** Most conditions are left out, so that something is found. */
const optional = <Value>(...values: Value[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const filter: fc.Arbitrary<ExecutionFilter & { subject?: string | undefined }> = fc.record({
  agentId: optional('support'),
  threadId: optional('t1'),
  userId: optional('ada', 'nobody'),
  name: optional('answer', '"quoted"'),
  tag: optional('vip', 'a"b', '\\', 'é', 'i'),
  kind: optional<StoredStep['kind']>('tool'),
  model: optional('gpt-5'),
  status: optional<StoredExecution['status']>('failed', 'running'),
  hasReview: optional(true, false),
  hasAssessment: optional(true, false),
  rating: optional(...RATINGS),
  minCost: optional(0.5),
  maxLatencyMs: optional(10),
  from: optional(100),
  to: optional(150),
  subject: optional(...SUBJECTS),
});

const VALUES = {
  startedAt: (one: StoredExecution) => one.startedAt ?? one.createdAt,
  cost: (one: StoredExecution) => one.cost,
  latencyMs: (one: StoredExecution) => one.latencyMs,
  totalTokens: (one: StoredExecution) => one.totalTokens,
};

function matches(
  { execution: one, kind, rating, isAssessed, subject }: Known,
  asked: ExecutionFilter & { subject?: string | undefined },
) {
  const at = VALUES.startedAt(one);
  const names = ['agentId', 'threadId', 'userId', 'name', 'model', 'status'] as const;
  return (
    names.every((name) => asked[name] === undefined || asked[name] === one[name]) &&
    (asked.tag === undefined || one.tags.includes(asked.tag)) &&
    (asked.kind === undefined || asked.kind === kind) &&
    (asked.hasReview === undefined || asked.hasReview === (rating !== null)) &&
    (asked.hasAssessment === undefined || asked.hasAssessment === isAssessed) &&
    (asked.rating === undefined || asked.rating === rating) &&
    (asked.minCost === undefined || (one.cost !== null && one.cost >= asked.minCost)) &&
    (asked.maxLatencyMs === undefined || (one.latencyMs !== null && one.latencyMs <= asked.maxLatencyMs)) &&
    (asked.from === undefined || asked.from === null || at >= asked.from) &&
    (asked.to === undefined || asked.to === null || at < asked.to) &&
    (asked.subject === undefined || asked.subject === subject)
  );
}

for (const backend of storeBackends((database) => database)) {
  test(`listExecutions (${backend.name}): pages and counts are those of a plain list`, async (t) => {
    const database = await backend.open(t);
    const store = new SqlExecutionStore(database);
    const reviews = new SqlReviewStore(database, database);
    const assessments = new SqlAssessmentStore(database, database);
    const all = fc.sample(known, { seed: 20_261_130, numRuns: 60 });
    for (const { execution: one, kind, rating, isAssessed, subject } of all) {
      one.messages = JSON.stringify([{ role: 'user', content: `Sobre o ${subject}\n\nObrigado` }]);
      await store.put('one', one, null, kind === null ? [] : [storedStep({ kind, usage: null })]);
      if (isAssessed) await assessments.put('one', assessment({ executionId: one.id }));
      if (rating) await reviews.create('one', review({ executionId: one.id, rating }));
    }
    await store.put('two', execution({ userId: 'ada', tags: ['vip'] }), null);
    while ((await store.indexSome()) > 0);
    const questions = fc.sample(
      fc.tuple(filter, fc.constantFrom(...SORTED_BY), fc.constantFrom('asc' as const, 'desc' as const)),
      { seed: 7, numRuns: 80 },
    );
    let found = 0;
    for (const [index, [{ subject, ...asked }, by, order]] of questions.entries()) {
      const search = subject === undefined ? undefined : searchTerms(subject);
      const question = {
        tenantId: 'one',
        reader: database,
        filter: { ...asked, search },
        few: index % 2 === 0 ? 0 : 2_000,
      };
      const value = VALUES[by];
      const expected = all.filter((one) => matches(one, { ...asked, subject }) && value(one.execution) !== null);
      const rows = await rowsOf<ListedExecution>(7, (last) =>
        listExecutions(question, { by, order, after: last?.place ?? null, limit: 7 }),
      );
      const values = rows.map(({ execution: { id } }) => value(all.find((one) => one.execution.id === id)!.execution)!);
      const sorted = values.toSorted((one, other) => (order === 'asc' ? one - other : other - one));
      assert.deepEqual(
        rows.map(({ execution: { id } }) => id).toSorted(),
        expected.map(({ execution: { id } }) => id).toSorted(),
        JSON.stringify({ asked, subject, by }),
      );
      assert.deepEqual(values, sorted);
      assert.equal(await countExecutions(question, { by, most: 1_000 }), expected.length);
      found += rows.length;
    }
    assert.ok(found > 150, 'the questions find something');
  });
}
