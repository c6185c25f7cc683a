import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError } from '../dashboards/support.ts';
import { COMMENT, EXPORT, existsFor, newDesk, REVIEWS, reviewsOf, STATS } from './support.ts';

const CREATE = { rating: 'bad', comment: COMMENT };

test("reviews: another tenant's review is 404 like an unknown one", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const theirs = await other.review({ tags: ['secret'], comment: 'segredo deles' }, 'run');
  for (const id of [theirs.id, 'nothing', theirs.executionId, ' ', '%00', "' OR 1=1 --"]) {
    for (const [method, body] of [['GET'], ['PATCH', { comment: 'roubado agora' }], ['DELETE']] as const) {
      const answer = await own.request(method, `${REVIEWS}/${id === '%00' ? id : encodeURIComponent(id)}`, body);
      assertError(answer, 404, 'Not Found');
      assert.equal(answer.body.message.replace(/".*"/s, '""'), 'There is no review "".');
    }
  }
  assert.deepEqual(await other.right('GET', `${REVIEWS}/${theirs.id}`), theirs);
  assert.deepEqual(await own.list('search=segredo&agentId=support'), { reviews: [], total: 0, limit: 50, offset: 0 });
  assert.equal((await own.right('GET', `${STATS}?agentId=support`)).total, 0);
  assert.deepEqual((await own.right('GET', EXPORT)).training_examples, []);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
});

test("POST /executions/:id/reviews: another tenant's server-made id is 403", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const made = await other.record({ output: 'secret' });
  await other.record({ id: 'run' });
  await other.review({}, made.id);
  for (const answer of [
    await own.request('POST', reviewsOf(made.id), CREATE),
    await own.request('GET', existsFor(made.id)),
  ]) {
    assertError(answer, 403, 'Forbidden');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="agent-runtime"');
  }
  assert.equal((await own.list()).total, 0);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
  assert.equal((await own.review({}, 'run')).executionId, 'run');
  const mine = await own.record();
  assert.equal((await own.review({}, mine.id)).executionId, mine.id, 'an id of the server made for oneself');
});
