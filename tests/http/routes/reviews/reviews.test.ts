import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { assertError, assertNames, UTC, UUID_V7 } from '../dashboards/support.ts';
import { COMMENT, EXECUTIONS, EXPORT, existsFor, newDesk, REVIEWS, reviewsOf, STATS } from './support.ts';

const NOTHING = {
  ...{ actionTaken: null, resolutionNotes: null, correctedOutput: null, updatedBy: null, resolvedBy: null },
  resolvedAt: null,
};

test('POST /executions/:id/reviews: every member is stored, returned, listed and found', async () => {
  const desk = await newDesk();
  const given = {
    agentId: 'billing',
    rating: 'needs_improvement',
    comment: 'Respondeu tarde.',
    priority: 'high',
    tags: ['a', 'b'],
  };
  const key = { 'x-api-key': await desk.newKey({ label: 'Ana Souza' }) };
  const answer = await desk.request('POST', reviewsOf('run/1'), given, key);
  assert.equal(answer.status, 201);
  const { id, createdAt, updatedAt, ...shown } = answer.body;
  const expected = { executionId: 'run/1', ...given, status: 'pending_review', reviewedBy: 'Ana Souza', ...NOTHING };
  assert.deepEqual(shown, expected);
  assert.match(id, UUID_V7);
  assert.match(createdAt, UTC);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(await desk.right('GET', `${REVIEWS}/${id}`), answer.body);
  assert.deepEqual(await desk.list(), { reviews: [answer.body], total: 1, limit: 50, offset: 0 });
});

test("POST /executions/:id/reviews: defaults; the key's agent comes first", async () => {
  const desk = await newDesk();
  const { priority, tags, status, agentId, reviewedBy } = await desk.review();
  assert.deepEqual([priority, tags, status, agentId, reviewedBy], ['medium', [], 'pending_review', 'support', 'test']);
  await desk.record({ id: 'run', agentId: 'billing' });
  assert.equal((await desk.review({}, 'run')).agentId, 'support');
  const unbound = { 'x-api-key': await desk.newKey({ agentId: null }) };
  const agentOf = async (executionId: string, members = {}) =>
    (await desk.right('POST', reviewsOf(executionId), { rating: 'good', comment: COMMENT, ...members }, unbound))
      .agentId;
  await desk.record({ id: 'run 2', agentId: 'billing' });
  assert.equal(await agentOf('run 2'), 'billing');
  assert.equal(await agentOf('not recorded'), 'default');
  assert.equal(await agentOf('not recorded either', { agentId: 'sales' }), 'sales');
});

test('POST /executions/:id/reviews: a second is 409 until the first is deleted', async () => {
  const desk = await newDesk();
  const first = await desk.review({}, 'run');
  const again = await desk.request('POST', reviewsOf('run'), { rating: 'good', comment: COMMENT, agentId: 'other' });
  assertError(again, 409, 'Conflict');
  assert.equal((await desk.list()).total, 1);
  const removed = await desk.request('DELETE', `${REVIEWS}/${first.id}`);
  assert.deepEqual([removed.status, removed.body, removed.headers.get('content-type')], [204, '', null]);
  assert.notEqual((await desk.review({}, 'run')).id, first.id);
  const other = await newDesk();
  assert.equal((await other.review({}, 'run')).executionId, 'run', 'the same name is another execution');
});

test('GET /executions/:id/reviews/exists: whether there is one, with a summary', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  await other.review({}, 'run');
  const exists = (executionId: string) => desk.right('GET', existsFor(executionId));
  for (const unknown of ['run', 'nothing', 'ü/?']) {
    assert.deepEqual(await exists(unknown), { exists: false, review: null });
  }
  const { id, createdAt } = await desk.review({ comment: 'Muito bom mesmo!', rating: 'good' }, 'run');
  const review = { id, rating: 'good', status: 'pending_review', comment: 'Muito bom mesmo!', createdAt };
  assert.deepEqual(await exists('run'), { exists: true, review });
  await desk.right('PATCH', `${REVIEWS}/${id}`, { status: 'wont_fix', comment: 'Está bom assim.' });
  assert.deepEqual(await exists('run'), {
    exists: true,
    review: { ...review, status: 'wont_fix', comment: 'Está bom assim.' },
  });
  await desk.right('DELETE', `${REVIEWS}/${id}`);
  assert.deepEqual(await exists('run'), { exists: false, review: null });
});

