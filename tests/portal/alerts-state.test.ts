import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedOf } from '../../portal/src/editor/values.ts';
import { canAlert } from '../../portal/src/pages/alerts/card.ts';
import { emptyForm, formOf, requestOf, shownPaths } from '../../portal/src/pages/alerts/editor/state.ts';
import {
  bucketInWords,
  bucketOf,
  conditionInWords,
  durationInWords,
  urgentFirst,
} from '../../portal/src/pages/alerts/words.ts';
import {
  formOf as digestFormOf,
  shownPaths as digestPaths,
  requestOf as digestRequestOf,
} from '../../portal/src/pages/digests/editor/state.ts';
import { choiceOf, OTHER, scheduleName, targetRowsOf, targetsOf } from '../../portal/src/sending/state.ts';

const filters = [{ propertyKey: 'channel', operator: 'in', value: ['web', 1] }];
const targets: Parameters<typeof targetRowsOf>[0] = [
  { type: 'webhook', url: 'https://example.com/hooks' },
  { type: 'email', to: ['ada@example.com', 'bob@example.com'] },
  { type: 'slack', url: 'https://hooks.slack.com/…' },
];
const alert = {
  id: '1',
  title: 'Few orders',
  condition: { type: 'threshold', operator: 'lt', value: 100 },
  every: '5,20,35,50 * * * *',
  timezone: 'UTC',
  cooldown: 3_600,
  targets,
  enabled: true,
  state: 'ok',
  lastCheck: null,
} as unknown as Parameters<typeof formOf>[0];

test('Alert editor: a definition comes back as it was read', () => {
  const rate = { eventName: 'started', aggregation: 'rate', numerator: { eventName: 'resolved', filters } };
  const asked = [
    { metric: 'orders' },
    { metric: 'orders@2' },
    { cardId: 'a-card' },
    { question: { metric: 'orders', filters, dateGrouping: 'day' } },
    { question: { agentId: 'shop', eventName: 'order', aggregation: 'count', dateGrouping: 'hour' } },
    { question: { ...rate, review: { rating: ['bad'] }, dateGrouping: 'week' } },
  ];
  const conditions = [
    { type: 'threshold', operator: 'gte', value: 0.25, clear: 0.2 },
    { type: 'change', operator: 'lte', ratio: -0.07 },
    { type: 'anomaly' },
    { type: 'no_data' },
  ];
  for (const [index, one] of asked.entries()) {
    const condition = conditions[index % conditions.length];
    const whole = { ...alert, ...one, condition, cooldown: 90 * (index + 1) } as unknown as typeof alert;
    const { title, every, timezone, cooldown } = whole;
    assert.deepEqual(requestOf(formOf(whole)), { title, ...one, condition, every, timezone, cooldown, targets });
    assert.deepEqual(changedOf(requestOf(formOf(whole)), requestOf(formOf(whole))), {});
  }
});

test('Alert editor: no number is left to the server; messages find their fields', () => {
  const form = { ...emptyForm({ metric: 'orders' }), cooldown: { count: 'soon', unit: 'hours' as const } };
  const { condition, cooldown, metric } = requestOf(form);
  assert.deepEqual([condition, cooldown, metric], [{ type: 'threshold', operator: 'lt', value: '' }, 'soon', 'orders']);
  assert.ok(shownPaths(form).includes('metric'));
  const ofAgent = { ...emptyForm({ agent: 'shop' }), targets: targetRowsOf(targets) };
  assert.deepEqual(requestOf(ofAgent).question, { agentId: 'shop', metric: '', dateGrouping: 'day' });
  for (const path of ['question.metric', 'question.dateGrouping', 'condition.value', 'targets[1].to', 'targets[2].url'])
    assert.ok(shownPaths(ofAgent).includes(path), path);
});

