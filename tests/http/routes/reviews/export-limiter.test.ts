import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type TestApp, testApp } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { EXPORT } from './support.ts';

/** Of a review of a megabyte. */
const OUTPUT = JSON.stringify('x'.repeat(1024 * 1024));

/** A server whose store has reviews without end, for every tenant. */
async function served(t: TestContext): Promise<TestApp> {
  const app = await testApp(t, { rateLimit: 0 });
  app.runtime.reviewStore.trainingPage = async (_tenantId, _filter, after) => [
    {
      ...{ number: after + 1, id: `review ${after}`, executionId: 'run', rating: 'good', correctedOutput: null },
      content: { messages: '[{"role":"user","content":"?"}]', output: OUTPUT },
    },
  ];
  return app;
}

/** An export whose client reads only the head. */
async function begun(t: TestContext, { url }: TestApp, key: string): Promise<IncomingMessage> {
  const request = get(`${url}${EXPORT}`, { headers: { 'x-api-key': key }, agent: false });
  t.after(() => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function assertRefused(t: TestContext, app: TestApp, key: string): Promise<void> {
  const response = await begun(t, app, key);
  assert.deepEqual([response.statusCode, response.headers['retry-after']], [503, '10']);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  assert.equal(JSON.parse(text).message, 'Too many exports are under way. Try again when one has ended.');
}

test('ExportLimiter: a fourth export of a tenant is unavailable', async (t) => {
  const app = await served(t);
  const { name: tenant } = await app.runtime.tenants.create({ name: 'other' });
  const other = await app.newKey({ tenant });
  const exports = [];
  for (let count = 0; count < 3; count++) exports.push(await begun(t, app, app.key));
  assert.deepEqual(
    exports.map(({ statusCode }) => statusCode),
    [200, 200, 200],
  );
  await assertRefused(t, app, app.key);
  await assertRefused(t, app, await app.newKey());
  assert.equal((await begun(t, app, other)).statusCode, 200);
  exports[1]!.destroy();
  const again = () => begun(t, app, app.key).then((answer) => answer.statusCode === 200);
  await eventually('there is room again', again, 5_000);
  await assertRefused(t, app, app.key);
});

test('ExportLimiter: twelve exports run in total', async (t) => {
  const app = await served(t);
  const keys = [];
  for (let count = 0; count < 5; count++) {
    const { name: tenant } = await app.runtime.tenants.create({ name: `tenant ${count}` });
    keys.push(await app.newKey({ tenant }));
  }
  const last = keys.pop()!;
  for (const key of [...keys, ...keys, ...keys]) assert.equal((await begun(t, app, key)).statusCode, 200);
  await assertRefused(t, app, last);
});

test('ExportLimiter: a HEAD request takes no slot', async (t) => {
  const app = await served(t);
  for (let count = 0; count < 6; count++) assert.equal((await app.request('HEAD', EXPORT)).status, 200);
  assert.equal((await begun(t, app, app.key)).statusCode, 200);
});
