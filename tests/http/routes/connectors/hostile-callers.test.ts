import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorEvents } from '../../../support/connector-events.ts';
import { applyConnector, CONNECTORS, call, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { eventually } from '../../../support/process.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

const GET = { resource: 'getPet', data: { petId: 1 } };

test('POST /connectors: a client that disconnects cancels the request to the API', async (t) => {
  const app = await newApp(t);
  const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const api = await startApi(t, (_, response) => {
    response.once('close', () => closed.resolve());
    arrived.resolve();
  });
  await applyConnector(app, petsAt(api.url));
  const controller = new AbortController();
  const left = fetch(`${app.url}${CONNECTORS}/pets`, {
    method: 'POST',
    headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
    body: JSON.stringify(GET),
    signal: controller.signal,
  });
  await arrived.promise;
  controller.abort();
  await assert.rejects(left, { name: 'AbortError' });
  await closed.promise;
  const [{ errorCode, error, attempts }] = await connectorEvents(app, 'failed', 1);
  assert.deepEqual([errorCode, error, attempts], ['unavailable', 'The call was given up before it ended.', 1]);
  assert.equal(api.asked.length, 1, 'nor is it asked again');
});

test('POST /connectors: calls beyond maxConcurrent wait, then get 503', async (t) => {
  const app = await newApp(t);
  let [inside, most] = [0, 0];
  const held: (() => void)[] = [];
  const api = await startApi(t, async (_, response) => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => held.push(resolve));
    inside -= 1;
    json(response, 200, {});
  });
  await applyConnector(app, petsAt(api.url, { maxConcurrent: 5 }));
  const calls = Array.from({ length: 200 }, (_, petId) => call(app, { resource: 'getPet', data: { petId } }));
  const outcomes: number[] = [];
  for (const one of calls) void one.then(({ status }) => outcomes.push(status));
  await eventually('all others are refused', async () => outcomes.length === 190, 20_000);
  const first = api.asked.map(({ url }) => url);
  while (outcomes.length < 200) {
    held.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const answers = await Promise.all(calls);
  assert.deepEqual([first.length, most, api.asked.length], [5, 5, 10]);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(refused.length, 190);
  for (const { headers, body } of refused) {
    assert.equal(headers.get('retry-after'), '1');
    assert.match(body.error, /^"pets": too many calls of it are under way, and this one was not made; try again/);
    assert.deepEqual([body.success, body.metadata.attempts, body.metadata.retrySafe], [false, 0, true]);
  }
});
