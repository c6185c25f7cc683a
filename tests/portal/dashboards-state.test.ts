import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedLayouts, moved, resized, stepped } from '../../portal/src/pages/dashboards/layout.ts';
import {
  choiceOf,
  dateIn,
  pageRangeOf,
  RANGE_CHOICES,
  searchOf,
  withEnd,
} from '../../portal/src/pages/dashboards/page-range.ts';
import {
  agentMarks,
  fileNameOf,
  questionForMcp,
  reordered,
  shownTabs,
} from '../../portal/src/pages/dashboards/state.ts';
import { arrange, type Box, COLUMNS, type Placed } from '../../src/charts/tab/arrange.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';

const TYPES = ['number', 'rate', 'line', 'bar', 'pie', 'table', 'funnel', 'gauge'] as const;

const side = (least: number) =>
  fc.oneof(fc.integer({ min: least, max: 14 }), fc.double({ min: least || 0.01, max: 10_000, noNaN: true }));
const layout = fc.record({ x: side(0), y: side(0), w: side(1), h: side(1) });
const cards = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    cardType: fc.constantFrom(...TYPES),
    gridLayout: fc.option(layout, { nil: null }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 30 },
);

function assertSound(placed: readonly Placed[], ids: readonly string[]): void {
  assert.deepEqual(placed.map(({ id }) => id).toSorted(), ids.toSorted());
  const taken = new Set<string>();
  for (const { x, y, w, h } of placed) {
    assert.ok([x, y, w, h].every(Number.isInteger));
    assert.ok(x >= 0 && y >= 0 && w >= 2 && h >= 2 && x + w <= COLUMNS);
    for (let row = y; row < y + h; row++) {
      for (let column = x; column < x + w; column++) {
        assert.ok(!taken.has(`${row} ${column}`), 'two cards overlap');
        taken.add(`${row} ${column}`);
      }
    }
  }
  for (const { x, y, w } of placed) {
    const isHeld =
      y === 0 || Array.from({ length: w }, (_, column) => x + column).some((at) => taken.has(`${y - 1} ${at}`));
    assert.ok(isHeld, 'a card could lie higher');
  }
}

function stored(placed: readonly Placed[]) {
  return placed.map(({ id, x, y, w, h }) => ({ id, cardType: 'line' as const, gridLayout: { x, y, w, h } }));
}

test('Dashboard layout: cards never overlap and stay within 12 columns', () => {
  fc.assert(
    fc.property(cards, (given) => {
      const placed = arrange(given);
      assertSound(
        placed,
        given.map(({ id }) => id),
      );
      assert.deepEqual(arrange(stored(placed)), placed);
      assert.deepEqual(changedLayouts(stored(placed), placed), []);
    }),
  );
});

test('Dashboard layout: moved and resized cards never overlap others', () => {
  const change = fc.record({
    index: fc.nat(29),
    to: fc.record({ x: fc.integer({ min: -20, max: 20 }), y: fc.integer({ min: -20, max: 60 }) }),
    size: fc.record({ w: fc.integer({ min: -5, max: 20 }), h: fc.integer({ min: -5, max: 40 }) }),
    kind: fc.constantFrom('move' as const, 'resize' as const),
    direction: fc.constantFrom({ dx: 1, dy: 0 }, { dx: -1, dy: 0 }, { dx: 0, dy: 1 }, { dx: 0, dy: -1 }),
  });
  fc.assert(
    fc.property(cards, change, (given, { index, to, size, kind, direction }) => {
      const ids = given.map(({ id }) => id);
      const placed = arrange(given);
      const { id, ...box } = placed[index % placed.length]!;
      for (const next of [
        moved(placed, id, to),
        resized(placed, id, size),
        stepped(placed, id, kind, direction as never),
      ]) {
        assertSound(next, ids);
        assert.deepEqual(arrange(stored(next)), next);
      }
      assert.deepEqual(moved(placed, id, box), placed);
      assert.deepEqual(resized(placed, id, box), placed);
    }),
  );
});

const at = (id: string, x: number, y: number, w: number, h: number): Placed => ({ id, x, y, w, h });
const boxIn = (placed: readonly Placed[], id: string): Box => {
  const { x, y, w, h } = placed.find((one) => one.id === id)!;
  return { x, y, w, h };
};

