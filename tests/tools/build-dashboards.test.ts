import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { demoTabs } from '../../src/demo/cards.ts';
import { demoMetrics } from '../../src/demo/vocabulary.ts';
import { demoEvents } from '../../src/demo/workspace.ts';
import { type ConnectClient, MODERN, sharedApp, type ToolAnswer, toolCaller, v1Client, v2Client } from './support.ts';
import { CARDS } from './workspace-support.ts';

/* An agent that has nothing but the tools: it builds dashboards, and finds its way out of every refusal. */

const OBSERVABILITY = '/api/v1/runtime/observability';
const ERAS: [name: string, connect: ConnectClient][] = [
  ['2025', v1Client],
  ['2026', v2Client({ versionNegotiation: { mode: { pin: MODERN } } })],
];

let tenants = 0;

/** A tenant without dashboards, a client of this era, and what the server holds. */
async function emptyWorkspace(t: TestContext, connect: ConnectClient, events: object[]) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `builder ${++tenants}` });
  const key = await app.newKey({ tenant, agentId: null });
  await app.ingest(events, key);
  const client = await connect(t, { kind: 'http', url: `${app.url}/mcp`, key });
  const request = async (method: string, path: string, body?: unknown) =>
    (await app.request(method, OBSERVABILITY + path, body, { 'x-api-key': key })).body;
  return {
    app,
    tenant,
    key,
    request,
    call: client.call,
    done: async (name: string, args: object) => successful(await client.call(name, { ...args }), name, args),
    /** Tabs by name with what is in them, in order. */
    held: async () => {
      const { tabs } = await request('GET', '/dashboard-tabs');
      const { cards } = await request('GET', '/dashboard-cards');
      return tabs.map(({ id, name }: { id: string; name: string }) => ({
        name,
        cards: cards.filter(({ tabId }: { tabId: string }) => tabId === id).map(contentOf),
      }));
    },
  };
}

function contentOf({ title, cardType, config, gridLayout, agentId }: Record<string, unknown>) {
  return { title, cardType, config, gridLayout, agentId };
}

function successful(answer: ToolAnswer, name: string, args: object): ToolAnswer {
  assert.equal(answer.isError, false, `${name} ${JSON.stringify(args)}: ${answer.text}`);
  return answer;
}

for (const [era, connect] of ERAS) {
  test(`Building: an agent makes the demo's dashboards from nothing, in ${era}`, async (t) => {
    const now = Date.now();
    const { done, held, request } = await emptyWorkspace(t, connect, [...demoEvents({ now, days: 9 })]);
    const { data: found } = await done('describe_workspace', {});
    assert.deepEqual([found.cards, found.tabs], [[], []]);
    for (const { isApproved: _, ...metric } of demoMetrics) await done('propose_metric', metric);
    const intent = 'The team asked for its dashboards.';
    for (const { name, cards } of demoTabs) {
      const layout = [];
      for (const { gridLayout, ...card } of cards) {
        const { data } = await done('save_card', { ...card, dryRun: true, intent });
        assert.deepEqual([data.outcome, data.card.id, data.card.title], ['previewed', 'preview', card.title]);
        assert.ok(data.basis.matchedEvents > 0, card.title);
        const saved = await done('save_card', { ...card, intent });
        assert.equal(saved.data.outcome, 'created');
        assert.deepEqual(saved.data.data, data.data, 'it shows what the preview showed');
        layout.push({ cardId: card.title, ...gridLayout });
      }
      const { data } = await done('save_tab', { name, layout, intent });
      assert.deepEqual([data.outcome, data.cards], ['created', cards.length]);
    }
    const expected = demoTabs.map(({ name, cards }) => ({
      name,
      cards: cards.map((card) => contentOf({ ...card, agentId: 'default' })),
    }));
    assert.deepEqual(await held(), expected);
    const { data: known } = await done('describe_workspace', {});
    assert.equal(known.cards.length, 8);
    const { changes, total } = await request('GET', '/dashboard-changes?limit=1000');
    assert.deepEqual([total, changes.length], [18, 18], 'two tabs, and each card made and placed');
    for (const change of changes) assert.deepEqual([change.intent, change.by.label], [intent, 'test']);
    // The same calls again change nothing.
    for (const { name, cards } of demoTabs) {
      for (const { gridLayout: _, ...card } of cards) await done('save_card', card);
      const layout = cards.map(({ title, gridLayout }) => ({ cardId: title, ...gridLayout }));
      assert.equal((await done('save_tab', { name, layout })).data.outcome, 'changed');
    }
    assert.equal((await request('GET', '/dashboard-changes')).total, 18);
    assert.deepEqual(await held(), expected);
  });
}

