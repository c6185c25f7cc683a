import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Condition, type JudgeOptions, judge } from '../../../../src/core/watch/alerts/conditions.ts';

const OPTIONS = { isAlerting: false, unit: 'day' } as const satisfies JudgeOptions;

const dayOf = (index: number) => `${new Date(Date.UTC(2026, 0, 5 + index)).toISOString().slice(0, 19)}+00:00`;

function judged(condition: Condition, values: (number | null)[], options: JudgeOptions = OPTIONS, matched = 1) {
  const points = values.map((value, index) => ({ bucket: dayOf(index), value }));
  return judge(condition, { points, matched }, options);
}

test('judge: thresholds compare the last bucket; a clear value ends them', () => {
  const condition = { type: 'threshold', operator: 'lt', value: 100, clear: 120 } as const;
  assert.deepEqual(judged(condition, [500, 99]), { state: 'alerting', bucket: dayOf(1), value: 99, comparedWith: 100 });
  assert.equal(judged(condition, [100]).state, 'ok');
  assert.equal(judged(condition, [119], { ...OPTIONS, isAlerting: true }).state, 'alerting');
  assert.equal(judged(condition, [120], { ...OPTIONS, isAlerting: true }).state, 'ok');
  for (const [operator, holds] of [
    ['gt', false],
    ['gte', true],
    ['lte', true],
    ['lt', false],
  ] as const) {
    const state = judged({ type: 'threshold', operator, value: 5 }, [5]).state;
    assert.equal(state, holds ? 'alerting' : 'ok', operator);
  }
});

test('judge: changes are relative to the bucket before', () => {
  const fall = { type: 'change', operator: 'lte', ratio: -0.2, compareTo: 'previous_period' } as const;
  assert.equal(judged(fall, [100, 80]).state, 'alerting');
  assert.equal(judged(fall, [100, 81]).state, 'ok');
  assert.equal(judged(fall, [-100, -121]).state, 'alerting');
  assert.equal(judged(fall, [80]).state, 'ok', 'nothing to compare with');
  assert.equal(judged(fall, [0, 0]).state, 'ok');
  const rise = { ...fall, operator: 'gt', ratio: 5 } as const;
  assert.equal(judged(rise, [0, 1]).state, 'alerting', 'from nothing');
});

test('judge: no value is no data, and no event is what no_data waits for', () => {
  const threshold = { type: 'threshold', operator: 'gt', value: 1 } as const;
  assert.equal(judged(threshold, [5, null]).state, 'no_data');
  assert.equal(judged(threshold, []).state, 'no_data');
  assert.equal(judged({ type: 'no_data' }, [0], OPTIONS, 0).state, 'alerting');
  assert.equal(judged({ type: 'no_data' }, [0], OPTIONS, 3).state, 'ok');
});

test('judge: anomalies are unlike the same weekday of the weeks before', () => {
  const usual = Array.from({ length: 42 }, (_, day) => (day % 7 >= 5 ? 10 : 100) + (day % 3));
  const anomaly = { type: 'anomaly' } as const;
  assert.equal(judged(anomaly, [...usual, 100]).state, 'ok');
  assert.deepEqual(judged(anomaly, [...usual, 10]), {
    state: 'alerting',
    bucket: dayOf(42),
    value: 10,
    comparedWith: 101,
  });
  assert.equal(judged(anomaly, usual.slice(0, 40)).state, 'ok', 'a weekend is low');
  assert.equal(judged(anomaly, [1, 2, 900]).state, 'ok', 'too little is known');
});
