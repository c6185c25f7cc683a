import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertApp, eventsAt } from '../../core/watch/alerts/support.ts';
import { EVENTS, testApp } from '../../support/app.ts';
import { answerOf } from '../../tools/support.ts';

/* While accepted events are not counted, answers say so, and alerts wait. */

const SINCE = Date.parse('2026-03-01T10:00:00Z');
const NOTE = /^Events that were accepted since 2026-03-01T10:00:00(\.000)?Z are stored, but not counted yet/;
const OBSERVABILITY = '/api/v1/runtime/observability';

type App = Awaited<ReturnType<typeof testApp>>;

/** Makes the store late, or not. */
function lateness({ runtime: { eventStore } }: App): (isLate: boolean) => void {
  const { query, stats } = eventStore;
  let late: number | null = null;
  eventStore.query = async (...args) => {
    const result = await query.apply(eventStore, args);
    return late === null ? result : { ...result, lateSince: late };
  };
  eventStore.stats = async () => ({ ...(await stats.apply(eventStore)), lateSince: late });
  return (isLate) => {
    late = isLate ? SINCE : null;
  };
}

test('late events: each answer of REST and MCP begins its notes with them', async (t) => {
  const app = await testApp(t);
  await app.ingest([{ eventName: 'order', properties: { plan: 'pro' } }]);
  const setLate = lateness(app);
  const card = {
    agentId: 'support',
    title: 'A',
    cardType: 'number',
    config: { eventName: 'order', aggregation: 'count' },
  };
  const { body: made } = await app.request('POST', `${OBSERVABILITY}/dashboard-cards`, card);
  const client = await app.mcpClient(app.key);
  const tool = async (name: string, args: Record<string, unknown>) => {
    const answer = answerOf(await client.callTool({ name, arguments: args }));
    assert.ok(!answer.isError, answer.text);
    return [answer.data.note ?? answer.data.notes ?? ''].flat();
  };
  const rest = async (method: string, path: string, body?: object) => {
    const answer = await app.request(method, path, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.notes ?? [];
  };
  const question = { eventName: 'order', aggregation: 'count' };
  const answers: Record<string, () => Promise<string[]>> = {
    aggregate_events: () => tool('aggregate_events', question),
    query_events: () => tool('query_events', { eventName: 'order', mode: 'raw' }),
    'query_events, nothing recorded': () => tool('query_events', { eventName: 'unknown', mode: 'aggregate' }),
    explain_change: () => tool('explain_change', { ...question, dateFrom: '-7d', dateTo: 'now' }),
    describe_workspace: () => tool('describe_workspace', {}),
    render_dashboard_card: () => tool('render_dashboard_card', { cardId: made.card.id }),
    'GET card': () => rest('GET', `${OBSERVABILITY}/dashboard-cards/${made.card.id}/render`),
    'POST query': () => rest('POST', `${EVENTS}/query`, { eventName: 'order', mode: 'aggregate' }),
    'GET feed': () => rest('GET', `${EVENTS}/feed`),
    'POST explain': () => rest('POST', `${OBSERVABILITY}/explain`, { ...question, dateFrom: '-7d', dateTo: 'now' }),
  };
  for (const isLate of [true, false]) {
    setLate(isLate);
    for (const [name, notes] of Object.entries(answers)) {
      assert.equal(NOTE.test((await notes())[0] ?? ''), isLate, `${name}: ${JSON.stringify(await notes())}`);
    }
  }
});

test('late events: alerts wait for them, and go on', async (t) => {
  const app = await alertApp(t, '2026-03-01T09:59:30Z');
  await app.ingest(eventsAt('2026-03-01T08:55:00Z', 3));
  const setLate = lateness(app);
  const alert = {
    title: 'Orders',
    question: { eventName: 'order', aggregation: 'count', dateGrouping: 'hour' },
    condition: { type: 'no_data' },
    every: '0 * * * *',
    targets: [{ type: 'webhook', url: 'https://example.com/hook' }],
  };
  const id = await app.create(alert);
  setLate(true);
  assert.ok(await app.create({ ...alert, title: 'Another' }), 'one may be defined meanwhile');
  await app.until('2026-03-01T10:10:00Z');
  const waiting = await app.stateOf(id);
  assert.deepEqual(
    [waiting.state, waiting.lastCheck, await app.messages(id)],
    ['ok', null, []],
    JSON.stringify(waiting),
  );
  setLate(false);
  await app.until('2026-03-01T10:14:00Z');
  assert.match((await app.messages(id)).join(), /^alert\.alerting: Orders/);
});
