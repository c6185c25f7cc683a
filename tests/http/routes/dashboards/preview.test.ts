import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { assertError, assertNames, CARDS, MINIMAL, NUMBER, newDesk, newTenant, sharedApp, TYPES } from './support.ts';

const PREVIEW = `${CARDS}/preview`;
const MANY = `${CARDS}/render`;
const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';

test('POST preview: answers like the saved card, but saves nothing', async () => {
  const desk = await newDesk();
  for (const cardType of TYPES) {
    const body = { title: `A ${cardType}`, cardType, config: MINIMAL[cardType] };
    const preview = await desk.request('POST', PREVIEW, body);
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    assert.deepEqual(preview.body.card, { id: 'preview', title: body.title, cardType });
    assert.equal((await desk.cards()).total, 0);
    const { body: made } = await desk.request('POST', CARDS, body);
    const saved = await desk.request('GET', `${CARDS}/${made.id}/render`);
    assert.deepEqual(Object.keys(preview.body), Object.keys(saved.body));
    assert.deepEqual(preview.body.data, saved.body.data);
    await desk.request('DELETE', `${CARDS}/${made.id}`);
  }
});

test('POST preview: has the same 400 messages as creating the card', async () => {
  const desk = await newDesk();
  const configs = [
    { eventName: 'order', aggregation: 'sum' },
    { eventName: 'order', aggregation: 'count', dateFrom: 'whenever' },
    { eventName: 'order', aggregation: 'count', filters: [{ propertyKey: 'a', operator: 'eq' }] },
    { eventName: '', aggregation: 'most', colour: 'red' },
    { eventName: 'order', aggregation: 'count', timezone: 'Nowhere' },
  ];
  for (const config of configs) {
    const body = { title: 'Orders', cardType: 'number', config };
    const preview = await desk.request('POST', PREVIEW, body);
    assertError(preview, 400, 'Bad Request');
    assert.deepEqual(preview.body, (await desk.request('POST', CARDS, body)).body);
    assert.ok(
      preview.body.message.every((message: string) => message.startsWith('config.')),
      preview.body.message,
    );
  }
  const untitled = await desk.request('POST', PREVIEW, { ...NUMBER, title: '' });
  assert.deepEqual(untitled.body.message, ['title: must not be empty']);
});

test('POST preview: counts for the named agent, else for the agent of the key', async () => {
  const app = await sharedApp();
  const desk = await newDesk();
  await app.ingest([{ eventName: 'order', agentId: 'other' }], desk.key);
  const countAs = async (agentId?: string) =>
    (await desk.request('POST', PREVIEW, { ...NUMBER, ...(agentId && { agentId }) })).body.data.value;
  assert.deepEqual([await countAs(), await countAs('other')], [0, 1]);
});

test('POST render: cards in the order of ids, each with the answer of GET render', async () => {
  const [desk, theirs] = [await newDesk(), await newDesk(await newTenant())];
  const [first, second] = [await desk.card(), await desk.card({ title: 'Lines', cardType: 'line' })];
  const foreign = await theirs.card({ title: 'Their card' });
  const { status, body } = await desk.request('POST', MANY, { ids: [second.id, UNKNOWN, foreign.id, first.id] });
  assert.equal(status, 200, JSON.stringify(body));
  const [line, unknown, refused, number] = body.cards;
  for (const [answered, { id }] of [
    [line, second],
    [number, first],
  ] as const) {
    const { id: named, ...alone } = answered;
    assert.equal(named, id);
    assert.deepEqual(alone.card, (await desk.request('GET', `${CARDS}/${id}/render`)).body.card);
    assert.deepEqual(
      Object.keys(alone),
      ['card', 'data', 'basis', 'note', 'notes'].filter((name) => name in alone),
    );
  }
  for (const [failed, id] of [
    [unknown, UNKNOWN],
    [refused, foreign.id],
  ] as const) {
    const alone = await desk.request('GET', `${CARDS}/${id}/render`);
    assert.deepEqual(failed, { id, error: alone.body });
  }
  assert.doesNotMatch(JSON.stringify(body), /Their card/);
});

test('POST render: accepts 1 to 50 ids', async () => {
  const desk = await newDesk();
  const { id } = await desk.card();
  for (const ids of [[], Array(51).fill(id), undefined, 'x', [7]]) {
    const answer = await desk.request('POST', MANY, { ids });
    assertError(answer, 400, 'Bad Request');
    assert.match(answer.body.message[0], /^ids/);
  }
  const { body } = await desk.request('POST', MANY, { ids: Array(50).fill(id) });
  assert.equal(body.cards.length, 50);
  assert.ok(body.cards.every((card: { data: { value: number } }) => card.data.value === 0));
});