test('Alert editor: a change sends what differs', () => {
  const form = formOf({ ...alert, metric: 'orders' });
  const next = { ...form, title: 'Others', targets: form.targets.slice(1) };
  assert.deepEqual(changedOf(requestOf(next), requestOf(form)), { title: 'Others', targets: targets.slice(1) });
  const asked = changedOf(requestOf({ ...form, bucket: 'hour' }), requestOf(form));
  assert.deepEqual(asked, { question: { metric: 'orders', dateGrouping: 'hour' } });
});

test('Alerts: the urgent ones come first, those that are switched off last', () => {
  const all = [
    ['ok', true],
    ['alerting', false],
    ['no_data', true],
    ['failing', true],
    ['alerting', true],
  ] as const;
  const sorted = urgentFirst(all.map(([state, enabled]) => ({ state, enabled })));
  assert.deepEqual(
    sorted.map(({ state, enabled }) => `${state} ${enabled}`),
    ['alerting true', 'failing true', 'no_data true', 'ok true', 'alerting false'],
  );
});

test('Alerts: conditions, buckets and durations in words', () => {
  const words = (condition: object) => conditionInWords(condition as never, (value) => `${value} €`);
  assert.equal(words({ type: 'threshold', operator: 'lt', value: 1, clear: 2 }), 'Below 1 €, until it is back at 2 €');
  assert.equal(words({ type: 'threshold', operator: 'gte', value: 1, clear: 1 }), 'At or above 1 €');
  assert.equal(
    words({ type: 'change', operator: 'lte', ratio: -0.2 }),
    'Change against the period before at or below −20%',
  );
  const start = '2026-03-02T00:00:00+01:00';
  const shown = (['hour', 'day', 'week', 'month', undefined] as const).map((unit) =>
    bucketInWords(start, unit, 'en-GB'),
  );
  assert.deepEqual(shown, ['2 Mar 2026, 00:00', '2 Mar 2026', 'week of 2 Mar 2026', 'March 2026', '2 Mar 2026']);
  assert.equal(bucketInWords('2026-03-02T11:00:00+01:00', undefined, 'en-GB'), '2 Mar 2026, 11:00');
  assert.deepEqual([bucketOf({}), bucketOf({ cardId: 'a' })], ['day', undefined]);
  assert.deepEqual([3_600, 5_400, 7_200].map(durationInWords), ['1 hour', '90 minutes', '2 hours']);
});

test('Alerts: cards with one number or one line can be checked', () => {
  const can = (cardType: string, config: object) => canAlert({ cardType, config } as never);
  assert.ok(can('number', {}) && can('line', { dateGrouping: 'week' }));
  assert.ok(!can('line', { groupBy: 'plan' }) && !can('table', {}) && !can('pie', {}));
});

test('Schedules: frequent ones have names, whatever their spaces', () => {
  assert.equal(scheduleName(' 0  8 * * 1 '), 'Mondays at 8:00');
  assert.deepEqual([scheduleName('1 2 3 4 5'), choiceOf('1 2 3 4 5')], [null, OTHER]);
});

test('Targets: addresses are separated by commas, spaces or lines', () => {
  const [row] = targetRowsOf([{ type: 'email', to: ['ada@example.com'] }]);
  const to = ' ada@example.com,bob@example.com;\n eve@example.com ';
  assert.deepEqual(targetsOf([{ ...row!, to }]), [
    { type: 'email', to: ['ada@example.com', 'bob@example.com', 'eve@example.com'] },
  ]);
});

test('Digest editor: a definition comes back as read; messages find their fields', () => {
  const digest = { title: 'Weekly', every: '0 8 * * 1', timezone: 'UTC', targets };
  for (const contents of [{ tabId: 'a-tab' }, { cardIds: ['b', 'a'] }]) {
    const form = digestFormOf({ ...digest, ...contents } as unknown as Parameters<typeof digestFormOf>[0]);
    assert.deepEqual(digestRequestOf(form), { ...digest, ...contents });
    assert.ok(digestPaths(form).includes(Object.keys(contents)[0]!));
  }
});
