import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appOfThisFile } from '../../../support/shared.ts';
import { rpc } from '../../../tools/mcp-requests.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const CHANGES = `${OBSERVABILITY}/dashboard-changes`;
const CARDS = `${OBSERVABILITY}/dashboard-cards`;
const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';
const CARD = { title: 'Sales', cardType: 'number', config: { eventName: 'sale', aggregation: 'count' } };

const sharedApp = appOfThisFile();

let agents = 0;

/** An agent with a key of its own, which calls tools and sends requests. */
async function newAgent() {
  const app = await sharedApp();
  const agentId = `agent ${++agents}`;
  const key = await app.newKey({ agentId });
  return {
    agentId,
    request: (method: string, path: string, body?: unknown) => app.request(method, path, body, { 'x-api-key': key }),
    call: async (name: string, args: object) => {
      const { result } = await rpc(app, 'tools/call', { name, arguments: args }, key);
      assert.equal(result.isError, undefined, JSON.stringify(result.content));
      return result.structuredContent;
    },
  };
}

test('Dashboard changes: name who, with what and why, newest first', async () => {
  const { agentId, request, call } = await newAgent();
  assert.deepEqual((await request('GET', CHANGES)).body, { changes: [], total: 0, limit: 50, offset: 0 });
  const { card } = await call('save_card', { ...CARD, intent: 'Asked for.' });
  await call('save_card', { cardId: 'Sales', title: 'All sales' });
  const { body } = await request('GET', CHANGES);
  const [changed, created] = body.changes;
  assert.deepEqual([body.total, changed.title, changed.action, changed.intent], [2, 'All sales', 'changed', null]);
  const { id, at, by, ...rest } = created;
  assert.match(`${id} ${at}`, /^[0-9a-f-]{36} \d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual({ ...by, id: '' }, { kind: 'key', id: '', label: 'test', client: null, userId: null });
  assert.deepEqual(rest, {
    ...{ kind: 'card', itemId: card.id, agentId, title: 'Sales', action: 'created', tool: 'save_card' },
    ...{ intent: 'Asked for.', state: 'superseded', undoneAt: null, undoneBy: null },
  });
  const page = (await request('GET', `${CHANGES}?limit=1&offset=1`)).body;
  assert.deepEqual([page.changes, page.total], [[created], 2]);
  assert.deepEqual((await request('GET', `${CHANGES}?state=current`)).body.changes, [changed]);
  const { request: other } = await newAgent();
  assert.equal((await other('GET', CHANGES)).body.total, 0);
  assert.equal((await other('GET', `${CHANGES}?agentId=${encodeURIComponent(agentId)}`)).body.total, 2);
});

test('Dashboard changes: what REST changes is not one of them', async () => {
  const { request } = await newAgent();
  const { id } = (await request('POST', CARDS, CARD)).body;
  await request('PATCH', `${CARDS}/${id}`, { title: 'Other' });
  await request('DELETE', `${CARDS}/${id}`);
  assert.equal((await request('GET', CHANGES)).body.total, 0);
});

test('Dashboard changes: undo brings back a deleted card, and says by whom', async () => {
  const { request, call } = await newAgent();
  const { id, card } = (await request('POST', CARDS, { ...CARD, gridLayout: { x: 1, y: 2, w: 3, h: 4 } })).body;
  await call('delete_card', { cardId: id, intent: 'Nobody looks at it.' });
  assert.equal((await request('GET', `${CARDS}/${id}`)).status, 404);
  const [deleted] = (await request('GET', CHANGES)).body.changes;
  const { status, body } = await request('POST', `${CHANGES}/${deleted.id}/undo`);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    change: { ...deleted, state: 'undone', undoneAt: body.change.undoneAt, undoneBy: 'test' },
  });
  assert.deepEqual((await request('GET', `${CARDS}/${id}`)).body.card, card);
  const again = await request('POST', `${CHANGES}/${deleted.id}/undo`);
  assert.deepEqual([again.status, again.body.message], [409, 'This change is undone already.']);
});

test('Dashboard changes: undo is 409 after another change, 404 for none', async () => {
  const { request, call } = await newAgent();
  const { card } = await call('save_card', CARD);
  await request('PATCH', `${CARDS}/${card.id}`, { title: 'Of a person' });
  const [created] = (await request('GET', CHANGES)).body.changes;
  assert.equal(created.state, 'superseded');
  const refused = await request('POST', `${CHANGES}/${created.id}/undo`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /^The card was changed or deleted since/);
  assert.equal((await request('GET', `${CARDS}/${card.id}`)).body.card.title, 'Of a person');
  assert.equal((await request('POST', `${CHANGES}/${UNKNOWN}/undo`)).status, 404);
});

test('Dashboard changes: undo is 409 while another card asks the same', async () => {
  const { request, call } = await newAgent();
  const { card } = await call('save_card', CARD);
  await call('delete_card', { cardId: card.id });
  const other = (await request('POST', CARDS, CARD)).body.id;
  const [deleted] = (await request('GET', CHANGES)).body.changes;
  const refused = await request('POST', `${CHANGES}/${deleted.id}/undo`);
  assert.match(`${refused.status} ${refused.body.message}`, /^409 Another card has taken its place/);
  await request('DELETE', `${CARDS}/${other}`);
  assert.equal((await request('POST', `${CHANGES}/${deleted.id}/undo`)).status, 200);
});

test('Dashboard changes: undoing a tab and its layout leaves what was', async () => {
  const { request, call } = await newAgent();
  const { id, card } = (await request('POST', CARDS, CARD)).body;
  await call('save_tab', { name: 'Service', layout: [{ cardId: id, x: 0, y: 0, w: 4, h: 2 }] });
  const { changes } = (await request('GET', CHANGES)).body;
  assert.deepEqual(changes.map(({ kind, action }: Record<string, string>) => `${kind} ${action}`).sort(), [
    'card changed',
    'tab created',
  ]);
  for (const change of changes) assert.equal((await request('POST', `${CHANGES}/${change.id}/undo`)).status, 200);
  assert.deepEqual((await request('GET', `${CARDS}/${id}`)).body.card, card);
  assert.equal((await request('GET', `${OBSERVABILITY}/dashboard-tabs`)).body.total, 0);
});
