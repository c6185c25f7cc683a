import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeSuggestions, type SuggestionSource } from '../../../../src/core/analytics/first-hour/suggestions.ts';
import { EVENTS, type TestApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newTenant = tenantsOfThisFile({ rateLimit: 0 });
const HOUR = `${PORTAL}/first-hour`;
const SAMPLE = `${PORTAL}/sample-data`;
const CARDS = '/api/v1/runtime/observability/dashboard-cards';

async function workspace(t: TestContext) {
  const app = await newTenant(t);
  const { request } = await newPerson(app, { role: 'ADMIN' });
  const done = async () => {
    const { status, body } = await request('GET', HOUR);
    assert.equal(status, 200, JSON.stringify(body));
    return Object.entries(body.steps).flatMap(([step, at]) => (at === null ? [] : [step]));
  };
  return { app, request, done };
}

const order = (properties: object = { amount: 9.5, plan: 'pro' }) => ({ eventName: 'order_paid', properties });

/** Notes in the background have been written. */
const settled = ({ runtime }: TestApp) => runtime.milestones.settled();

test('First hour: each step ticks over its own channel, and stays so', async (t) => {
  const { app, request, done } = await workspace(t);
  assert.deepEqual(await done(), []);
  assert.equal((await request('GET', HOUR)).body.suggestions, null);

  await app.ingest([order(), order({ amount: 3, plan: 'free' })]);
  assert.deepEqual(await done(), ['event']);
  const { body: first } = await request('GET', HOUR);
  assert.deepEqual(first.event, { eventName: 'order_paid' });
  assert.equal(first.suggestions.questions[1].text, 'What is the sum of amount of “order paid”?');

  const client = await app.mcpClient();
  await client.callTool({ name: 'describe_workspace', arguments: {} });
  await settled(app);
  assert.deepEqual(await done(), ['event', 'client']);
  assert.deepEqual((await request('GET', HOUR)).body.call, { client: 'test', tool: 'describe_workspace' });

  const { question } = first.suggestions.questions[2];
  const answer = await request('POST', `${PORTAL}/aggregate`, question);
  assert.deepEqual([answer.status, answer.body.groups.length], [200, 2]);
  await settled(app);
  assert.deepEqual(await done(), ['event', 'client', 'question']);

  const made = await app.request('POST', CARDS, first.suggestions.cards[0]);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(await done(), ['event', 'client', 'question', 'card']);
  const { body: complete } = await request('GET', HOUR);
  assert.equal(complete.suggestions, null);

  await app.request('DELETE', `${CARDS}/${made.body.card.id}`);
  await app.runtime.eventStore.erase(app.tenantId, {});
  assert.deepEqual((await request('GET', HOUR)).body.steps, complete.steps);
});

test('First hour: a question of a client counts, and one that is refused does not', async (t) => {
  const { app, request, done } = await workspace(t);
  await app.ingest([order()]);
  await request('POST', `${PORTAL}/aggregate`, { eventName: 'order_paid', aggregation: 'sum' });
  await settled(app);
  assert.deepEqual(await done(), ['event']);
  const client = await app.mcpClient();
  await client.callTool({ name: 'query_events', arguments: { eventName: 'order_paid', mode: 'raw' } });
  await settled(app);
  assert.deepEqual(await done(), ['event', 'client', 'question']);
});

test('First hour: tenants are apart, and events of the runtime do not count', async (t) => {
  const [one, other] = [await workspace(t), await workspace(t)];
  await one.app.ingest([order()]);
  await (await other.app.mcpClient()).callTool({ name: 'describe_workspace', arguments: {} });
  await settled(other.app);
  await other.app.runtime.outbox.flush();
  await other.app.runtime.eventStore.settle();
  assert.deepEqual(await one.done(), ['event']);
  assert.deepEqual(await other.done(), ['client']);
});

test('First hour: a user puts it away for themselves', async (t) => {
  const { app, request } = await workspace(t);
  const viewer = await newPerson(app, { role: 'VIEWER' });
  assert.equal((await viewer.request('PUT', HOUR, { putAway: true })).body.putAway, true);
  assert.equal((await viewer.request('PUT', HOUR, { putAway: true })).body.putAway, true);
  assert.equal((await viewer.request('GET', HOUR)).body.putAway, true);
  assert.equal((await request('GET', HOUR)).body.putAway, false);
  assert.equal((await viewer.request('PUT', HOUR, { putAway: false })).body.putAway, false);
  assert.equal((await viewer.request('PUT', HOUR, { putAway: 1 })).status, 400);
  assert.equal((await app.request('GET', HOUR)).status, 403, 'a key is no person');
});

async function contents({ request }: TestApp) {
  const [cards, tabs, metrics, events] = await Promise.all([
    request('GET', CARDS),
    request('GET', '/api/v1/runtime/observability/dashboard-tabs'),
    request('GET', '/api/v1/runtime/observability/metrics'),
    request('GET', `${EVENTS}/feed?limit=50&agentId=*`),
  ]);
  return {
    cards: cards.body.cards,
    tabs: tabs.body.tabs,
    metrics: metrics.body.metrics,
    events: events.body.events.filter(({ eventName }: { eventName: string }) => !eventName.startsWith('runtime.')),
  };
}

test('Sample data: it is loaded once, and goes without anything else', async (t) => {
  const { app, request, done } = await workspace(t);
  await app.ingest([{ ...order(), threadId: 'sample-1' }]);
  const metric = { eventName: 'order_paid', aggregation: 'count' };
  await app.request('POST', CARDS, { agentId: 'sample', title: 'Mine', cardType: 'number', config: metric });
  const conversations = { name: 'conversations', title: 'Mine', goodDirection: 'up', formula: metric };
  await app.request('POST', '/api/v1/runtime/observability/metrics', conversations);
  const before = await contents(app);

  const answers = await Promise.all([request('POST', SAMPLE), request('POST', SAMPLE)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  const loaded = answers.find(({ status }) => status === 201)!.body;
  assert.deepEqual([loaded.state, loaded.agentId, loaded.cards], ['loaded', 'sample-2', 8]);
  assert.deepEqual((await request('GET', SAMPLE)).body, loaded);
  assert.equal((await request('GET', HOUR)).body.sampleData, 'loaded');
  const { body: tabs } = await app.request('GET', `${CARDS}?agentId=sample-2`);
  const ids = tabs.cards.map(({ id }: { id: string }) => id);
  const { body: rendered } = await app.request('POST', `${CARDS}/render`, { ids });
  for (const card of rendered.cards) assert.ok(card.data && card.basis.matchedEvents !== 0, JSON.stringify(card));
  // What somebody adds to it is theirs.
  await app.ingest([{ ...order(), agentId: 'sample-2', threadId: 'sample-my own' }]);

  assert.equal((await request('DELETE', SAMPLE)).status, 204);
  const after = await contents(app);
  assert.deepEqual([after.cards, after.tabs, after.metrics], [before.cards, before.tabs, before.metrics]);
  assert.deepEqual(after.events.slice(1), before.events);
  assert.equal((await request('DELETE', SAMPLE)).status, 404);
  assert.equal((await request('GET', SAMPLE)).body.state, 'absent');
  assert.deepEqual(await done(), ['event', 'card']);
});

test('Sample data: its own cards and its removal leave the steps to the user', async (t) => {
  const { app, request, done } = await workspace(t);
  assert.equal((await request('POST', SAMPLE)).status, 201);
  assert.deepEqual(await done(), ['event']);
  assert.equal((await request('DELETE', SAMPLE)).status, 204);
  assert.deepEqual(await done(), [], 'the step that only the sample data had done');
  const { body: log } = await request('GET', `${PORTAL}/audit-log?action=agent.created`);
  assert.deepEqual([log.entries[0].actor.kind, log.entries[0].target], ['user', 'sample']);
  const { body } = await request('GET', `${PORTAL}/agents`);
  assert.ok(!body.agents.some(({ name }: { name: string }) => name === 'sample'));
  assert.deepEqual((await contents(app)).events, []);
  // Its ids count as new.
  const { body: again } = await request('POST', SAMPLE);
  assert.equal(again.agentId, 'sample');
  assert.equal((await request('DELETE', SAMPLE)).status, 204);
});

test('Sample data: administrators alone load and remove it', async (t) => {
  const { app, request } = await workspace(t);
  for (const role of ['VIEWER', 'USER'] as const) {
    const person = await newPerson(app, { role });
    assert.equal((await person.request('POST', SAMPLE)).status, 403);
    assert.equal((await person.request('DELETE', SAMPLE)).status, 403);
    assert.equal((await person.request('GET', SAMPLE)).body.state, 'absent');
  }
  assert.equal((await app.request('POST', SAMPLE)).status, 403);
  assert.equal((await request('GET', SAMPLE)).body.state, 'absent');
});

test('Sample data: beyond the quota nothing of it stays', async (t) => {
  const { app, request, done } = await workspace(t);
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, { events: 3_000 });
  const { status, body } = await request('POST', SAMPLE);
  assert.equal(status, 429, JSON.stringify(body));
  assert.equal((await request('GET', SAMPLE)).body.state, 'absent');
  assert.deepEqual((await contents(app)).cards, []);
  assert.deepEqual(await done(), []);
});

test('Sample data: a load that was interrupted is removed, one under way is not', async (t) => {
  const { app, request } = await workspace(t);
  const details = {
    state: 'loading',
    prefix: 'sample-x-',
    agentId: 'support',
    events: 2,
    tabs: [],
    cards: [],
    metrics: [],
  };
  const { firstHourStore: store } = app.runtime;
  await app.ingest([
    { ...order(), threadId: 'sample-x-1' },
    { ...order(), threadId: 'mine' },
  ]);
  await store.note(app.tenantId, { name: 'sample', at: Date.now(), details });
  assert.equal((await request('POST', SAMPLE)).status, 409);
  assert.equal((await request('DELETE', SAMPLE)).status, 409);
  await store.forget(app.tenantId, 'sample');
  await store.note(app.tenantId, { name: 'sample', at: Date.now() - 600_000, details });
  assert.equal((await request('GET', HOUR)).body.sampleData, 'loading');
  assert.equal((await request('DELETE', SAMPLE)).status, 204);
  const { events } = await contents(app);
  assert.deepEqual(
    events.map(({ threadId }: { threadId: string }) => threadId),
    ['mine'],
  );
});

test('First hour: each suggestion is a question and a card that the server answers', async (t) => {
  const { ingest, request } = await newTenant(t);
  await ingest([{ eventName: 'it’s “odd” 😀', properties: { 'a.b c': 1, kind: 'x' } }, { eventName: 'other' }]);
  const source = (members: Partial<SuggestionSource>): SuggestionSource => ({
    ...{ eventName: 'other', agentId: 'support', firstSeen: Date.now(), lastSeen: Date.now() },
    ...{ number: null, group: null, other: null },
    ...members,
  });
  const sources = [
    source({ eventName: 'it’s “odd” 😀', number: 'a.b c', group: 'kind' }),
    source({ eventName: 'it’s “odd” 😀', number: null, group: null, other: 'other' }),
    source({ eventName: 'other', number: null, group: null, firstSeen: 0 }),
  ];
  for (const one of sources) {
    const { questions, cards } = makeSuggestions(one, Date.now());
    assert.deepEqual([questions.length, cards.length], [3, 3]);
    for (const card of cards) {
      const path = '/api/v1/runtime/observability/dashboard-cards/preview';
      const { status, body } = await request('POST', path, card);
      assert.equal(status, 200, JSON.stringify(body));
    }
  }
});
