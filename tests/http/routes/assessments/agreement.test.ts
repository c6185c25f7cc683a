import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestResponse } from '../../../support/app.ts';
import { workspace } from '../metrics/support.ts';
import { QUALITY, type Room, RUBRICS, room } from './support.ts';

const AGREEMENT = `${RUBRICS}/${QUALITY.name}/agreement`;
const NOTHING = { raw: null, kappa: null, low: null, high: null, method: null };

async function agreementOf({ request }: Pick<Room, 'request'>, query = ''): Promise<TestResponse['body']> {
  const { status, body } = await request('GET', `${AGREEMENT}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Two people answer by the table of Wikipedia's example of Cohen's kappa, ten executions for each five of it. */
async function assessed(one: Room) {
  const [ada, bob] = [await one.newPerson(), await one.newPerson()];
  const rows = [
    ...new Array<[boolean, boolean]>(4).fill([true, true]),
    ...new Array<[boolean, boolean]>(1).fill([true, false]),
    ...new Array<[boolean, boolean]>(2).fill([false, true]),
    ...new Array<[boolean, boolean]>(3).fill([false, false]),
  ];
  for (const [index, [first, second]] of rows.entries()) {
    const executionId = `run ${index}`;
    await one.assess(ada.request, { is_right: first, clarity: first ? 5 : 1, why: 'So.' }, { executionId });
    await one.assess(bob.request, { is_right: second, clarity: second ? 5 : 1 }, { executionId });
  }
  return { ada, bob };
}

test('Agreement: two people have that of Cohen, each question with its weights', async () => {
  const one = await room();
  await assessed(one);
  const { rubric, version, questions } = await agreementOf(one);
  assert.deepEqual([rubric, version], [QUALITY.name, 1]);
  assert.deepEqual(
    questions.map(({ id }: { id: string }) => id),
    ['is_right', 'tone', 'clarity'],
    'texts are left out',
  );
  const [right, tone, clarity] = questions;
  assert.deepEqual([right.items, right.assessors, right.raw], [10, 2, 0.7]);
  assert.equal(right.kappa, 0.4);
  assert.equal(right.method, 'cohen, bayesian-bootstrap');
  assert.ok(right.low < right.kappa && right.high > right.kappa);
  assert.deepEqual(tone, { id: 'tone', items: 0, assessors: 0, ...NOTHING });
  assert.deepEqual([clarity.kappa, clarity.method], [0.4, 'cohen-quadratic, bayesian-bootstrap']);
  assert.deepEqual((await agreementOf(one)).questions, questions, 'the same every time');
});

test('Agreement: a third person makes it that of Fleiss; keys do not count', async () => {
  const one = await room();
  await assessed(one);
  for (let index = 0; index < 10; index++) {
    await one.assess(one.request, { is_right: false, tone: 'cold' }, { executionId: `run ${index}` });
  }
  const before = (await agreementOf(one)).questions;
  assert.deepEqual([before[0].assessors, before[0].method, before[1].items], [2, 'cohen, bayesian-bootstrap', 0]);
  const eve = await one.newPerson();
  await one.assess(eve.request, { is_right: true }, { executionId: 'run 0' });
  await one.assess(eve.request, { is_right: true }, { executionId: 'assessed once' });
  const [right, , clarity] = (await agreementOf(one)).questions;
  assert.deepEqual([right.items, right.assessors, right.method], [10, 3, 'fleiss, bayesian-bootstrap']);
  assert.equal(clarity.method, 'cohen-quadratic, bayesian-bootstrap', 'she did not answer it');
});

test('Agreement: versions are apart; by default the newest that people answered', async () => {
  const one = await room();
  const { ada, bob } = await assessed(one);
  await one.request('PATCH', `${RUBRICS}/${QUALITY.name}`, { questions: QUALITY.questions.slice(0, 1) });
  assert.equal((await agreementOf(one)).version, 1);
  const asked = await agreementOf(one, 'version=2');
  assert.deepEqual(asked.questions, [{ id: 'is_right', items: 0, assessors: 0, ...NOTHING }]);
  for (const { request } of [ada, bob]) await one.assess(request, { is_right: true }, { executionId: 'another' });
  const newest = await agreementOf(one);
  assert.equal(newest.version, 2);
  assert.deepEqual(newest.questions, [{ id: 'is_right', items: 1, assessors: 2, ...NOTHING, raw: 1 }]);
  assert.equal((await one.request('GET', `${AGREEMENT}?version=3`)).status, 404);
});

test('Agreement: without variance kappa is null, and dates leave out the others', async () => {
  const one = await room();
  const [ada, bob] = [await one.newPerson(), await one.newPerson()];
  for (const executionId of ['a', 'b', 'c']) {
    for (const { request } of [ada, bob]) await one.assess(request, { is_right: true, clarity: 3 }, { executionId });
  }
  const [right] = (await agreementOf(one)).questions;
  assert.deepEqual(right, { id: 'is_right', items: 3, assessors: 2, ...NOTHING, raw: 1 });
  assert.equal((await agreementOf(one, 'dateFrom=today&dateTo=today')).questions[0].items, 3);
  assert.equal((await agreementOf(one, 'dateTo=2020-01-01')).questions[0].items, 0);
  const wrong = await one.request('GET', `${AGREEMENT}?dateFrom=soon`);
  assert.deepEqual([wrong.status, wrong.body.message[0].startsWith('dateFrom: "soon"')], [400, true]);
});

test('Agreement: a rubric that nobody answered has none, of its newest version', async () => {
  const { request } = await workspace();
  await request('POST', RUBRICS, QUALITY);
  const { body } = await request('GET', AGREEMENT);
  assert.equal(body.version, 1);
  assert.ok(body.questions.every(({ items, kappa }: Record<string, unknown>) => items === 0 && kappa === null));
});
