import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mostMoved } from '../../portal/src/pages/explain/state.ts';
import { commonest, defaultQuestion, questionFor } from '../../portal/src/pages/explore/state.ts';
import { movedAddress } from '../../portal/src/shell/moved.ts';
import { TYPE } from '../../src/charts/text.ts';

test('Addresses: those of earlier versions and of groups lead to pages of today', () => {
  const question = encodeURIComponent('{"eventName":"paid"}');
  const moved = {
    '/events?name=paid&agent=shop': `/explore?agent=shop&view=feed&question=${question}`,
    '/events/': '/explore?view=feed',
    [`/events/query?question=${question}`]: `/explore?question=${question}&view=table`,
    '/events/aggregate?chart=pie': '/explore?chart=pie&view=kpi',
    '/terms?search=refund': '/metrics?search=refund&show=glossary',
    '/single-sign-on': '/settings/sign-on',
    '/settings': '/settings/keys',
  };
  for (const [from, to] of Object.entries(moved)) {
    const [path, search = ''] = from.split('?');
    assert.equal(movedAddress(path!, search), to);
  }
  for (const path of ['/', '/metrics', '/events/other', '/constructor']) assert.equal(movedAddress(path, ''), null);
});

test('Explore: another view keeps the events of the question, and its groups', () => {
  const shared = {
    eventName: 'paid',
    filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }],
    dateFrom: '-7d',
  };
  const kpi = { ...shared, aggregation: 'sum', propertyKey: 'amount', group_by: 'country' };
  const table = JSON.parse(questionFor('table', 'kpi', JSON.stringify(kpi))!);
  const metrics = [{ aggregation: 'sum', propertyKey: 'amount', alias: 'sum of amount' }];
  assert.deepEqual(table, { ...shared, mode: 'aggregate', groupBy: ['country'], metrics });
  assert.deepEqual(JSON.parse(questionFor('kpi', 'table', JSON.stringify(table))!), kpi);
  assert.deepEqual(JSON.parse(questionFor('feed', 'kpi', JSON.stringify(kpi))!), shared);
  const byDay = { ...shared, aggregation: 'count', dateGrouping: 'day' };
  assert.deepEqual(JSON.parse(questionFor('kpi', 'feed', JSON.stringify(shared))!), byDay);
  assert.equal(questionFor('table', 'kpi', '{"metric":"revenue"}'), undefined);
  assert.equal(questionFor('table', 'kpi', undefined), undefined);
  assert.equal(questionFor('kpi', 'kpi', 'no JSON'), 'no JSON');
});

test('Explore: asks on its own for the commonest event of the business', () => {
  const seen = { firstSeen: '2026-01-01T00:00:00Z', lastSeen: '2026-01-01T00:00:00Z', agents: [] };
  const events = [
    { eventName: 'runtime.tool_called', count: 900, ...seen },
    { eventName: 'paid', count: 3, ...seen },
    { eventName: 'opened', count: 7, ...seen },
  ];
  assert.equal(commonest(events), 'opened');
  assert.equal(commonest(events.slice(0, 1)), 'runtime.tool_called');
  assert.equal(commonest([]), undefined);
  assert.equal(JSON.parse(defaultQuestion('kpi', 'opened')).dateGrouping, 'day');
});

test('Explain: begins with the metric that moved most, up or down', () => {
  const of = (name: string, value: number | null, before?: number | null) => ({
    name,
    value,
    ...(before !== undefined && { previous: { value: before } }),
  });
  assert.equal(mostMoved([of('up', 12, 10), of('down', 1, 10), of('new', 5, 0), of('none', null, 3)]), 'down');
  assert.equal(mostMoved([of('new', 5, 0), of('unknown', 5)]), undefined);
});

test('Type scale: pages and charts have the same sizes', () => {
  const tokens = readFileSync(new URL('../../portal/src/style/tokens.css', import.meta.url), 'utf8');
  for (const [name, pixels] of Object.entries(TYPE)) {
    assert.equal(Number(new RegExp(`--text-${name}: ([\\d.]+)rem`).exec(tokens)?.[1]) * 16, pixels, name);
  }
});
