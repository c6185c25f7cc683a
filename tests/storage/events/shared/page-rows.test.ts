import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../../../src/core/analytics/events/predicates.ts';
import type { RawPlan } from '../../../../src/core/analytics/events/query-plan.ts';
import { type PageLine, rowsOfPage } from '../../../../src/storage/events/shared/page-rows.ts';

const KB = 1024;
const MB = 1024 * KB;

function planOf(plan: Partial<RawPlan> = {}): RawPlan {
  return {
    kind: 'raw',
    selection: { agentId: null, eventNames: null, from: null, to: null, predicates: [] },
    columns: [{ kind: 'properties' }],
    sort: { field: fieldOf('timestamp'), descending: true },
    limit: 1_000,
    offset: 0,
    ...plan,
  };
}

/** Lines of so many characters, and the parts in which a page reads them. */
function source(characters: number, lines: number) {
  const text = JSON.stringify({ n: 1, text: 'x'.repeat(characters) });
  const parts: { limit: number; offset: number }[] = [];
  const read = async (part: { limit: number; offset: number }): Promise<PageLine[]> => {
    parts.push(part);
    return Array.from({ length: Math.max(0, Math.min(part.limit, lines - part.offset)) }, () => [text, 1_000, null]);
  };
  return { text, parts, read };
}

test('rowsOfPage: no part of a page of large events has more than some megabytes', async () => {
  const { text, parts, read } = source(60 * KB, 2_000);
  const rows = await rowsOfPage(planOf({ offset: 7, columns: [fieldOf('n')] }), 1_000, read);
  assert.equal(rows.length, 1_000);
  assert.ok(Math.max(...parts.map(({ limit }) => limit)) * text.length < 9 * MB);
  assert.deepEqual(
    parts.map(({ offset }) => offset),
    parts.map((_, at) => 7 + parts.slice(0, at).reduce((sum, { limit }) => sum + limit, 0)),
  );
});

test('rowsOfPage: small events are read in two parts', async () => {
  const { parts, read } = source(50, 2_000);
  await rowsOfPage(planOf(), 1_000, read);
  assert.deepEqual(parts, [
    { limit: 100, offset: 0 },
    { limit: 900, offset: 100 },
  ]);
});

test('rowsOfPage: a page ends before it has its bytes, and reads little more', async () => {
  const { text, parts, read } = source(1_000, 2_000);
  const rows = await rowsOfPage(planOf({ shownAs: ['properties'], page: 200 * KB }), 1_000, read);
  const bytes = rows.reduce((sum, [row]) => sum + (row as string).length, 0);
  assert.ok(bytes <= 200 * KB && bytes > 200 * KB - 2 * text.length);
  assert.ok(parts.reduce((sum, { limit }) => sum + limit, 0) <= rows.length + 2);
});

test('rowsOfPage: the first row of a page comes whatever its size', async () => {
  const { read } = source(60 * KB, 10);
  assert.equal((await rowsOfPage(planOf({ page: KB }), 10, read)).length, 1);
});

test('rowsOfPage: fewer lines than promised end the page', async () => {
  const { parts, read } = source(10, 30);
  assert.equal((await rowsOfPage(planOf(), 1_000, read)).length, 30);
  assert.equal(parts.length, 1);
});

test('rowsOfPage: a row is the JSON text of its columns, with the stored text as it is', async () => {
  const read = async (): Promise<PageLine[]> => [['{"n":1.0,"list":[{"a":"\\u00e9"}],"none":null}', 1_000, null]];
  const columns = [fieldOf('timestamp'), fieldOf('threadId')];
  const shown = ['timestamp', 'threadId'];
  const all = planOf({ columns: [...columns, { kind: 'properties' }], shownAs: [...shown, 'properties'] });
  assert.deepEqual(await rowsOfPage(all, 1, read), [
    [
      '{"timestamp":"1970-01-01T00:00:01.000Z","threadId":null,"properties":{"n":1.0,"list":[{"a":"\\u00e9"}],"none":null}}',
    ],
  ]);
  const keys = ['list.0.a', 'none', 'n', 'list.00.a', '__proto__'];
  const some = planOf({ columns: [...columns, ...keys.map(fieldOf)], shownAs: [...shown, ...keys] });
  const time = '"timestamp":"1970-01-01T00:00:01.000Z"';
  assert.deepEqual(await rowsOfPage(some, 1, read), [
    [`{${time},"threadId":null,"list.0.a":"é","none":null,"n":1,"list.00.a":null,"__proto__":null}`],
  ]);
  assert.deepEqual(await rowsOfPage({ ...some, sparse: true }, 1, read), [[`{${time},"list.0.a":"é","n":1}`]]);
  assert.deepEqual(await rowsOfPage(planOf({ columns: [...columns, ...keys.map(fieldOf)] }), 1, read), [
    [1_000, null, 'é', null, 1, null, null],
  ]);
});