test('PATCH /reviews/:id: the given members change, with author and time', async () => {
  const desk = await newDesk();
  let expected = await desk.review({ tags: ['old'], priority: 'low' });
  const path = `${REVIEWS}/${expected.id}`;
  const key = { 'x-api-key': await desk.newKey({ label: 'Rui', scopes: ['reviews:write'] }) };
  for (const members of [
    { actionTaken: 'Pedimos desculpa.' },
    { actionTaken: null },
    { resolutionNotes: '' },
    { resolutionNotes: 'ok' },
    { correctedOutput: 'Chega amanhã.' },
    { correctedOutput: null },
    { comment: '  dez letras  ' },
    { priority: 'critical' },
    { tags: ['new', 'tags'] },
    { tags: [] },
    {
      status: 'in_progress',
      priority: 'medium',
      tags: ['x'],
      comment: 'outro texto',
      actionTaken: 'a',
      resolutionNotes: 'b',
      correctedOutput: 'c',
    },
  ]) {
    const answer = await desk.request('PATCH', path, members, key);
    assert.equal(answer.status, 200);
    assert.ok(answer.body.updatedAt >= expected.updatedAt);
    expected = { ...expected, ...members, updatedBy: 'Rui', updatedAt: answer.body.updatedAt };
    assert.deepEqual(answer.body, expected);
    assert.deepEqual(await desk.right('GET', path), expected);
  }
});

test('reviews: a comment has at least ten trimmed characters', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({}, 'known');
  const enough = ['dez letras', '  dez letras\n', '😀'.repeat(10), 'a b c d e f', 'é'.repeat(10), 'אבגדהוזחטי'];
  const short = [
    '',
    ' '.repeat(50),
    'nove letr',
    ' nove letr ',
    '\u00a0\u2003nove letr\ufeff\n',
    '😀'.repeat(9),
    'é'.repeat(9),
  ];
  for (const comment of enough) {
    assert.equal((await desk.review({ comment })).comment, comment);
    assert.equal((await desk.right('PATCH', `${REVIEWS}/${id}`, { comment })).comment, comment);
  }
  for (const comment of short) {
    for (const answer of [
      await desk.request('POST', reviewsOf('short'), { rating: 'bad', comment }),
      await desk.request('POST', reviewsOf('known'), { rating: 'bad', comment }),
      await desk.request('PATCH', `${REVIEWS}/${id}`, { comment, status: 'resolved' }),
      await desk.request('PATCH', `${REVIEWS}/nothing`, { comment }),
    ]) {
      assertError(answer, 422, 'Unprocessable Entity');
      assert.match(answer.body.message, /^comment: must have at least 10 characters/);
    }
  }
  assert.equal((await desk.right('GET', `${REVIEWS}/${id}`)).status, 'pending_review', 'nothing of it was changed');
  assert.deepEqual(await desk.right('GET', existsFor('short')), { exists: false, review: null });
});

const long = (length: number) => 'x'.repeat(length);

/** What the schema alone refuses is in refusals.golden.txt. */
const BAD_CREATES: [members: object, ...names: string[]][] = [
  [{ rating: null }, 'rating'],
  [{ comment: null }, 'comment'],
  [{ status: 'resolved' }, 'status'],
  [{ constructor: 1 }, 'constructor'],
];

test('POST /executions/:id/reviews: invalid members are 400 and not stored', async () => {
  const desk = await newDesk();
  for (const [members, ...names] of BAD_CREATES) {
    assertNames(
      await desk.request('POST', reviewsOf('run'), { rating: 'bad', comment: COMMENT, ...members }),
      ...names,
    );
  }
  assertNames(
    await desk.request('POST', reviewsOf('run'), '{"rating":"bad","comment":"dez letras","__proto__":{}}'),
    '__proto__',
  );
  assertNames(await desk.request('POST', reviewsOf(long(201)), { rating: 'bad', comment: COMMENT }), 'executionId');
  assertNames(await desk.request('POST', reviewsOf('a\0b'), { rating: 'bad', comment: COMMENT }), 'executionId');
  assert.equal((await desk.list()).total, 0);
});