const COUNT = { eventName: 'sale', aggregation: 'count' };
const CARD = { title: 'Sales', cardType: 'number', config: COUNT };
const BOX = { x: 0, y: 0, w: 4, h: 2 };

interface Refusal {
  tool: string;
  args: object;
  /** Each must be in what the tool answers. */
  says: RegExp[];
  /** The call that the refusal leads to. */
  next: object;
}

/** In order: each finds what those before have made. */
const REFUSALS: Record<string, Refusal> = {
  'a tab where there is none': {
    tool: 'save_card',
    args: { ...CARD, tab: 'Service' },
    says: [/- tab: agent "default" has no tab "Service" \(save_tab makes one\); it has none yet/],
    next: CARD,
  },
  'no tab of this name': {
    tool: 'save_card',
    args: { ...CARD, tab: 'Servce' },
    says: [/- tab: .*\(save_tab makes one\); did you mean Service\?/],
    next: { ...CARD, tab: 'Service' },
  },
  'a tab unlike all': {
    tool: 'save_card',
    args: { ...CARD, tab: 'xyz' },
    says: [/- tab: .*; its tabs are "Service"/],
    next: { ...CARD, tab: 'service' },
  },
  'every wrong member at once': {
    tool: 'save_card',
    args: {
      title: '',
      cardType: 'gauge',
      config: { ...COUNT, agregation: 'sum', min: 5, limit: 0 },
      gridLayout: { ...BOX, w: 0 },
    },
    says: [
      /- title: must not be empty/,
      /- config\.agregation: unknown member; did you mean aggregation\?/,
      /- config\.max: is required/,
      /- config\.limit: unknown member/,
      /- gridLayout\.w: must be at least 1/,
    ],
    next: { title: 'Gauge', cardType: 'gauge', config: { ...COUNT, min: 0, max: 5 }, gridLayout: BOX },
  },
  'a place beyond the last column': {
    tool: 'save_card',
    args: { ...CARD, gridLayout: { ...BOX, x: 10 } },
    says: [/- gridLayout\.w: x \+ w must be at most 12: a dashboard has 12 columns/],
    next: { ...CARD, gridLayout: BOX },
  },
  'an aggregation without its property': {
    tool: 'save_card',
    args: { ...CARD, config: { eventName: 'sale', aggregation: 'sum' }, dryRun: true },
    says: [/- config\.propertyKey: needed for aggregation sum/],
    next: { ...CARD, config: { eventName: 'sale', aggregation: 'sum', propertyKey: 'amount' }, dryRun: true },
  },
  'an unknown type of card': {
    tool: 'save_card',
    args: { ...CARD, cardType: 'heatmap' },
    says: [/- cardType: must be one of number, rate, line/],
    next: { ...CARD, title: 'Line', cardType: 'line' },
  },
  'an unknown metric': {
    tool: 'save_card',
    args: { title: 'Metric', cardType: 'number', config: { metric: 'revenu' } },
    says: [/- config\.metric: .*revenue/],
    next: { title: 'Metric', cardType: 'number', config: { metric: 'revenue' } },
  },
  'an unknown card': {
    tool: 'save_card',
    args: { cardId: 'Sale', title: 'Sales of all' },
    says: [/There is no dashboard card "Sale"\. The cards: \S+ \("Sales"\)/],
    next: { cardId: 'Sales', cardType: 'number', config: COUNT, title: 'Sales of all', dryRun: true },
  },
  "another tenant's card": {
    tool: 'save_card',
    args: { cardId: 'FOREIGN', title: 'Mine' },
    says: [/belongs to another tenant\..*The cards: .*"Gauge"/],
    next: { cardId: 'Gauge', title: 'The gauge' },
  },
  'a type without its config': {
    tool: 'save_card',
    args: { cardId: 'Metric', cardType: 'bar' },
    says: [/- config: needed with cardType/],
    next: { cardId: 'Metric', cardType: 'bar', config: { ...COUNT, groupBy: 'plan' } },
  },
  'a change of nothing': {
    tool: 'save_card',
    args: { cardId: 'Metric', picture: true },
    says: [/name what changes: title, config, cardType with config, tab or gridLayout/],
    next: { cardId: 'Metric', tab: null },
  },
  'a new identity for a known card': {
    tool: 'save_card',
    args: { cardId: 'Metric', title: 'Plans', idempotencyKey: 'plans' },
    says: [/- idempotencyKey: unknown member; only for a new card; leave it out, or leave out cardId/],
    next: { cardId: 'Metric', title: 'Plans' },
  },
  'the question of another card': {
    tool: 'save_card',
    args: { cardId: 'Plans', cardType: 'line', config: COUNT },
    says: [/Another card of this agent asks the same .*Change or delete that one/],
    next: { cardId: 'Plans', cardType: 'line', config: { ...COUNT, aggregation: 'avg', propertyKey: 'amount' } },
  },
  'boxes that overlap': {
    tool: 'save_tab',
    args: {
      name: 'Service',
      layout: [
        { cardId: 'Plans', ...BOX },
        { cardId: 'The gauge', ...BOX, x: 3 },
      ],
    },
    says: [/- layout\[1\]: overlaps the box of "Plans"; x and w count columns of 12/],
    next: {
      name: 'Service',
      layout: [
        { cardId: 'Plans', ...BOX },
        { cardId: 'The gauge', ...BOX, x: 4 },
      ],
    },
  },
  'an unknown card in a layout': {
    tool: 'save_tab',
    args: { name: 'New', layout: [{ cardId: 'Plan', ...BOX }] },
    says: [/- layout\[0\]\.cardId: There is no dashboard card "Plan"\. The cards: .*"Plans"/],
    next: { name: 'New', layout: [{ cardId: 'Plans', ...BOX }] },
  },
  'a card twice in a layout': {
    tool: 'save_tab',
    args: {
      name: 'New',
      layout: [
        { cardId: 'Plans', ...BOX },
        { cardId: 'Plans', ...BOX, x: 4 },
      ],
    },
    says: [/- layout\[1\]\.cardId: the card is there twice; leave one out/],
    next: { name: 'New', layout: [{ cardId: 'Plans', ...BOX, x: 4 }] },
  },
  "another agent's card in a layout": {
    tool: 'save_tab',
    args: { name: 'New', agentId: 'other', layout: [{ cardId: 'Plans', ...BOX }] },
    says: [/- layout\[0\]\.cardId: the card is of agent "default", the tab of "other"; leave it out, or set agentId/],
    next: { name: 'New', agentId: 'default', layout: [{ cardId: 'Plans', ...BOX }] },
  },
  'the removal of an unknown card': {
    tool: 'delete_card',
    args: { cardId: 'Plan' },
    says: [/There is no dashboard card "Plan"\. The cards: .*"Plans"/],
    next: { cardId: 'Plans' },
  },
};

