import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Condition, type JudgeOptions, judge } from '../../../../src/core/watch/alerts/conditions.ts';
import {
  type CheckedState,
  INITIAL_MEMORY,
  type Memory,
  transition,
} from '../../../../src/core/watch/alerts/transition.ts';

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

const HOUR = 3_600_000;

function run(
  found: CheckedState[],
  { cooldown = 0, step = HOUR }: { cooldown?: number; step?: number } = {},
): string[] {
  let memory: Memory = INITIAL_MEMORY;
  return found.map((one, index) => {
    const result = transition(memory, one, index * step, cooldown);
    memory = result.memory;
    return `${memory.state}${result.notifies ? '!' : ''}`;
  });
}

test('transition: tells once of a state, and of its end after two checks', () => {
  assert.deepEqual(run(['ok', 'alerting', 'alerting', 'ok', 'alerting', 'ok', 'ok', 'ok']), [
    ...['ok', 'alerting!', 'alerting', 'alerting', 'alerting', 'alerting', 'ok!', 'ok'],
  ]);
});

test('transition: no data is a state of its own', () => {
  assert.deepEqual(run(['no_data', 'no_data', 'alerting', 'no_data', 'ok', 'ok']), [
    ...['no_data!', 'no_data', 'alerting!', 'no_data!', 'no_data', 'ok!'],
  ]);
});

test('transition: a message for three failures in a row, and for the end', () => {
  assert.deepEqual(run(['failed', 'failed', 'ok', 'failed', 'failed', 'failed', 'failed', 'ok']), [
    ...['ok', 'ok', 'ok', 'ok', 'ok', 'failing!', 'failing', 'ok!'],
  ]);
  assert.deepEqual(run(['alerting', 'failed', 'alerting']), ['alerting!', 'alerting', 'alerting']);
  assert.deepEqual(run(['failed', 'failed', 'failed', 'alerting']), ['ok', 'ok', 'failing!', 'alerting!']);
});

test('transition: within the cool-down no message; at its end one, if the state lasts', () => {
  const cooldown = 4 * HOUR;
  assert.deepEqual(run(['alerting', 'ok', 'ok', 'alerting', 'alerting', 'alerting'], { cooldown }), [
    ...['alerting!', 'alerting', 'ok!', 'alerting', 'alerting!', 'alerting'],
  ]);
  // It ended before: no message about it, nor about its end.
  assert.deepEqual(run(['alerting', 'ok', 'ok', 'alerting', 'ok', 'ok'], { cooldown: 24 * HOUR }), [
    ...['alerting!', 'alerting', 'ok!', 'alerting', 'alerting', 'ok'],
  ]);
});

test('transition: a clock that is set back silences nothing', () => {
  const sent = transition(INITIAL_MEMORY, 'alerting', 10 * HOUR, HOUR).memory;
  const ended = transition(transition(sent, 'ok', HOUR, HOUR).memory, 'ok', HOUR, HOUR).memory;
  assert.equal(transition(ended, 'alerting', 2 * HOUR, HOUR).notifies, true);
});

test('transition: messages alternate, and none repeats a state', () => {
  const checks = fc.array(fc.constantFrom<CheckedState>('ok', 'alerting', 'no_data', 'failed'), { maxLength: 60 });
  const hours = fc.constantFrom(0, 2, 5);
  fc.assert(
    fc.property(checks, hours, (found, cooldown) => {
      const sent = run(found, { cooldown: cooldown * HOUR }).filter((state) => state.endsWith('!'));
      for (const [index, state] of sent.entries()) assert.notEqual(state, sent[index - 1]);
      assert.notEqual(sent[0], 'ok!', 'the end of nothing');
    }),
    { seed: 25, numRuns: 500 },
  );
});
