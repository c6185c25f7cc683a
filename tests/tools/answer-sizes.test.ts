import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { bytesOf, MAX_BYTES, TICKETS } from './answer-support.ts';
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

/** Follows nextOffset to the end, checking each page. */
async function allPages(query: (args: object) => Promise<Page>, args: object): Promise<Page[]> {
  const pages: Page[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: Page = await query({ ...args, offset });
    assert.ok(bytesOf(page) <= MAX_BYTES, `${bytesOf(page)} bytes`);
    assert.ok(page.nextOffset === undefined || page.nextOffset > offset, `${page.nextOffset} after ${offset}`);
    pages.push(page);
    offset = page.nextOffset;
    assert.ok(pages.length < 200, 'pages without end');
  }
  return pages;
}

interface Page {
  rows: Record<string, unknown>[];
  total: number;
  nextOffset?: number;
  note?: string;
}

rareTest('query_events: pages stay below 40 KB and nextOffset has no gap or overlap', async () => {
  const length = 130;
  const { query } = await workspace(
    Array.from({ length }, (_, index) => ({
      eventName: 'long',
      // Groups of ten share a timestamp: paging needs a stable order.
      timestamp: new Date(Date.UTC(2026, 2, 1) + Math.floor(index / 10) * 1_000).toISOString(),
      properties: { index, text: 'ü€'.repeat(1 + ((index * 37) % 900)) },
    })),
  );
  for (const args of [{ limit: 500 }, { limit: 7 }, { limit: 50, sortBy: 'text' }, { sortOrder: 'asc' }]) {
    const pages = await allPages(query, { eventName: 'long', ...args });
    const rows = pages.flatMap((page) => page.rows);
    assert.equal(rows.length, length);
    assert.equal(new Set(rows.map((row) => row.index)).size, length);
    for (const page of pages) assert.equal(page.total, length);
  }
  const [first] = await allPages(query, { eventName: 'long', limit: 500 });
  const kept = first!.rows.length;
  assert.equal(first!.nextOffset, kept);
  assert.match(
    first!.note ?? '',
    new RegExp(`Only ${kept} of the \\d+ rows asked for fit in 40 KB\\. .*go on with offset ${kept}`),
  );
  assert.match(first!.note ?? '', new RegExp(`of ${length}\\b`));
});

test('query_events: groups page in the same way', async () => {
  const length = 300;
  const { query } = await workspace(
    Array.from({ length }, (_, index) => ({ eventName: 'g', properties: { key: `${index}`.padEnd(400, '-') } })),
  );
  const pages = await allPages(query, { eventName: 'g', mode: 'aggregate', groupBy: 'key', limit: 500 });
  assert.ok(pages.length > 2);
  assert.equal(new Set(pages.flatMap((page) => page.rows.map((row) => row.key))).size, length);
});

test('query_events: 20 rows by default, at most 500; the last page has no nextOffset', async () => {
  const { query } = await workspace(
    Array.from({ length: 620 }, (_, index) => ({ eventName: 'many', properties: { index } })),
  );
  const byDefault = await query({ eventName: 'many' });
  assert.equal(byDefault.rows.length, 20);
  assert.equal(byDefault.nextOffset, 20);
  assert.equal(byDefault.total, 620);
  const most = await query({ eventName: 'many', columns: ['index'], limit: 1_000_000 });
  assert.equal(most.rows.length, 500);
  assert.equal(most.nextOffset, 500);
  const last = await query({ eventName: 'many', columns: ['index'], limit: 500, offset: 500 });
  assert.equal(last.rows.length, 120);
  assert.equal('nextOffset' in last, false);
});

test('query_events: an offset beyond the last row is explained', async () => {
  const { query } = await workspace(TICKETS);
  const { rows, total, note } = await query({ eventName: 'ticket_opened', offset: 100 });
  assert.deepEqual(rows, []);
  assert.equal(total, 5);
  assert.match(note ?? '', /Offset 100 is beyond the last of 5 rows/);
});

test('query_events: a row above 40 KB is named and skipped; all others are returned', async () => {
  const huge = [0, 3, 6];
  const { query } = await workspace(
    Array.from({ length: 7 }, (_, index) => ({
      eventName: 'mixed',
      timestamp: new Date(Date.UTC(2026, 2, 1) - index * 1_000).toISOString(),
      properties: { index, text: 'x'.repeat(huge.includes(index) ? 60_000 : 10) },
    })),
  );
  const pages = await allPages(query, { eventName: 'mixed' });
  assert.deepEqual(
    pages.flatMap((page) => page.rows.map((row) => row.index)),
    [1, 2, 4, 5],
  );
  const notes = pages.map((page) => page.note ?? '');
  for (const offset of huge) {
    assert.ok(
      notes.some((note) =>
        note.includes(`Row ${offset + 1} of 7 does not fit in 40 KB and was left out: name fewer columns`),
      ),
    );
  }
  for (const note of notes) {
    const [, from, to] = /Rows (-?\d+) to (-?\d+)/.exec(note) ?? [];
    assert.ok(from === undefined || Number(from) <= Number(to), `"${note}" counts backwards`);
  }
  const { rows } = await query({ eventName: 'mixed', columns: ['index'] });
  assert.equal(rows.length, 7);
});

test('query_events: an event with very many property keys can be read', async () => {
  const { query } = await workspace(
    Array.from({ length: 900 }, (_, index) => ({ eventName: 'wide', properties: { [`key_number_${index}`]: index } })),
  );
  const { rows, note } = await query({ eventName: 'wide', limit: 3 });
  assert.ok(rows.length > 0, note);
});

test('aggregate_events, query_events: long filters stay within 40 KB and keep rows', async () => {
  const { aggregate, query } = await workspace(TICKETS);
  const eventName = 'ticket_opened';
  const values = Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(100, 'v'));
  const filters = [{ propertyKey: 'plan', operator: 'notIn', value: values }];
  const kpi = await aggregate({ eventName, aggregation: 'count', filters });
  assert.equal(kpi.value, 5);
  assert.equal('truncated' in kpi, false, kpi.truncated);
  const table = await query({ eventName, filters });
  assert.equal(table.rows.length, 5, table.note);
  for (const answer of [kpi, table]) assert.ok(bytesOf(answer) <= MAX_BYTES, `${bytesOf(answer)} bytes`);
});

test('query_events: many unknown names are explained within 40 KB', async () => {
  const { query } = await workspace(TICKETS);
  const columns = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(90, 'c'));
  const answer = await query({ eventName: 'ticket_opened', columns });
  assert.ok(bytesOf(answer) <= MAX_BYTES, `${bytesOf(answer)} bytes`);
});