const BESIDE = { actionTaken: 'something right' };

const BAD_UPDATES: [members: object, ...names: string[]][] = [
  [{ rating: 'good' }, 'rating'],
  [{ executionId: 'x', id: 'y' }, 'executionId', 'id'],
  [{ tags: [' ', ''] }, 'tags[1]'],
];

test('PATCH /reviews/:id: invalid members are named with 400, nothing changes', async () => {
  const desk = await newDesk();
  const review = await desk.review();
  assertNames(await desk.request('PATCH', `${REVIEWS}/${review.id}`, {}), 'input');
  for (const [members, ...names] of BAD_UPDATES) {
    assertNames(await desk.request('PATCH', `${REVIEWS}/${review.id}`, { ...BESIDE, ...members }), ...names);
  }
  assert.deepEqual(await desk.right('GET', `${REVIEWS}/${review.id}`), review);
});

test('reviews: values at the limits are stored in every JSON spelling', async () => {
  const desk = await newDesk();
  const tags = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, '語'));
  const comment = '語'.repeat(10_000);
  const review = await desk.review({ comment, tags, agentId: long(200) }, long(200));
  assert.deepEqual([review.comment, review.tags], [comment, tags]);
  const texts = {
    actionTaken: comment,
    resolutionNotes: comment,
    correctedOutput: '語'.repeat(200_000),
    comment,
    tags,
  };
  const escaped = JSON.stringify(texts).replaceAll('語', '\\u8a9e');
  for (const body of [JSON.stringify(texts), escaped]) {
    const answer = await desk.request('PATCH', `${REVIEWS}/${review.id}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 200));
    assert.deepEqual({ ...answer.body, ...texts }, answer.body);
  }
});

test('reviews: each tag is stored once, in order', async () => {
  const desk = await newDesk();
  const tags = ['b', 'a', 'b', 'A', ' a', 'a'];
  assert.deepEqual((await desk.review({ tags })).tags, ['b', 'a', 'A', ' a']);
});

test('reviews: an execution recorded later keeps its review', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({ agentId: 'billing' }, 'run');
  await desk.record({ id: 'run', output: 'x' });
  assert.equal((await desk.right('GET', existsFor('run'))).review.id, id);
  assertError(await desk.request('POST', reviewsOf('run'), { rating: 'bad', comment: COMMENT }), 409, 'Conflict');
  assert.equal((await desk.right('GET', `${EXECUTIONS}/run`)).agentId, 'support');
});

const CREATE = { rating: 'bad', comment: COMMENT };

test("reviews: another tenant's review is 404 like an unknown one", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const theirs = await other.review({ tags: ['secret'], comment: 'segredo deles' }, 'run');
  for (const id of [theirs.id, 'nothing', theirs.executionId, ' ', '%00', "' OR 1=1 --"]) {
    for (const [method, body] of [['GET'], ['PATCH', { comment: 'roubado agora' }], ['DELETE']] as const) {
      const answer = await own.request(method, `${REVIEWS}/${id === '%00' ? id : encodeURIComponent(id)}`, body);
      assertError(answer, 404, 'Not Found');
      assert.equal(answer.body.message.replace(/".*"/s, '""'), 'There is no review "".');
    }
  }
  assert.deepEqual(await other.right('GET', `${REVIEWS}/${theirs.id}`), theirs);
  assert.deepEqual(await own.list('search=segredo&agentId=support'), { reviews: [], total: 0, limit: 50, offset: 0 });
  assert.equal((await own.right('GET', `${STATS}?agentId=support`)).total, 0);
  assert.deepEqual((await own.right('GET', EXPORT)).training_examples, []);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
});

test("POST /executions/:id/reviews: another tenant's server-made id is 403", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const made = await other.record({ output: 'secret' });
  await other.record({ id: 'run' });
  await other.review({}, made.id);
  for (const answer of [
    await own.request('POST', reviewsOf(made.id), CREATE),
    await own.request('GET', existsFor(made.id)),
  ]) {
    assertError(answer, 403, 'Forbidden');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="agent-runtime"');
  }
  assert.equal((await own.list()).total, 0);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
  assert.equal((await own.review({}, 'run')).executionId, 'run');
  const mine = await own.record();
  assert.equal((await own.review({}, mine.id)).executionId, mine.id, 'an id of the server made for oneself');
});

test('reviews: deletions and exports are audited without content', async (t) => {
  const app = await testApp(t);
  const comment = 'A resposta estava errada.';
  const { body } = await app.request('POST', `${EXECUTIONS}/one/reviews`, { rating: 'bad', comment });
  await app.request('GET', `${REVIEWS}/export/training-data?format=kto-jsonl&status=resolved`);
  await app.request('DELETE', `${REVIEWS}/${body.id}`);
  assert.equal((await app.request('DELETE', `${REVIEWS}/${body.id}`)).status, 404);
  const { request } = await newPerson(app, { role: 'ADMIN' });
  const log = (await request('GET', `${PORTAL}/audit-log`)).body;
  const lines = log.entries.map(({ action, actor, target, details }: Record<string, object>) => ({
    ...{ action, target, details },
    label: (actor as { label?: string }).label,
  }));
  assert.deepEqual(
    lines.filter(({ label }: { label: string }) => label === 'test'),
    [
      { action: 'review.deleted', target: body.id, details: {}, label: 'test' },
      {
        action: 'training_data.exported',
        target: null,
        details: { format: 'kto-jsonl', status: 'resolved' },
        label: 'test',
      },
    ],
  );
  assert.ok(!JSON.stringify(log).includes(comment));
});

const NO_REVIEWS = {
  ...{ total: 0, pending: 0, inProgress: 0, resolved: 0, badReviews: 0, needsImprovement: 0, critical: 0 },
  ...{ highPriority: 0, avgResolutionHours: 0 },
};

const HOUR = 3_600_000;

test('GET /reviews/stats: zeros without reviews, and the agent is required', async () => {
  const desk = await newDesk();
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=nobody`), NO_REVIEWS);
  for (const query of ['', '?agentId=', '?agentId=a&agentId=b', `?agentId=${'x'.repeat(201)}`]) {
    assertNames(await desk.request('GET', `${STATS}${query}`), 'agentId');
  }
  assertNames(await desk.request('GET', `${STATS}?agentId=a&status=resolved`), 'status');
});