test('Building: every refusal names its remedy, and the second call succeeds', async (t) => {
  const sale = { eventName: 'sale', properties: { plan: 'pro', amount: 5 } };
  const theirs = await emptyWorkspace(t, v2Client(), [sale]);
  const foreign = (await theirs.done('save_card', { ...CARD, title: 'Aurora' })).data.card.id;
  const { call, done, request } = await emptyWorkspace(t, v2Client(), [sale, sale]);
  const revenue = {
    name: 'revenue',
    title: 'Revenue',
    formula: { ...COUNT, aggregation: 'sum', propertyKey: 'amount' },
  };
  await done('propose_metric', revenue);
  for (const [what, { tool, args, says, next }] of Object.entries(REFUSALS)) {
    if (what === 'no tab of this name') await done('save_tab', { name: 'Service' });
    const before = await request('GET', '/dashboard-changes');
    const sent = JSON.parse(JSON.stringify(args).replace('FOREIGN', foreign));
    const { isError, text } = await call(tool, sent);
    assert.equal(isError, true, `${what}: ${text}`);
    for (const words of says) assert.match(text, words, what);
    assert.doesNotMatch(text, /Aurora/, what);
    assert.deepEqual(await request('GET', '/dashboard-changes'), before, `${what}: nothing is changed`);
    await done(tool, next);
  }
});

