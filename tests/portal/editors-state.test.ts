import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldMessages } from '../../portal/src/api/field-messages.ts';
import { changedOf, nameOfTitle } from '../../portal/src/editor/values.ts';
import * as alerts from '../../portal/src/pages/alerts/editor/state.ts';
import * as digests from '../../portal/src/pages/digests/editor/state.ts';
import * as metrics from '../../portal/src/pages/metrics/editor/state.ts';
import * as segments from '../../portal/src/pages/segments/editor/state.ts';
import { OTHER, scheduleChoice, scheduleInWords, targetRowsOf, targetsOf } from '../../portal/src/sending/state.ts';

const filters = [{ propertyKey: 'channel', operator: 'in', value: ['web', 1, true] }];
const measure = { eventName: 'order_paid', aggregation: 'sum', propertyKey: 'amount', filters };
const rate = { eventName: 'started', aggregation: 'rate', numerator: { eventName: 'resolved', filters } };
const formula = {
  expression: 'escalated / (started - 1)',
  parts: { escalated: { eventName: 'escalated', aggregation: 'count' }, started: measure },
};
const targets: Parameters<typeof targetRowsOf>[0] = [
  { type: 'webhook', url: 'https://example.com/hooks' },
  { type: 'email', to: ['ada@example.com', 'bob@example.com'] },
  { type: 'slack', url: 'https://hooks.slack.com/…' },
];
const conditions = [
  { type: 'threshold', operator: 'gte', value: 0.25, clear: 0.2 },
  { type: 'change', operator: 'lte', ratio: -0.07 },
  { type: 'anomaly' },
  { type: 'no_data' },
];
const alert = {
  title: 'Few orders',
  condition: conditions[0]!,
  every: '5,20,35,50 * * * *',
  timezone: 'UTC',
  language: 'en',
  cooldown: 3_600,
  targets,
};
const digest = { title: 'Weekly', every: '0 8 * * 1', timezone: 'UTC', language: 'en', targets };
const metric = { name: 'revenue', title: 'Revenue', goodDirection: 'up', formula: measure };
const described = {
  description: 'All that was paid.',
  synonyms: ['sales', 'turnover'],
  unit: 'USD',
  format: { prefix: '$', decimals: 2, percent: true },
  owner: 'Finance',
};
const paid = { eventName: 'order_paid', filters, atLeast: 2, dateFrom: '-30d', dateTo: 'yesterday' };
const bare = { name: 'repeat_buyers', by: 'customer', conditions: [paid, { eventName: 'order_sent' }] };
const segment = { ...bare, title: 'Repeat buyers', description: 'Bought twice.' };

const alertForm = (definition: object) => alerts.formOf(definition as never);
const metricForm = (definition: object) => metrics.formOf(definition as never);
const segmentForm = (definition: object) => segments.formOf(definition as never);

test('Editors: a definition comes back as it was read, and nothing is sent as changed', () => {
  const asked = [
    { metric: 'orders' },
    { metric: 'orders@2' },
    { cardId: 'a-card' },
    { question: { metric: 'orders', filters, dateGrouping: 'day' } },
    { question: { agentId: 'shop', eventName: 'order', aggregation: 'count', dateGrouping: 'hour' } },
    { question: { ...rate, review: { rating: ['bad'] }, dateGrouping: 'week' } },
  ];
  for (const [index, one] of asked.entries()) {
    const condition = conditions[index % conditions.length];
    const whole = { ...alert, ...one, condition, cooldown: 90 * (index + 1) };
    assert.deepEqual(alerts.requestOf(alertForm(whole)), whole);
    assert.deepEqual(changedOf(alerts.requestOf(alertForm(whole)), alerts.requestOf(alertForm(whole))), {});
  }
  for (const contents of [{ tabId: 'a-tab' }, { cardIds: ['b', 'a'] }]) {
    const form = digests.formOf({ ...digest, ...contents } as never);
    assert.deepEqual(digests.requestOf(form), { ...digest, ...contents });
    assert.ok(digests.shownPaths(form).includes(Object.keys(contents)[0]!));
  }
  for (const measured of [measure, rate, formula]) {
    const { name, ...definition } = { ...metric, ...described, formula: measured };
    assert.deepEqual(metrics.changeOf(metricForm({ name, ...definition })), definition);
    assert.deepEqual(metrics.creationOf(metricForm({ name, ...definition })), { name, ...definition });
  }
  for (const one of [segment, bare]) assert.deepEqual(segments.creationOf(segmentForm(one)), one);
});

test('Editors: an empty member is left out of a new one, and removed by a change', () => {
  const form = { ...metricForm(metric), synonyms: ' , ', unit: '  ' };
  assert.deepEqual(Object.keys(metrics.creationOf(form)), ['name', 'title', 'goodDirection', 'formula']);
  const { description, synonyms, owner, unit, format } = metrics.changeOf(form);
  assert.deepEqual([description, synonyms, owner, unit, format], [null, null, null, null, null]);
  const emptied = segments.requestOf({ ...segmentForm(segment), title: '', description: ' ' });
  assert.deepEqual([emptied.title, emptied.description], [null, null]);
});

test('Editors: a change sends what differs', () => {
  const form = alertForm({ ...alert, metric: 'orders' });
  const changed = (next: object) => changedOf(alerts.requestOf({ ...form, ...next }), alerts.requestOf(form));
  const next = { title: 'Others', targets: form.targets.slice(1) };
  assert.deepEqual(changed(next), { title: 'Others', targets: targets.slice(1) });
  assert.deepEqual(changed({ bucket: 'hour' }), { question: { metric: 'orders', dateGrouping: 'hour' } });
});