test('Dashboard layout: an arrow key moves a card past the next, and back', () => {
  const before = [at('a', 0, 0, 6, 3), at('c', 6, 0, 6, 2), at('b', 0, 3, 6, 2)];
  const down = stepped(before, 'a', 'move', { dx: 0, dy: 1 });
  assert.deepEqual(boxIn(down, 'b'), { x: 0, y: 0, w: 6, h: 2 });
  assert.deepEqual(boxIn(down, 'a'), { x: 0, y: 2, w: 6, h: 3 });
  assert.deepEqual(stepped(down, 'a', 'move', { dx: 0, dy: -1 }), before);
  assert.equal(stepped(before, 'b', 'move', { dx: 0, dy: 1 }), before);
  const wider = stepped(before, 'a', 'resize', { dx: 1, dy: 0 });
  assert.deepEqual(boxIn(wider, 'c'), { x: 6, y: 3, w: 6, h: 2 });
});

test('Dashboard layout: cards without a layout take the first free places', () => {
  const placed = arrange([
    { id: 'new', cardType: 'number', gridLayout: null },
    { id: 'wide', cardType: 'line', gridLayout: { x: 3, y: 9, w: 40, h: 2.4 } },
    { id: 'tall', cardType: 'number', gridLayout: { x: 0, y: 0, w: 3, h: 4 } },
    { id: 'newer', cardType: 'line', gridLayout: null },
  ]);
  assert.deepEqual(boxIn(placed, 'tall'), { x: 0, y: 0, w: 3, h: 4 });
  assert.deepEqual(boxIn(placed, 'wide'), { x: 0, y: 4, w: 12, h: 2 });
  assert.deepEqual(boxIn(placed, 'new'), { x: 3, y: 0, w: 3, h: 2 });
  assert.deepEqual(boxIn(placed, 'newer'), { x: 6, y: 0, w: 6, h: 3 });
});

const tab = (id: string, sortOrder: number, agentId = 'support') => ({
  id,
  name: id.toUpperCase(),
  sortOrder,
  agentId,
});

test('Dashboard tabs: cards without a tab share one; labels name several agents', () => {
  const inTabs = [{ tabId: 'a' }, { tabId: null }, { tabId: 'gone' }, { tabId: 'a' }];
  const one = shownTabs([tab('a', 0), tab('b', 1)], inTabs);
  assert.deepEqual(
    one.map(({ id, label, cards: { length } }) => [id, label, length]),
    [
      ['a', 'A', 2],
      ['b', 'B', 0],
      ['none', 'No tab', 2],
    ],
  );
  const several = shownTabs([tab('a', 0), tab('b', 1, 'sales')], []);
  assert.deepEqual(
    several.map(({ label }) => label),
    ['A · support', 'B · sales'],
  );
  assert.deepEqual(shownTabs([], []), []);
});

test('Dashboard tabs: moving a tab changes as few tabs as possible', () => {
  const tabs = [tab('a', 0), tab('b', 1), tab('c', 2), tab('d', 3)];
  assert.deepEqual(reordered(tabs, 'b', 1), [
    { id: 'c', sortOrder: 1 },
    { id: 'b', sortOrder: 2 },
  ]);
  assert.deepEqual(reordered(tabs, 'a', -1), []);
  assert.deepEqual(reordered(tabs, 'd', 1), []);
  const equal = [tab('a', 0), tab('b', 0)];
  assert.deepEqual(reordered(equal, 'b', -1), [{ id: 'a', sortOrder: 1 }]);
});

test('Dashboard range: choices become search parameters and back', () => {
  const now = new Date(2026, 2, 12, 17, 20);
  assert.deepEqual(pageRangeOf(searchOf('cards', now), 'Asia/Tokyo'), {});
  assert.deepEqual(pageRangeOf(searchOf('-7d', now), 'Asia/Tokyo'), { dateFrom: '-7d', timezone: 'Asia/Tokyo' });
  assert.deepEqual(searchOf('custom', now), { from: '2026-02-11', to: '2026-03-12' });
  assert.equal(RANGE_CHOICES.length, 9);
  for (const { value } of RANGE_CHOICES) {
    assert.equal(choiceOf(searchOf(value, now)), value);
  }
  assert.equal(choiceOf({ from: '-3mo' }), 'custom');
  assert.deepEqual(withEnd({ from: '2026-03-01', to: '2026-03-05' }, 'from', '2026-03-09'), {
    from: '2026-03-09',
    to: '2026-03-09',
  });
  assert.deepEqual(withEnd({ from: '-7d' }, 'to', '2026-03-09'), { from: '-7d', to: '2026-03-09' });
  assert.deepEqual(['-7d', '2026-03-09', undefined].map(dateIn), ['', '2026-03-09', '']);
  assert.deepEqual(['2026-13-45', '2026-02-30', '2028-02-29'].map(dateIn), ['', '', '2028-02-29']);
});

