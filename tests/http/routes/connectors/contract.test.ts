import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyConnector, CONNECTORS, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

test('POST /connectors: 400, 413 and 415 have the connector error body', async (t) => {
  const app = await newApp(t);
  const ask = (body: string, type: string) => app.request('POST', `${CONNECTORS}/pets`, body, { 'content-type': type });
  for (const [body, type, status] of [
    ['resource=getPet', 'application/x-www-form-urlencoded', 415],
    [`{"resource":"${'x'.repeat(3 * 1024 * 1024)}"}`, 'application/json', 413],
    ['[', 'application/json', 400],
  ] as const) {
    const answer = await ask(body, type);
    assert.deepEqual([answer.status, answer.body.success, typeof answer.body.error], [status, false, 'string']);
  }
});

test('POST /connectors: timeouts of 1 to 120000 ms, and fallbacks of each failure', async (t) => {
  const app = await newApp(t);
  let answer = (_response: Parameters<typeof json>[0]): unknown => undefined;
  const api = await startApi(t, (_, response) => answer(response));
  await applyConnector(app, petsAt(api.url, { retry: { attempts: 1 } }));
  const list = (options: object) => call(app, { resource: 'listPets', options });
  const late = await list({ timeout: 1 });
  assert.deepEqual([late.status, late.body.fallback, late.body.data], [504, true, []]);
  answer = (response) => response.destroy();
  const broken = await list({ timeout: 120_000 });
  assert.deepEqual([broken.status, broken.body.fallback, broken.body.data], [502, true, []]);
  const wrong = await list({ headers: { host: 'x' } });
  assert.deepEqual([wrong.status, wrong.body.fallback, wrong.body.data], [400, true, []]);
  answer = (response) => json(response, 200, [1]);
  const well = await list({ timeout: 120_000 });
  assert.deepEqual([well.status, well.body.fallback, well.body.data], [200, undefined, [1]]);
});

test('POST /connectors: ambiguous flat data is 400, structured data is not', async (t) => {
  const [app, api] = [await newApp(t), await startApi(t)];
  const id = { properties: { id: { type: 'integer' } } };
  const resources = {
    both: { method: 'POST', path: '/things', parameters: { query: id, body: { type: 'object', ...id } } },
  };
  await applyConnector(app, petsAt(api.url, { resources }));
  const flat = await call(app, { resource: 'both', data: { id: 1 } });
  const structured = await call(app, { resource: 'both', data: { query: { id: 1 }, body: { id: 2 } } });
  assert.equal(flat.status, 400, JSON.stringify(flat.body));
  assert.match(flat.body.error, /^data\.id: .*query.*body/);
  assert.deepEqual([structured.body.data?.url, structured.body.data?.body], ['/v1/things?id=1', '{"id":2}']);
});