test('POST render: an invalid range is one 400 for all cards', async () => {
  const desk = await newDesk();
  const { id } = await desk.card();
  const wrong: [range: object, name: string][] = [
    [{ dateFrom: 'garbage' }, 'dateFrom'],
    [{ dateTo: 'garbage' }, 'dateTo'],
    [{ timezone: 'Nowhere' }, 'timezone'],
    [{ dateFrom: '2026-02-01', dateTo: '2026-01-01' }, 'dateTo'],
  ];
  for (const [range, name] of wrong) {
    assertNames(await desk.request('POST', MANY, { ids: [id, id], ...range }), name);
  }
  const { status, body } = await desk.request('POST', MANY, { ids: [id], dateTo: '2020-01-01' });
  assert.deepEqual([status, body.cards[0].error.statusCode], [200, 400], 'the dateFrom is that of the card');
});

test('POST render: an unexpected error fails only its card, as 500 with a requestId', async (t) => {
  const app = await testApp(t);
  const { id } = (await app.request('POST', CARDS, NUMBER)).body;
  const { id: other } = (await app.request('POST', CARDS, { ...NUMBER, cardType: 'line' })).body;
  const { events } = app.runtime;
  const answerKpi = events.answerKpi.bind(events);
  events.answerKpi = async (caller, resolved, options) => {
    if (resolved.question.dateGrouping) throw new TypeError('a defect');
    return answerKpi(caller, resolved, options);
  };
  const { status, body } = await app.request('POST', MANY, { ids: [other, id] });
  assert.equal(status, 200);
  const [{ error }, { data }] = body.cards;
  assert.equal(data.value, 0);
  assert.deepEqual([error.statusCode, error.error], [500, 'Internal Server Error']);
  assert.ok(error.requestId);
  assert.doesNotMatch(error.message, /a defect/);
});

test('POST render: a funnel is asked first, and answered in its place', async (t) => {
  const desk = await newDesk(await newTenant());
  const cards = [await desk.card(), await desk.card({ cardType: 'funnel', config: MINIMAL.funnel })];
  const ids = cards.map(({ id }) => id);
  const { events } = (await sharedApp()).runtime;
  const asked: string[] = [];
  for (const name of ['answerKpi', 'answerFunnel'] as const) {
    const answer = events[name].bind(events) as (...given: unknown[]) => Promise<never>;
    t.mock.method(events, name, (...given: unknown[]) => {
      asked.push(name);
      return answer(...given);
    });
  }
  const { body } = await desk.request('POST', MANY, { ids });
  assert.deepEqual(asked, ['answerFunnel', 'answerKpi']);
  assert.deepEqual(
    body.cards.map(({ id }: { id: string }) => id),
    ids,
  );
});

test('render: a range in the request replaces that of the card, on both routes', async (t) => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  await app.ingest([
    { eventName: 'order', timestamp: '2026-11-20T10:00:00Z' },
    { eventName: 'order', timestamp: '2026-11-01T10:00:00Z' },
    { eventName: 'order', timestamp: '2025-11-01T23:30:00Z' },
  ]);
  const config = { ...NUMBER.config, dateFrom: '2026-11-01', dateTo: '2026-11-10' };
  const { id } = (await app.request('POST', CARDS, { ...NUMBER, config })).body;
  const rendered = async (range: Record<string, string>) => {
    const alone = await app.request('GET', `${CARDS}/${id}/render?${new URLSearchParams(range)}`);
    const [{ id: _, ...among }] = (await app.request('POST', MANY, { ids: [id], ...range })).body.cards;
    assert.equal(alone.status, 200, JSON.stringify(alone.body));
    assert.deepEqual(among, alone.body);
    const { data, basis } = alone.body;
    return [data.value, basis.from, basis.to, basis.timezone];
  };
  const november = '2026-11-01T00:00:00.000Z';
  assert.deepEqual(await rendered({}), [1, november, '2026-11-11T00:00:00.000Z', 'UTC']);
  assert.deepEqual((await rendered({ dateFrom: '2025-01-01' })).slice(0, 2), [3, '2025-01-01T00:00:00.000Z']);
  assert.deepEqual(await rendered({ dateTo: '2026-11-20' }), [2, november, '2026-11-21T00:00:00.000Z', 'UTC']);
  const day = { dateFrom: '2025-11-02', dateTo: '2025-11-02' };
  assert.equal((await rendered(day))[0], 0);
  assert.deepEqual(await rendered({ ...day, timezone: 'Asia/Tokyo' }), [
    1,
    '2025-11-01T15:00:00.000Z',
    '2025-11-02T15:00:00.000Z',
    'Asia/Tokyo',
  ]);
});

test('render: with another range, a series takes a dateGrouping that suits it', async (t) => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const config = { ...NUMBER.config, dateFrom: '-1d', dateGrouping: 'hour' };
  const { id } = (await app.request('POST', CARDS, { ...NUMBER, cardType: 'line', config })).body;
  const points = async (query: string) =>
    (await app.request('GET', `${CARDS}/${id}/render${query}`)).body.data.series.length;
  assert.deepEqual([await points(''), await points('?timezone=Asia/Tokyo')], [37, 46], 'hours, also in another zone');
  assert.deepEqual([await points('?dateFrom=2026-10-01'), await points('?dateFrom=2026-01-01')], [52, 47]);
});
