import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingestEventSchema } from '../../src/core/analytics/events/ingest-schema.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import { parseUtc } from '../../src/core/base/time/time.ts';
import { demoEvents } from '../../src/demo/workspace.ts';
import { DAY, eventsUntil, HOUR, MOMENTS, midnightOf, NOW, Part } from './support.ts';

test('demoEvents: the same time and seed give the same events, another seed others', (t) => {
  const events = eventsUntil(NOW);
  const zone = process.env.TZ;
  t.after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Asia/Kathmandu';
  assert.notEqual(new Date(NOW).getTimezoneOffset(), 0, 'the process is elsewhere');
  assert.deepEqual([...demoEvents({ now: NOW, seed: 1, days: 90 })], events);

  const ids = new Set(events.map(({ id }) => id));
  assert.ok([...demoEvents({ now: NOW, seed: 2 })].every(({ id }) => !ids.has(id)));
});

test('demoEvents: later on the same day the events are the same, and more', () => {
  const earlier = eventsUntil(NOW);
  const later = [...demoEvents({ now: NOW + 3 * HOUR })];
  assert.ok(later.length > earlier.length);
  assert.deepEqual(later.slice(0, earlier.length), earlier);
});

test('demoEvents: the next day adds its events and little else', () => {
  const known = new Set(eventsUntil(NOW).map(({ id }) => id));
  const added = [...demoEvents({ now: NOW + DAY })].filter(({ id }) => !known.has(id));
  const ofBefore = added.filter(({ timestamp }) => Date.parse(timestamp) <= NOW).length;
  assert.ok(ofBefore < known.size * 0.03, `${ofBefore} events more in the past`);
});

test('demoEvents: ingestion accepts every event, and none is in the future', () => {
  for (const event of eventsUntil(NOW)) {
    const { timestamp, properties } = parse(ingestEventSchema, event);
    const instant = parseUtc(timestamp!)!;
    assert.ok(instant >= midnightOf(NOW) - 90 * DAY && instant <= NOW, event.id);
    assert.equal(new Date(instant).toISOString(), event.timestamp);
    assert.deepEqual(JSON.parse(JSON.stringify(properties)), event.properties);
  }
});

test('demoEvents: oldest first, with unique ids, in a number imported in seconds', () => {
  for (const now of MOMENTS) {
    const events = eventsUntil(now);
    assert.ok(events.length >= 25_000 && events.length <= 35_000, `${events.length} events`);
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    assert.ok(events.every(({ timestamp }, index) => index === 0 || timestamp >= events[index - 1]!.timestamp));
  }
});

test('demoEvents: fewer days are the end of the same events', () => {
  const week = [...demoEvents({ now: NOW, days: 7 })];
  const ids = new Set(eventsUntil(NOW).map(({ id }) => id));
  assert.ok(week.length > 1_500 && week.every(({ id }) => ids.has(id)));
});

test('demoEvents: a conversation starts once, ends at most once, then only feedback', () => {
  const threads = Map.groupBy(eventsUntil(NOW), ({ threadId }) => threadId);
  for (const [threadId, events] of threads) {
    const names = events.map(({ eventName }) => eventName);
    const ends = names.filter((name) => name === 'conversation_resolved' || name === 'conversation_escalated');
    assert.equal(names[0], 'conversation_started', threadId);
    assert.equal(names.lastIndexOf('conversation_started'), 0, threadId);
    assert.ok(ends.length <= 1, threadId);
    if (ends.length === 1) {
      const after = names.slice(names.indexOf(ends[0]!) + 1);
      assert.ok(after.length === 0 || (after.length === 1 && after[0] === 'feedback_given'), threadId);
    }
  }
});

test('demoEvents: the end of a conversation summarises its events', () => {
  const threads = Map.groupBy(eventsUntil(NOW), ({ threadId }) => threadId);
  for (const [threadId, events] of threads) {
    const started = events[0]!;
    for (const { eventName, timestamp, properties } of events) {
      for (const key of ['channel', 'plan', 'topic']) {
        if (key in properties)
          assert.equal(properties[key], started.properties[key], `${threadId} ${eventName} ${key}`);
      }
      if (eventName !== 'conversation_resolved') continue;
      const minutes = (Date.parse(timestamp) - Date.parse(started.timestamp)) / 60_000;
      assert.ok(Math.abs(Number(properties.minutes) - minutes) < 0.06, threadId);
      assert.equal(properties.replies, new Part(events).count('agent_replied'), threadId);
    }
  }
});

test('demoEvents: refunds need a successful tool call, and are in cents', () => {
  for (const events of Map.groupBy(eventsUntil(NOW), ({ threadId }) => threadId).values()) {
    const refund = events.find(({ eventName }) => eventName === 'refund_issued');
    const paid = events.some(({ properties }) => properties.tool === 'issue_refund' && properties.success === true);
    assert.equal(refund !== undefined, paid, events[0]!.threadId);
    if (refund) assert.match(String(refund.properties.amount), /^\d+(\.\d{1,2})?$/);
  }
});

test('demoEvents: every event has the properties that the story groups by', () => {
  const keys: Record<string, string[]> = {
    conversation_started: ['channel', 'plan', 'language', 'topic', 'customer'],
    agent_replied: ['model', 'latencyMs', 'tokens', 'costUsd', 'topic'],
    tool_called: ['tool', 'success', 'durationMs'],
    conversation_resolved: ['minutes', 'replies', 'channel', 'plan', 'topic', 'resolvedBy'],
    conversation_escalated: ['reason', 'channel', 'plan', 'topic'],
    feedback_given: ['score', 'plan', 'topic'],
    refund_issued: ['amount', 'currency', 'plan'],
  };
  const events = eventsUntil(NOW);
  assert.deepEqual([...new Set(events.map(({ eventName }) => eventName))].sort(), Object.keys(keys).sort());
  for (const { id, eventName, executionId, properties } of events) {
    const given = Object.keys(properties).filter((key) => key !== 'comment');
    assert.deepEqual(given, keys[eventName], id);
    assert.equal(executionId !== undefined, ['agent_replied', 'tool_called', 'refund_issued'].includes(eventName), id);
  }
});