test('Building: a card of an unknown event has a note with near names', async (t) => {
  const { done } = await emptyWorkspace(t, v2Client(), [{ eventName: 'sale' }]);
  const { data } = await done('save_card', { ...CARD, config: { ...COUNT, eventName: 'sales' } });
  assert.match(data.note, /sale\b/);
  const { data: right } = await done('save_card', { cardId: 'Sales', config: COUNT });
  assert.deepEqual([right.outcome, right.data.value], ['changed', 1]);
});

test('Building: cards of one question are one, and the answer says so', async (t) => {
  const { done, request } = await emptyWorkspace(t, v2Client(), [{ eventName: 'sale' }]);
  await done('save_card', CARD);
  const { data } = await done('save_card', { ...CARD, title: 'Again' });
  assert.equal(data.outcome, 'changed');
  assert.match(data.note, /existed and was changed.*idempotencyKey/);
  const preview = await done('save_card', { ...CARD, title: 'Preview', dryRun: true });
  assert.match(preview.data.note, /Saving this card changes the existing card "Again" \(/);
  assert.equal((await done('save_card', { ...CARD, idempotencyKey: 'other' })).data.outcome, 'created');
  assert.equal((await request('GET', '/dashboard-cards')).total, 2);
});

test('Building: a tab of more than 50 cards says which of them it shows', async (t) => {
  const { done, request, app, key } = await emptyWorkspace(t, v2Client(), [{ eventName: 'sale' }]);
  await done('save_tab', { name: 'Full' });
  const tabId = (await request('GET', '/dashboard-tabs')).tabs[0].id;
  for (let index = 0; index < 51; index++) {
    const card = { ...CARD, tabId, idempotencyKey: `${index}` };
    await app.request('POST', CARDS, card, { 'x-api-key': key });
  }
  const { data, text } = await done('render_dashboard_card', { tab: 'Full' });
  assert.equal(data.cards.length, 50);
  assert.equal(data.note, 'The first 50 of 51 cards; render the others by cardId.');
  assert.match(text, /\nNote: The first 50 of 51 cards; render the others by cardId\.$/);
});

test('Building: a picture comes with a preview and with a saved card', async (t) => {
  const { app, key } = await emptyWorkspace(t, v2Client(), [{ eventName: 'sale' }]);
  const client = await app.mcpClient(key);
  for (const dryRun of [true, false]) {
    const { content } = await client.callTool({ name: 'save_card', arguments: { ...CARD, picture: true, dryRun } });
    const [text, image] = content as unknown as [{ text: string }, { type: string; mimeType: string }];
    assert.match(text.text, dryRun ? /^outcome: previewed\nSales/ : /^outcome: created\nSales/);
    assert.deepEqual([image.type, image.mimeType], ['image', 'image/png']);
    const { total } = (await app.request('GET', CARDS, undefined, { 'x-api-key': key })).body;
    assert.equal(total, dryRun ? 0 : 1);
  }
});

test('Building: without dashboards:write no tool is listed or called', async (t) => {
  const { app, tenant, done } = await emptyWorkspace(t, v2Client(), [{ eventName: 'sale' }]);
  const reading = await app.newKey({ tenant, scopes: ['mcp:read', 'dashboards:read'] });
  const { tools } = await (await app.mcpClient(reading)).listTools();
  assert.doesNotMatch(tools.map(({ name }) => name).join(), /save_|delete_/);
  const call = await toolCaller(reading);
  for (const [tool, args] of [
    ['save_card', CARD],
    ['save_tab', { name: 'Tab' }],
    ['delete_card', { cardId: 'Sales' }],
  ] as const) {
    const { isError, text } = await call(tool, args);
    assert.equal(isError, true);
    assert.match(text, /insufficient_scope: .*dashboards:write\. Use a key that has it.* Ask the person/);
  }
  await done('save_card', CARD);
});
