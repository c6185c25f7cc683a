import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../support/app.ts';
import { sharedApp, workspace } from './support.ts';

/** Texts of 20,000 characters; the last two differ in their last character alone. */
const TEXTS = ['a', 'b', 'same'].map((name) => name.padEnd(20_000, '-')).concat(`${'same'.padEnd(19_999, '-')}!`);
const DAY = '2026-03-02';
const PROMPTS = TEXTS.flatMap((prompt, index) =>
  Array.from({ length: 10 - index }, () => ({
    eventName: 'asked',
    timestamp: `${DAY}T12:00:00Z`,
    properties: { prompt, listed: [prompt] },
  })),
);
const SHOWN = /^(a|b|same)-+\.\.\. \(20000 characters, [0-9a-f]{8}\)$/;

for (const group_by of ['prompt', ['prompt', 'eventName'], 'listed']) {
  test(`groups: long texts of ${JSON.stringify(group_by)} are shortened, and stay apart`, async () => {
    const { aggregate } = await workspace(PROMPTS);
    const asked = { eventName: 'asked', aggregation: 'count', group_by, dateFrom: DAY, dateTo: DAY };
    const before = [...PROMPTS.slice(0, 3)].map((event) => ({ ...event, timestamp: '2026-03-01T12:00:00Z' }));
    const compared = await workspace([...PROMPTS, ...before]);
    const textOf = ({ group }: { group: unknown }) =>
      typeof group === 'string' ? group : (group as { prompt: string }).prompt;
    const { groups } = await aggregate(asked);
    assert.deepEqual(
      groups.map(({ value }: { value: number }) => value),
      [10, 9, 8, 7],
    );
    const texts = groups.map(textOf);
    assert.equal(new Set(texts).size, 4);
    if (group_by !== 'listed') for (const text of texts) assert.match(text, SHOWN);
    for (const text of texts) assert.ok(text.length < 250, text);
    const { series } = await aggregate({ ...asked, dateGrouping: 'hour' });
    assert.deepEqual([...new Set(series.map(textOf))], texts);
    const { groups: both } = await compared.aggregate({ ...asked, compareTo: 'previous_period' });
    assert.deepEqual(
      both.map(({ previous }: { previous: { value: number } }) => previous.value),
      [3, 0, 0, 0],
    );
  });
}

test('explain_change: groups of long texts are shortened, and stay apart', async () => {
  const { call } = await workspace(PROMPTS);
  const { data } = await call('explain_change', {
    eventName: 'asked',
    aggregation: 'count',
    dateFrom: DAY,
    dateTo: DAY,
    properties: ['prompt'],
  });
  const texts = data.contributions.map(({ group }: { group: string }) => group);
  assert.equal(new Set(texts).size, 4);
  for (const text of texts) assert.match(text, SHOWN);
});

test('series: groups times buckets beyond 20,000 points are refused with advice', async () => {
  const { call, aggregate } = await workspace(
    Array.from({ length: 30 }, (_, index) => ({
      eventName: 'seen',
      timestamp: `${DAY}T12:00:00Z`,
      properties: { page: `page ${index}` },
    })),
  );
  const asked = {
    eventName: 'seen',
    aggregation: 'count',
    group_by: 'page',
    dateGrouping: 'hour',
    dateFrom: '2026-02-01',
    dateTo: '2026-03-10',
  };
  const { isError, text } = await call('aggregate_events', { ...asked, limit: 500 });
  assert.equal(isError, true);
  assert.match(text, /limit: 30 groups of 912 points each are more than 20,000 points; use a limit of at most 20,/);
  assert.match((await aggregate({ ...asked, limit: 20 })).truncated, /of 19152 points fit in 40 KB/);
});

test('events/query: a page of large rows ends at 4 MB, and says where to go on', async () => {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: 'large rows' });
  const key = await app.newKey({ tenant });
  const events = Array.from({ length: 100 }, (_, index) => ({
    eventName: 'large',
    properties: { text: `${index}`.padEnd(60_000, 'x') },
  }));
  await app.ingest(events, key);
  const ask = async (asked: object) => {
    const answer = await app.request('POST', `${EVENTS}/query`, { eventName: 'large', ...asked }, { 'x-api-key': key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.ok(Buffer.byteLength(JSON.stringify(answer.body)) < 4.1 * 1024 * 1024);
    return answer.body;
  };
  for (const asked of [
    {},
    { sortBy: 'text' },
    { mode: 'aggregate', groupBy: 'text' },
    { sortBy: 'timestamp', sortOrder: 'asc' },
  ]) {
    const first = await ask(asked);
    const { length } = first.rows;
    assert.ok(length >= 60 && length < 80, `${length} rows`);
    assert.equal(first.total, 100);
    assert.match(
      first.notes.join(),
      new RegExp(`only ${length} of the 100 asked for fit in 4 MB. Go on with offset ${length}`),
    );
    const second = await ask({ ...asked, offset: length });
    const texts = [...first.rows, ...second.rows].map(({ text }) => text);
    assert.equal(new Set(texts).size, 100);
    assert.equal(second.notes, undefined);
  }
});
