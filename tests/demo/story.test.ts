import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, eventsUntil, HOUR, MOMENTS, midnightOf, NOW, outageOf, Part } from './support.ts';

const MONEY = ['billing', 'refund'];
const OTHERS = ['login', 'shipping', 'bug', 'how_to'];

/** The ordinary days before the outage. */
function usual(now: number): Part {
  return new Part(eventsUntil(now)).between(0, midnightOf(now) - 5 * DAY);
}

function duringOutage(now: number): Part {
  const { from, to } = outageOf(now);
  return new Part(eventsUntil(now)).between(from, to);
}

/** Conversations about money in the outage's hours of an earlier week: the mean of four. */
function usuallyStarted(now: number): number {
  const { from, to } = outageOf(now);
  const money = new Part(eventsUntil(now)).having('topic', ...MONEY);
  const weeks = [1, 2, 3, 4].map((week) => money.between(from - week * 7 * DAY, to - week * 7 * DAY));
  return weeks.reduce((sum, week) => sum + week.count('conversation_started'), 0) / weeks.length;
}

/** The 90 whole days, the oldest first. */
function daily(now: number): Part[] {
  const days = Map.groupBy(eventsUntil(now), ({ timestamp }) => timestamp.slice(0, 10));
  return [...days.values()].slice(0, 90).map((events) => new Part(events));
}

test('Demo story: weekends are quiet, nights quieter, and the volume grows', () => {
  const started = usual(NOW);
  const perDay = (keep: (date: Date) => boolean, days: number) =>
    started.where(({ timestamp }) => keep(new Date(timestamp))).count('conversation_started') / days;
  const isWeekend = (date: Date) => [0, 6].includes(new Date(date.getTime() - 3 * HOUR).getUTCDay());
  const weekend = perDay(isWeekend, 2);
  const working = perDay((date) => !isWeekend(date), 5);
  assert.ok(weekend < working * 0.6 && weekend > working * 0.35, `${weekend} against ${working}`);

  const morning = perDay((date) => date.getUTCHours() === 13, 1);
  const night = perDay((date) => date.getUTCHours() === 6, 1);
  assert.ok(night > 0 && night < morning / 10, `${night} at night, ${morning} in the morning`);

  const start = midnightOf(NOW) - 90 * DAY;
  const firstMonth = started.between(start, start + 28 * DAY).count('conversation_started');
  const lastMonth = started.between(start + 56 * DAY, start + 84 * DAY).count('conversation_started');
  assert.ok(lastMonth > firstMonth * 1.12 && lastMonth < firstMonth * 1.4, `${firstMonth} to ${lastMonth}`);
});

test('Demo story: four of five are resolved, fewer about bugs and refunds', () => {
  for (const now of MOMENTS) {
    const rate = usual(now).resolutionRate();
    assert.ok(rate > 0.81 && rate < 0.85, `${rate}`);
    const [free, enterprise] = ['free', 'enterprise'].map((plan) => usual(now).having('plan', plan).resolutionRate());
    assert.ok(enterprise! > free! + 0.02, `${free} for free, ${enterprise} for enterprise`);
    const escalations = usual(now).having('topic', 'bug', 'refund').count('conversation_escalated');
    assert.ok(escalations > usual(now).count('conversation_escalated') / 2, 'more than all other topics');
  }
});

test('Demo story: the resolution rate of the last seven days is lower than before', () => {
  for (const now of MOMENTS) {
    const events = new Part(eventsUntil(now));
    const last = events.between(midnightOf(now) - 7 * DAY, now).resolutionRate();
    const before = events.between(midnightOf(now) - 14 * DAY, midnightOf(now) - 7 * DAY).resolutionRate();
    assert.ok(before - last > 0.07 && before - last < 0.18, `${before} to ${last} at ${new Date(now).toISOString()}`);
  }
});