test('Editors: a text that is no number goes to the server, which says so', () => {
  const form = { ...alerts.emptyForm({ metric: 'orders' }), cooldown: { count: 'soon', unit: 'hours' as const } };
  const { condition, cooldown, metric: named } = alerts.requestOf(form);
  assert.deepEqual([condition, cooldown, named], [{ type: 'threshold', operator: 'lt', value: '' }, 'soon', 'orders']);
  const revenue = metricForm(metric);
  const written = metrics.creationOf({ ...revenue, format: { ...revenue.format, decimals: 'two' } });
  assert.deepEqual(written.format, { decimals: 'two' });
  const [first] = segmentForm(segment).conditions;
  const half = segments.requestOf({ ...segmentForm(segment), conditions: [{ ...first!, atLeast: '2x' }] });
  assert.equal(half.conditions[0]!.atLeast, '2x');
});

test('Editors: a name is made of the title, unless there is one', () => {
  const titled = { ...metrics.emptyForm(), title: 'Résolution rate (7 days) ' };
  assert.equal(metrics.creationOf(titled).name, 'resolution_rate_7_days');
  assert.equal(metrics.creationOf({ ...titled, name: ' mine ' }).name, 'mine');
  const buyers = { ...segments.emptyForm(), title: ' Repeat buyers! ', by: 'customer' };
  assert.equal(segments.creationOf(buyers).name, 'repeat_buyers');
  assert.equal(segments.creationOf({ ...buyers, name: 'twice' }).name, 'twice');
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (title) => /^[a-z0-9_]{0,100}$/.test(nameOfTitle(title))));
});

test('Editors: messages find their fields', () => {
  const ofAgent = { ...alerts.emptyForm({ agent: 'shop' }), targets: targetRowsOf(targets) };
  assert.deepEqual(alerts.requestOf(ofAgent).question, { agentId: 'shop', metric: '', dateGrouping: 'day' });
  const formulaPaths = ['expression', 'parts.started', 'parts.started.propertyKey'].map((path) => `formula.${path}`);
  for (const [shown, paths] of [
    [alerts.shownPaths(alerts.emptyForm({ metric: 'orders' })), ['metric']],
    [
      alerts.shownPaths(ofAgent),
      ['question.metric', 'question.dateGrouping', 'condition.value', 'targets[1].to', 'targets[2].url'],
    ],
    [metrics.shownPaths(metricForm({ ...metric, formula })), ['title', 'parts[1].name', ...formulaPaths]],
    [metrics.shownPaths(metricForm(metric)), ['formula.filters[0].value']],
  ] as const) {
    for (const path of paths) assert.ok(shown.includes(path), path);
  }
  const message = [
    'by: must not be empty',
    'conditions[0].filters[0].value[2]: is odd',
    'conditions[1].dateFrom: is no date',
    'conditions[1].atLeast: must be at least 1',
    'tenant: elsewhere',
  ];
  const { at, others } = fieldMessages({ statusCode: 400, message }, segments.shownPaths(segmentForm(segment)));
  const placed = ['by', 'conditions[0].filters[0].value', 'conditions[1].dateFrom', 'conditions[1].atLeast'].map(at);
  assert.deepEqual(placed, ['Must not be empty', 'Is odd', 'Is no date', 'Must be at least 1']);
  assert.deepEqual(others, ['tenant: elsewhere']);
});

test('Metric editor: parts need names of their own', () => {
  const form = metricForm({ ...metric, formula });
  assert.equal(metrics.refusalOf(form), null);
  const [first, second] = form.parts;
  for (const name of ['', 'Started', '1st', 'escalated']) {
    const { message } = metrics.refusalOf({ ...form, parts: [first!, { ...second!, name }] })!;
    assert.ok(message.length === 1 && message[0]!.startsWith('parts[1].name: '), name);
  }
});

test('Alert editor: the segment stays that of the question, also of one about a metric', () => {
  const question = { eventName: 'order_paid', aggregation: 'count', segment: 'repeat_buyers', dateGrouping: 'day' };
  assert.deepEqual(alerts.requestOf(alertForm({ ...alert, question })).question, question);
  const form = alertForm({ ...alert, metric: 'revenue' });
  const changed = alerts.requestOf({ ...form, asked: { ...form.asked, segment: 'repeat_buyers' } });
  assert.deepEqual(changed.question, { metric: 'revenue', segment: 'repeat_buyers', dateGrouping: 'day' });
});

test('Schedules: frequent ones have names, whatever their spaces', () => {
  assert.equal(scheduleInWords(' 0  8 * * 1 '), 'Mondays at 8:00');
  assert.deepEqual([scheduleInWords('* * * * *'), scheduleChoice('* * * * *')], ['Every minute', OTHER]);
  assert.equal(scheduleInWords('30 9 * * 1-5'), 'At 09:30, Monday through Friday');
  assert.equal(scheduleInWords('soon'), null);
});

test('Targets: addresses are separated by commas, spaces or lines', () => {
  const [row] = targetRowsOf([{ type: 'email', to: ['ada@example.com'] }]);
  const to = ' ada@example.com,bob@example.com;\n eve@example.com ';
  assert.deepEqual(targetsOf([{ ...row!, to }]), [
    { type: 'email', to: ['ada@example.com', 'bob@example.com', 'eve@example.com'] },
  ]);
});
