import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRAINING_FORMATS } from '../../../../src/core/agents/reviews/training/schema.ts';
import { assessmentsOf, QUALITY, RUBRICS } from '../assessments/support.ts';
import { assertNames, UTC } from '../dashboards/support.ts';
import { type Desk, EXPORT, newDesk, REVIEWS, sharedApp } from './support.ts';

const COUNTS = `${EXPORT}/counts`;

/** An export as its reader takes it apart. */
async function exported(desk: Desk, query = '') {
  const { status, headers, body } = await desk.request('GET', `${EXPORT}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  const skipped = Number(headers.get('x-skipped'));
  const type = headers.get('content-type');
  if (typeof body !== 'string') {
    assert.match(type ?? '', /^application\/json; charset=utf-8$/);
    const { training_examples: examples, ...about } = body;
    return { examples, skipped, about };
  }
  assert.match(type ?? '', /^application\/x-ndjson/);
  assert.ok(body === '' || body.endsWith('\n'), 'every line ends');
  return {
    examples: body
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
    skipped,
    about: null,
  };
}

test('training export: no reviews are an empty document or no line', async () => {
  const desk = await newDesk();
  for (const format of TRAINING_FORMATS) {
    const { examples, skipped, about } = await exported(desk, `format=${format}`);
    assert.deepEqual([examples, skipped], [[], 0], format);
    if (format !== 'openai-conversational') continue;
    assert.deepEqual({ ...about, generated_at: '' }, { total: 0, format, generated_at: '' });
    assert.match(about.generated_at, UTC);
  }
});

test('training export: an example has the conversation, correction and source', async () => {
  const desk = await newDesk();
  const question = { role: 'user', content: 'Onde está meu pedido?' };
  const answer = { role: 'assistant', content: 'Não sei.' };
  const messages = [{ role: 'system', content: 'Ajude.' }, question];
  await desk.record({ id: 'with answer', messages: [...messages, answer] });
  await desk.record({ id: 'with output', messages, output: 'Não sei.' });
  const corrected = { role: 'assistant', content: 'Chega amanhã.' };
  const plain = await desk.review({ rating: 'good' }, 'with answer');
  const mended = await desk.review({}, 'with output');
  await desk.right('PATCH', `${REVIEWS}/${mended.id}`, { correctedOutput: corrected.content });
  const alone = await desk.review({}, 'not recorded');
  await desk.right('PATCH', `${REVIEWS}/${alone.id}`, { correctedOutput: corrected.content });
  const nothing = await desk.review({ rating: 'needs_improvement' }, 'not recorded either');
  const about = (review: { id: string; executionId: string; rating: string }, was_corrected: boolean) => ({
    ...{ review_id: review.id, execution_id: review.executionId, rating: review.rating, was_corrected },
  });
  const { examples, skipped, about: document } = await exported(desk);
  assert.deepEqual(examples, [
    { messages: [...messages, answer], metadata: about(plain, false) },
    { messages: [...messages, corrected], metadata: about(mended, true) },
    { messages: [corrected], metadata: about(alone, true) },
    { messages: [], metadata: about(nothing, false) },
  ]);
  assert.deepEqual([skipped, document.total, document.format], [0, 4, 'openai-conversational']);
  const dpo = await exported(desk, 'format=dpo-jsonl');
  assert.deepEqual([dpo.examples.length, dpo.skipped], [1, 3]);
  assert.deepEqual(dpo.examples[0].non_preferred_output, [answer]);
});

test('training export: an execution recorded after its review is included', async () => {
  const desk = await newDesk();
  await desk.review({ rating: 'good' }, 'run');
  const messagesOf = async () => (await exported(desk)).examples[0].messages;
  assert.deepEqual(await messagesOf(), []);
  assert.equal((await exported(desk, 'format=openai-jsonl')).skipped, 1);
  const question = { role: 'user', content: 'Oi?' };
  await desk.record({ id: 'run', messages: [question] });
  assert.deepEqual(await messagesOf(), [question]);
  assert.equal((await exported(desk, 'format=openai-jsonl')).skipped, 1);
  await desk.record({ id: 'run', output: { say: 'Olá!' } });
  assert.deepEqual(await messagesOf(), [question, { role: 'assistant', content: '{"say":"Olá!"}' }]);
  const { examples, skipped } = await exported(desk, 'format=openai-jsonl');
  assert.deepEqual([examples.length, skipped], [1, 0]);
});

test('training export: agentId and status filter, invalid values are 400', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  const [a, b] = [await desk.review({ agentId: 'a' }, 'run a'), await desk.review({ agentId: 'b' }, 'run b')];
  await desk.right('PATCH', `${REVIEWS}/${b.id}`, { status: 'resolved', correctedOutput: 'melhor' });
  await desk.record({ id: 'run b', messages: [{ role: 'user', content: 'Oi?' }] });
  await other.review({ agentId: 'a' }, 'run a');
  const ids = async (query: string) =>
    (await exported(desk, query)).examples.map((one: { metadata: { review_id: string } }) => one.metadata.review_id);
  assert.deepEqual(await ids(''), [a.id, b.id]);
  assert.deepEqual(await ids('agentId=a&status=&format='), [a.id]);
  assert.deepEqual(await ids('status=resolved'), [b.id]);
  assert.deepEqual(await ids('status=resolved&agentId=a'), []);
  assert.deepEqual(await ids('agentId=A'), []);
  const lines = await exported(desk, 'status=resolved&agentId=b&format=openai-jsonl');
  assert.deepEqual([lines.examples.length, lines.skipped], [1, 0]);
  assert.equal((await exported(desk, 'status=pending_review&format=openai-jsonl')).skipped, 1);
  for (const [query, name] of [
    ['format=openai-jsonl&format=dpo-jsonl', 'format'],
    ['agentId=a&agentId=b', 'agentId'],
    ['dateFrom=soon', 'dateFrom'],
    ['limit=5', 'limit'],
  ] as const) {
    assertNames(await desk.request('GET', `${EXPORT}?${query}`), name);
    assertNames(await desk.request('GET', `${COUNTS}?${query}`), name);
  }
});

test('training export: rating, priority, tag and dates filter lines and counts', async () => {
  const desk = await newDesk();
  const urgent = await desk.review({ rating: 'bad', priority: 'critical', tags: ['entrega', 'app'] });
  const good = await desk.review({ rating: 'good', priority: 'low', tags: ['entrega'] });
  const plain = await desk.review({ rating: 'needs_improvement', tags: ['app 2'] });
  for (const [query, ...expected] of [
    ['rating=good', good],
    ['priority=critical', urgent],
    ['tag=entrega', urgent, good],
    ['tag=app', urgent],
    ['tag=entrega&rating=good', good],
    ['dateFrom=today', urgent, good, plain],
    ['dateTo=yesterday'],
    ['dateFrom=today&rating=good', good],
    ['dateFrom=today&priority=medium', plain],
    ['tag=&rating=', urgent, good, plain],
  ] as const) {
    const { examples } = await exported(desk, query);
    assert.deepEqual(
      examples.map((one: { metadata: { review_id: string } }) => one.metadata.review_id),
      expected.map(({ id }) => id),
      query,
    );
    assert.equal((await desk.right('GET', `${COUNTS}?${query}`)).reviews, expected.length, query);
  }
});

test("training counts: the lines of each format's export, and reasons for the rest", async () => {
  const desk = await newDesk();
  const messages = [{ role: 'user', content: 'Onde está meu pedido?' }];
  for (const id of ['good', 'bad', 'so-so', 'corrected']) await desk.record({ id, messages, output: 'Não sei.' });
  await desk.review({ rating: 'good' }, 'good');
  await desk.review({ rating: 'bad' }, 'bad');
  await desk.review({ rating: 'needs_improvement' }, 'so-so');
  const corrected = await desk.review({ rating: 'bad' }, 'corrected');
  await desk.right('PATCH', `${REVIEWS}/${corrected.id}`, { correctedOutput: 'Chega amanhã.' });
  await desk.review({ rating: 'good' }, 'not recorded');
  const { reviews, formats } = await desk.right('GET', COUNTS);
  assert.equal(reviews, 5);
  const told = formats.map(({ format, lines, skipped, reasons }: Counted) => [
    ...[format, lines, skipped],
    ...reasons.map(({ reason, reviews: left }) => `${reason} ${left}`),
  ]);
  assert.deepEqual(told, [
    ['openai-conversational', 5, 0],
    ['openai-jsonl', 2, 3, 'not_good 2', 'not_recorded 1'],
    ['dpo-jsonl', 1, 4, 'not_corrected 3', 'not_recorded 1'],
    ['kto-jsonl', 4, 2, 'not_recorded 1', 'undecided 1'],
  ]);
  for (const { format, lines, skipped } of formats as Counted[]) {
    const written = await exported(desk, `format=${format}`);
    assert.deepEqual([written.examples.length, written.skipped], [lines, skipped], format);
  }
  const [{ words }] = formats[3].reasons;
  assert.equal(words, 'The execution was not recorded.');
});

interface Counted {
  format: string;
  lines: number;
  skipped: number;
  reasons: { reason: string; reviews: number; words: string }[];
}

test('training export: assessments stand in the metadata where they are asked for', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  for (const { right } of [desk, other]) await right('POST', RUBRICS, QUALITY);
  const messages = [{ role: 'user', content: 'Oi?' }];
  await desk.record({ id: 'run', messages, output: 'Olá!' });
  await desk.review({ rating: 'good' }, 'run');
  await desk.review({}, 'not recorded');
  const plain = await desk.request('GET', EXPORT);
  const key = await desk.newKey({ label: 'second' });
  const assess = (from: Desk, members: object, headers = {}) =>
    from.right('POST', assessmentsOf('run'), { rubric: QUALITY.name, ...members }, headers);
  const first = await assess(desk, { answers: { is_right: true, why: 'É "assim".' }, comment: 'Bom.' });
  const second = await assess(desk, { answers: { clarity: 5 } }, { 'x-api-key': key });
  await assess(other, { answers: { is_right: false } });
  const { examples } = await exported(desk, 'assessments=true');
  const { rubric, version } = first;
  assert.deepEqual(examples[0].metadata.assessments, [
    { rubric, version, assessor: first.assessor, answers: { is_right: true, why: 'É "assim".' }, comment: 'Bom.' },
    { rubric, version, assessor: second.assessor, answers: { clarity: 5 } },
  ]);
  assert.deepEqual(examples[1].metadata.assessments, []);
  const without = examples.map(({ metadata: { assessments: _, ...metadata }, ...example }: Example) => ({
    ...example,
    metadata,
  }));
  assert.deepEqual(without, plain.body.training_examples);
  for (const format of TRAINING_FORMATS) {
    const asked = async (query: string) => exported(desk, `format=${format}&${query}`);
    const [left, off] = [await asked(''), await asked('assessments=false')];
    assert.deepEqual(off.examples, left.examples, format);
    if (format === 'openai-conversational') assert.deepEqual(left.examples, plain.body.training_examples);
    else assert.deepEqual((await asked('assessments=true')).examples, left.examples, `${format} has no metadata`);
  }
  assertNames(await desk.request('GET', `${EXPORT}?assessments=perhaps`), 'assessments');
});

interface Example {
  metadata: { assessments: unknown };
}

test('training export: executions with many assessments are in their order, with all', async () => {
  const app = await sharedApp();
  const desk = await newDesk();
  const { assessmentStore } = app.runtime;
  const read: number[] = [];
  const { ofExecutions } = assessmentStore;
  assessmentStore.ofExecutions = async (tenantId, ids) => {
    const found = await ofExecutions.call(assessmentStore, tenantId, ids);
    read.push([...found.values()].reduce((sum, all) => sum + all.length, 0));
    return found;
  };
  const counts = [0, 90, 120, 200, 0, 1, 150, 60];
  for (const [index, count] of counts.entries()) {
    await desk.review({}, `run ${index}`);
    for (let number = 0; number < count; number++) {
      await assessmentStore.put(desk.tenantId, {
        ...{ id: app.runtime.effects.newId(), executionId: `run ${index}`, rubric: 'quality', version: 1 },
        assessor: { type: 'judge', id: `${number}`, label: 'judge' },
        ...{ answers: { number }, comment: null, createdAt: number, updatedAt: number },
      });
    }
  }
  try {
    const { examples } = await exported(desk, 'assessments=true');
    assert.deepEqual(
      examples.map((one: { metadata: { assessments: unknown[] } }) => one.metadata.assessments.length),
      counts,
    );
    assert.deepEqual(
      examples[1].metadata.assessments.map((one: { answers: { number: number } }) => one.answers.number),
      Array.from({ length: 90 }, (_, number) => number),
    );
    assert.ok(Math.max(...read) <= 200 && read.length > 1, `${read}`);
  } finally {
    assessmentStore.ofExecutions = ofExecutions;
  }
});
