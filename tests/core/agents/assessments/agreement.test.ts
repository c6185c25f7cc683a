import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreementOn } from '../../../../src/core/agents/assessments/agreement.ts';
import { nominal, quadratic } from '../../../../src/core/agents/assessments/kappa.ts';
import type { RubricQuestion } from '../../../../src/core/agents/assessments/rubric-schema.ts';
import type { Answers } from '../../../../src/core/agents/assessments/schema.ts';
import type { AssessmentStore, PersonsAnswers } from '../../../../src/core/agents/assessments/store.ts';
import { type Item, referenceKappa } from './reference.ts';

const FILTER = { rubric: 'quality', version: 1, from: null, to: null };
const QUESTIONS: RubricQuestion[] = [
  { id: 'right', text: '?', type: 'boolean' },
  { id: 'why', text: '?', type: 'text' },
  { id: 'tone', text: '?', type: 'choice', choices: ['warm', 'neutral', 'cold'] },
  { id: 'clarity', text: '?', type: 'scale' },
];

/** A store of these answers, in their order, which notes how many were read at once. */
function storeOf(answers: readonly PersonsAnswers[]) {
  const pages: number[] = [];
  const answersPage: AssessmentStore['answersPage'] = async (_tenantId, _filter, after, limit) => {
    const start = after === null ? 0 : answers.findIndex(({ id }) => id === after.id) + 1;
    const page = answers.slice(start, start + limit);
    pages.push(page.length);
    return page;
  };
  return { store: { answersPage } as AssessmentStore, pages };
}

function given(executionId: string, assessorId: string, answers: Answers): PersonsAnswers {
  return { id: `${executionId} ${assessorId}`, executionId, assessorId, answers: JSON.stringify(answers) };
}

function ask(
  store: AssessmentStore,
  questions: readonly RubricQuestion[] = QUESTIONS,
  signal = new AbortController().signal,
) {
  return agreementOn(questions, { store, tenantId: 'one', filter: FILTER, signal });
}

/** Three people, who answer most questions of most executions, in no order that means anything. */
function manyAnswers(executions: number): PersonsAnswers[] {
  return Array.from({ length: executions }, (_, execution) =>
    ['ada', 'bob', 'eve'].flatMap((who, person) => {
      const mixed = (execution * 7 + person * 3 + ((execution * person) % 5)) % 11;
      if (mixed === 10) return [];
      return given(`run ${String(execution).padStart(6, '0')}`, who, {
        right: mixed % 3 > 0,
        why: 'Because.',
        ...(mixed % 4 > 0 ? { tone: ['warm', 'neutral', 'cold'][mixed % 3]! } : {}),
        clarity: 1 + (mixed % 5),
      });
    }),
  ).flat();
}

test('agreement: each type of question has the kappa of a second implementation', async () => {
  const answers = manyAnswers(40);
  const agreements = await ask(storeOf(answers).store);
  const byExecution = [...Map.groupBy(answers, ({ executionId }) => executionId).values()];
  const categories: Record<string, (value: Answers[string]) => number> = {
    right: Number,
    tone: (value) => ['cold', 'warm', 'neutral'].indexOf(value as string),
    clarity: Number,
  };
  const weights = { right: nominal, tone: nominal, clarity: quadratic(5) };
  assert.deepEqual(
    agreements.map(({ id }) => id),
    ['right', 'tone', 'clarity'],
  );
  for (const { id, kappa, items, method } of agreements as (typeof agreements)[number][]) {
    const question = id as keyof typeof weights;
    const itemsOfQuestion = byExecution
      .map((all): Item => {
        const chosen = all.map((one) => [one.assessorId, (JSON.parse(one.answers) as Answers)[id]] as const);
        return new Map(
          chosen.flatMap(([who, value]) => (value === undefined ? [] : [[who, categories[question]!(value)]])),
        );
      })
      .filter(({ size }) => size >= 2);
    assert.equal(items, itemsOfQuestion.length, id);
    assert.ok(Math.abs(kappa! - referenceKappa(itemsOfQuestion, weights[question])) < 1e-9, id);
    assert.match(method!, id === 'clarity' ? /^fleiss-quadratic,/ : /^fleiss,/);
  }
});

test('agreement: the interval includes a kappa at the end of its range', async () => {
  const opposite = [true, false].flatMap((right) => [
    given(`run ${right}`, 'ada', { right }),
    given(`run ${right}`, 'bob', { right: !right }),
  ]);
  const [{ kappa, low } = {}] = await ask(storeOf(opposite).store);
  assert.deepEqual([kappa, low], [-1, -1]);
});

test('agreement: answers are read in pages, and other work goes on between them', async () => {
  const answers = manyAnswers(1_000);
  const { store, pages } = storeOf(answers);
  let [turns, ended] = [0, false];
  const turn = () => {
    turns += 1;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  const questions = Array.from({ length: 40 }, (_, index) => ({
    ...QUESTIONS[3]!,
    id: index ? `q${index}` : 'clarity',
  }));
  await ask(store, questions);
  ended = true;
  assert.ok(pages.every((size) => size <= 250) && pages.length > answers.length / 250, `${pages}`);
  assert.ok(turns > 2, `${turns} turns`);
});

test('agreement: a page that ends within an execution divides no item', async () => {
  const answers = Array.from({ length: 260 }, (_, index) =>
    ['ada', 'bob', 'eve'].map((who) => given(`run ${String(index).padStart(3, '0')}`, who, { right: index % 2 > 0 })),
  ).flat();
  const [right] = await ask(storeOf(answers).store);
  assert.deepEqual([right?.items, right?.assessors, right?.raw, right?.kappa], [260, 3, 1, 1]);
});

test('agreement: an answer that the version does not take is no category', async () => {
  const answers = [
    ...[given('a', 'ada', { tone: 'warm' }), given('a', 'bob', { tone: 'hot' }), given('a', 'eve', { tone: 'warm' })],
    ...[given('b', 'ada', { tone: 'cold' }), given('b', 'bob', { tone: 'cold' }), given('c', 'ada', { tone: 'cold' })],
  ];
  const [tone] = await ask(storeOf(answers).store, [QUESTIONS[2]!]);
  assert.deepEqual([tone?.items, tone?.assessors, tone?.raw], [2, 3, 1]);
});

test('agreement: too many assessments are refused, and a client that leaves ends it', async () => {
  const answers = ['ada', 'bob'].map((who) => given('run', who, { right: true }));
  let read = 0;
  const endless = {
    answersPage: async (_tenantId: string, _filter: unknown, _after: unknown, limit: number) => {
      read += limit;
      return Array.from({ length: limit }, (_, index) => answers[index % 2]!);
    },
  } as unknown as AssessmentStore;
  await assert.rejects(ask(endless), {
    code: 'unprocessable',
    message: 'More than 100,000 assessments match; ask for fewer by dateFrom and dateTo.',
  });
  assert.ok(read <= 101_000, `${read}`);
  const left = AbortSignal.abort(new Error('the client left'));
  await assert.rejects(ask(storeOf(answers).store, QUESTIONS, left), /the client left/);
});
