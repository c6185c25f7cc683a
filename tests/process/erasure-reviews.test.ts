import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError } from '../http/routes/dashboards/support.ts';
import { COMMENT, EXECUTIONS, EXPORT, existsFor, newDesk, REVIEWS, reviewsOf } from '../http/routes/reviews/support.ts';
import { EVENTS, testApp } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';

rareTest('erase --thread: reviews of executions that are not queryable yet are erased too', async (t) => {
  const app = await testApp(t);
  for (let round = 0; round < 5; round++) {
    const desk = await newDesk(app);
    await desk.record({ id: 'without thread', output: 'secret' });
    await desk.review({}, 'without thread');
    await desk.review({}, 'not recorded');
    await desk.right('POST', EVENTS, {
      events: ['without thread', 'not recorded'].map((executionId) => ({ eventName: 'a', threadId: 't', executionId })),
    });
    const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, threadId: 't' });
    assert.deepEqual(erased, { reviews: 2, executions: 1, events: 2 });
    assert.equal((await desk.list()).total, 0);
    assertError(await desk.request('GET', `${EXECUTIONS}/without thread`), 404, 'Not Found');
  }
});

test('erase --thread: erases its executions and reviews, and no others', async (t) => {
  const app = await testApp(t);
  const [desk, other] = [await newDesk(app), await newDesk(app)];
  for (const { record, review } of [desk, other]) {
    for (const [id, threadId] of [
      ['one', 't'],
      ['two', 'u'],
      ['three', null],
    ] as const) {
      await record({ id, threadId });
      await review({}, id);
    }
  }
  const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, threadId: 't' });
  assert.deepEqual(erased, { reviews: 1, executions: 1, events: 0 });
  assert.deepEqual((await desk.right('GET', existsFor('one'))).exists, false);
  for (const id of ['two', 'three']) assert.equal((await desk.right('GET', existsFor(id))).exists, true);
  assert.equal((await other.list()).total, 3);
  await desk.review({}, 'one');
});

test('erase --thread: repeated after a failure, it erases what was left', async (t) => {
  const app = await testApp(t);
  const desk = await newDesk(app);
  await desk.record({ id: 'run' });
  await desk.review({}, 'run');
  const sent = await desk.right('POST', EVENTS, { events: [{ eventName: 'a', threadId: 't', executionId: 'run' }] });
  assert.equal(sent.accepted, 1);
  const { executionStore } = app.runtime;
  const { erase } = executionStore;
  executionStore.erase = async () => {
    throw new Error('the disk is full');
  };
  const thread = { tenant: desk.tenant, threadId: 't' };
  await assert.rejects(app.runtime.erasure.erase(thread), /the disk is full/);
  executionStore.erase = erase;
  assert.deepEqual((await app.runtime.erasure.erase(thread)).erased, { reviews: 0, executions: 1, events: 1 });
});

rareTest('erase: concurrent writes of the tenant leave nothing behind and cause no failure', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const errors: unknown[] = [];
  app.runtime.log.error = (...told: unknown[]) => errors.push(told);
  for (let round = 0; round < 3; round++) {
    const desk = await newDesk(app);
    const known = await desk.review({}, 'known');
    for (let index = 0; index < 30; index++) await desk.review();
    let ended = false;
    const statuses = new Set<number>();
    const doing = Array.from({ length: 6 }, async (_, client) => {
      for (let index = 0; !ended; index++) {
        const id = `run ${client} ${index}`;
        const answers = await Promise.all([
          desk.request('POST', EXECUTIONS, { id, output: 'x' }),
          desk.request('POST', reviewsOf(id), { rating: 'bad', comment: COMMENT }),
          desk.request('POST', EXECUTIONS, { id: 'same', output: `${client} ${index}` }),
          desk.request('PATCH', `${REVIEWS}/${known.id}`, { actionTaken: id }),
          desk.request('GET', `${REVIEWS}?search=letras`),
          desk.request('GET', EXPORT),
        ]);
        for (const { status } of answers) statuses.add(status);
      }
    });
    await app.runtime.erasure.erase({ tenant: desk.tenant });
    ended = true;
    await Promise.all(doing);
    const left = [...statuses].filter((status) => ![200, 201, 401, 404, 409].includes(status));
    assert.deepEqual(left, []);
    const remaining = await app.runtime.reviewStore.list(desk.tenantId, {}, { limit: 9, offset: 0 });
    assert.deepEqual(remaining, { items: [], total: 0 });
    assert.equal(await app.runtime.executionStore.erase(desk.tenantId, null), 0);
    assert.deepEqual(await app.runtime.reviewStore.counts(desk.tenantId, 'support'), []);
  }
  assert.deepEqual(errors, []);
});