test('GET /reviews/stats: counts by status, rating and priority, of one agent or all', async () => {
  const desk = await newDesk();
  const first = await desk.review({ priority: 'critical' });
  await desk.review({ rating: 'needs_improvement', priority: 'high' });
  await desk.review({ rating: 'good', agentId: 'sales' });
  await desk.right('PATCH', `${REVIEWS}/${first.id}`, { status: 'in_progress' });
  const own = { ...NO_REVIEWS, total: 2, pending: 1, inProgress: 1, badReviews: 1, needsImprovement: 1 };
  const ofSupport = { ...own, critical: 1, highPriority: 1 };
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=support`), ofSupport);
  assert.deepEqual(await desk.right('GET', `${STATS}?agentId=*`), { ...ofSupport, total: 3, pending: 2 });
});

test('GET /reviews/stats: resolution time ends at the first resolution', async (t) => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const desk = await newDesk(await testApp(t, {}, { ...realEffects, now: () => now }));
  const average = async () => (await desk.right('GET', `${STATS}?agentId=support`)).avgResolutionHours;
  const [first, second] = [await desk.review(), await desk.review()];
  const set = async (hours: number, { id }: { id: string }, members: object) => {
    now += hours * HOUR;
    await desk.right('PATCH', `${REVIEWS}/${id}`, members);
  };
  await set(2, first, { status: 'resolved' });
  assert.equal(await average(), 2);
  await set(2, second, { status: 'resolved' });
  assert.equal(await average(), 3);
  await set(100, first, { status: 'resolved', comment: 'ainda resolvido' });
  assert.equal(await average(), 3, 'it was resolved already');
  await set(0, first, { status: 'in_progress' });
  assert.equal(await average(), 4);
  await set(4, first, { status: 'resolved' });
  assert.equal(await average(), 56);
  await desk.right('DELETE', `${REVIEWS}/${second.id}`);
  assert.equal(await average(), 108);
  await set(0, first, { status: 'wont_fix' });
  assert.equal(await average(), 0);
});