test('Dashboard card: the question and the file name accept any title', () => {
  const question = questionForMcp({ id: '0199', title: 'Resolution "rate"' });
  assert.equal(question, 'Show me the dashboard card "Resolution \\"rate\\"" (render_dashboard_card, cardId 0199)');
  assert.equal(fileNameOf('Conversations, last 7 days', 'png'), 'Conversations-last-7-days.png');
  assert.equal(fileNameOf('<img onerror>', 'svg'), 'img-onerror.svg');
  assert.equal(fileNameOf('🎉', 'png'), 'card.png');
  assert.match(fileNameOf('é'.repeat(300), 'png'), /^é{80}\.png$/);
});

const CARDS = '/api/v1/runtime/observability/dashboard-cards';

const app = appOfThisFile();

async function newCard(title: string): Promise<void> {
  const config = { eventName: 'agent_replied', aggregation: 'count' };
  const { request } = await app();
  await request('POST', CARDS, { agentId: 'support', title, cardType: 'number', config, idempotencyKey: title });
}

browserTest('Dashboards: a failed card is not shown as loading', async (t) => {
  await newCard('Failing');
  const page = await portalPage(t, await app(), { path: '/no/such/page', expected: /status of 503/ });
  const busy = { statusCode: 503, message: 'Busy.', error: 'Service Unavailable' };
  await page.route(`**${CARDS}/render`, (route) => route.fulfill({ status: 503, json: busy }));
  await page.goto((await app()).url);
  await page.getByRole('alert').getByText('Busy.').first().waitFor();
  assert.equal(await page.getByText('Loading …', { exact: true }).count(), 0);
});

browserTest('Dashboards: Refresh keeps the focus while cards load', async (t) => {
  await newCard('Replies');
  const page = await portalPage(t, await app());
  await page.getByText(/^Updated/).waitFor();
  const asked: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${CARDS}/render`, async (route) => {
    asked.push(route.request().url());
    await released;
    await route.continue();
  });
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  await refresh.focus();
  await page.keyboard.press('Enter');
  await refresh.and(page.locator('[aria-disabled="true"]')).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  release();
  await page.getByText('Refreshed', { exact: true }).waitFor({ state: 'attached' });
  await refresh.and(page.locator('[aria-disabled="false"]')).and(page.locator(':focus')).waitFor();
  assert.equal(asked.length, 1);
});

browserTest('Dashboards: a range for all cards uses the time zone of the browser', async (t) => {
  await newCard('Zoned');
  const page = await portalPage(t, await app(), { path: '/?from=today', timezoneId: 'Asia/Tokyo' });
  await page.getByRole('region', { name: 'Zoned' }).getByText('· Asia/Tokyo ·').waitFor();
});

rareBrowserTest('Dashboards: offline, Refresh says that cards were not refreshed', async (t) => {
  await newCard('Offline');
  const page = await portalPage(t, await app(), { expected: /ERR_INTERNET_DISCONNECTED/ });
  await page.getByText(/^Updated/).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('Some cards were not refreshed').waitFor({ state: 'attached' });
});

test('agentMarks: say who changed a card last and why, not of tabs and deleted cards', () => {
  const change = { kind: 'card', itemId: 'a', action: 'created', tool: 'save_card', intent: null } as const;
  const key = { label: 'ci key', client: null };
  const marks = agentMarks([
    { ...change, by: key },
    { ...change, itemId: 'b', action: 'changed', by: { label: 'ada@x.org', client: 'Claude' }, intent: 'Why not' },
    { ...change, itemId: 'c', action: 'deleted', by: key },
    { ...change, itemId: 'd', kind: 'tab', by: key },
  ]);
  assert.deepEqual(Object.fromEntries(marks), {
    a: 'Made by ci key, save_card',
    b: 'Changed by Claude for ada@x.org, save_card: Why not',
  });
});