test('Demo story: payment topics triple and are resolved a quarter of the time', () => {
  for (const now of MOMENTS) {
    const money = duringOutage(now).having('topic', ...MONEY);
    const surge = money.count('conversation_started') / usuallyStarted(now);
    assert.ok(surge > 2.3 && surge < 4.5, `${surge} times`);
    assert.ok(Math.abs(money.resolutionRate() - 0.26) < 0.1, `${money.resolutionRate()}`);

    const others = duringOutage(now).having('topic', ...OTHERS);
    const change =
      others.resolutionRate() -
      usual(now)
        .having('topic', ...OTHERS)
        .resolutionRate();
    assert.ok(Math.abs(change) < 0.08, `${change} for the other topics`);
  }
});

test('Demo story: payment tools fail, conversations escalate, and scores fall', () => {
  for (const now of MOMENTS) {
    const failing = duringOutage(now).having('tool', 'lookup_order', 'issue_refund');
    const failed = failing.having('success', false).count('tool_called') / failing.count('tool_called');
    assert.ok(failed > 0.5, `${failed} of the calls`);
    const others = duringOutage(now).having('tool', 'search_help', 'reset_password');
    assert.ok(others.having('success', false).count('tool_called') < others.count('tool_called') * 0.15);

    const escalated = duringOutage(now).count('conversation_escalated');
    const forTools = duringOutage(now).having('reason', 'tool_failure').count('conversation_escalated');
    assert.ok(forTools > escalated * 0.4, `${forTools} of ${escalated}`);
    const scores = [usual(now), duringOutage(now)].map((part) => part.mean('feedback_given', 'score'));
    assert.ok(scores[0]! > 4 && scores[1]! < scores[0]! - 0.5, `${scores}`);
  }
});

test('Demo story: the outage shows in daily escalations and latency', () => {
  for (const now of MOMENTS) {
    const days = daily(now);
    const usualDays = days.slice(0, 85);
    const worst = days[87]!; // the whole day in the middle of the outage
    const most = Math.max(...usualDays.map((day) => day.count('conversation_escalated')));
    assert.ok(worst.count('conversation_escalated') > most, `${worst.count('conversation_escalated')} against ${most}`);
    const slowest = Math.max(...usualDays.map((day) => day.p95('agent_replied', 'latencyMs')));
    const slow = worst.p95('agent_replied', 'latencyMs');
    assert.ok(slow > slowest * 1.1, `${slow} against ${slowest}`);
  }
});

test('Demo story: few conversations of the day before are cut off by now', () => {
  for (const now of MOMENTS) {
    const rate = new Part(eventsUntil(now)).between(now - DAY, now).resolutionRate();
    assert.ok(rate > 0.72, `${rate} at ${new Date(now).toISOString()}`);
  }
});

test('Demo story: the newer model of the last month is faster and cheaper', () => {
  const [older, newer] = ['aurora-2', 'aurora-3'].map((model) => new Part(eventsUntil(NOW)).having('model', model));
  const month = midnightOf(NOW) - 31 * DAY;
  assert.equal(newer!.between(0, month).count('agent_replied'), 0);
  const lastWeek = [older!, newer!].map((part) => part.between(NOW - 7 * DAY, NOW).count('agent_replied'));
  assert.ok(lastWeek[1]! > lastWeek[0]! * 8, `${lastWeek}`);
  const before = NOW - 5 * DAY;
  for (const key of ['latencyMs', 'costUsd']) {
    assert.ok(
      newer!.between(0, before).mean('agent_replied', key) < older!.between(0, before).mean('agent_replied', key),
    );
  }
});

test('Demo story: customers comment in their language, with accents', () => {
  const comments = new Set(eventsUntil(NOW).map(({ properties }) => properties.comment));
  assert.ok(comments.has('Rápido e claro, obrigado!') && comments.has('Quick and to the point.'), [...comments].join());
  assert.ok(comments.size > 20);
});
