import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS, REVENUE, TERMS, workspace } from './support.ts';

const CHURN = { term: 'turnover', definition: 'What customers paid.', synonyms: ['Umsatz'], metric: 'revenue' };

test('terms: are made, found, changed and removed', async () => {
  const { request } = await workspace();
  await request('POST', METRICS, REVENUE);
  const created = await request('POST', TERMS, CHURN);
  assert.equal(created.status, 201);
  const { createdAt: _, updatedAt: __, ...term } = created.body.term;
  assert.deepEqual(term, CHURN);
  assert.equal((await request('POST', TERMS, CHURN)).status, 409);
  assert.equal((await request('GET', `${TERMS}?search=umsatz`)).body.total, 1);
  assert.equal((await request('GET', `${TERMS}?search=nothing`)).body.total, 0);
  const changed = await request('PATCH', `${TERMS}/turnover`, { metric: null, definition: 'Paid.' });
  assert.deepEqual([changed.body.term.metric, changed.body.term.definition], [undefined, 'Paid.']);
  assert.equal((await request('DELETE', `${TERMS}/turnover`)).status, 204);
  assert.equal((await request('GET', `${TERMS}/turnover`)).status, 404);
  assert.equal((await request('DELETE', `${TERMS}/turnover`)).status, 404);
});

test('terms: a metric that is not there is 400; other tenants see none', async () => {
  const [one, other] = [await workspace(), await workspace()];
  const { status, body } = await one.request('POST', TERMS, CHURN);
  assert.equal(status, 400);
  assert.match(body.message[0], /^metric: there is no metric "revenue"/);
  await one.request('POST', METRICS, REVENUE);
  await one.request('POST', TERMS, CHURN);
  assert.equal((await other.request('GET', `${TERMS}/turnover`)).status, 404);
  assert.equal((await other.request('GET', TERMS)).body.total, 0);
});
