import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../support/oauth.ts';
import { workspace } from '../metrics/support.ts';
import { assessmentsOf, EXECUTIONS, QUALITY, RUBRICS, room, sharedApp } from './support.ts';

const ANSWERS = { is_right: true, tone: 'warm', clarity: 4, why: 'Nothing.' };
const RUN = assessmentsOf('run');

test('Assessments: several people and keys assess one execution, each once', async () => {
  const { request, newPerson, newKey, assess } = await room();
  const [ada, bob] = [await newPerson(), await newPerson()];
  const created = await ada.request('POST', RUN, { rubric: QUALITY.name, answers: ANSWERS, comment: 'Fine.' });
  const { id, createdAt, updatedAt, ...shown } = created.body;
  assert.equal(created.status, 201);
  assert.deepEqual(shown, {
    ...{ executionId: 'run', rubric: 'answer_quality', version: 1 },
    assessor: { type: 'user', id: ada.user.id, label: ada.user.email },
    ...{ answers: ANSWERS, comment: 'Fine.' },
  });
  assert.equal(createdAt, updatedAt);
  await assess(bob.request, { is_right: false });
  const key = await newKey(['reviews:write']);
  const byKey = await assess((...[method, path, body]) => request(method, path, body, { 'x-api-key': key }), {
    clarity: 1,
  });
  assert.equal(byKey.assessor.type, 'key');
  const { body } = await request('GET', RUN);
  assert.deepEqual([body.total, body.nextCursor], [3, null]);
  assert.deepEqual(
    body.assessments.map(({ answers }: { answers: object }) => answers),
    [ANSWERS, { is_right: false }, { clarity: 1 }],
  );
  assert.equal(body.assessments[1].comment, null);
});

test('Assessments: their own is changed as a whole, with 200, in any version', async () => {
  const { request, newPerson } = await room();
  const { request: asAda } = await newPerson();
  const post = (members: object) => asAda('POST', RUN, { rubric: QUALITY.name, ...members });
  const first = await post({ answers: ANSWERS, comment: 'First' });
  const second = await post({ answers: { clarity: 2, is_right: null }, comment: null });
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.deepEqual(
    [second.body.id, second.body.createdAt, second.body.answers, second.body.comment],
    [first.body.id, first.body.createdAt, { clarity: 2 }, null],
  );
  await request('PATCH', `${RUBRICS}/${QUALITY.name}`, { questions: QUALITY.questions.slice(0, 1) });
  const third = await post({ rubric: `${QUALITY.name}@1`, answers: { tone: 'cold' } });
  assert.deepEqual([third.status, third.body.version, third.body.answers], [200, 1, { tone: 'cold' }]);
  const fourth = await post({ answers: { is_right: true } });
  assert.deepEqual([fourth.body.id, fourth.body.version], [first.body.id, 2]);
  await request('POST', RUBRICS, { ...QUALITY, name: 'another' });
  assert.equal((await post({ rubric: 'another', answers: ANSWERS })).status, 201);
  assert.equal((await request('GET', RUN)).body.total, 2);
});

test('Assessments: a rubric changed while somebody answers keeps what was answered', async () => {
  const { request, newPerson } = await room();
  const { request: asAda } = await newPerson();
  const questions = [{ id: 'tone', text: 'Is it polite?', type: 'boolean' }];
  await request('PATCH', `${RUBRICS}/${QUALITY.name}`, { questions });
  const shown = await asAda('POST', RUN, { rubric: `${QUALITY.name}@1`, answers: { tone: 'cold' } });
  assert.deepEqual([shown.status, shown.body.version], [201, 1]);
  const stale = await asAda('POST', assessmentsOf('other'), { rubric: QUALITY.name, answers: { tone: 'cold' } });
  assert.deepEqual(
    [stale.status, stale.body.message],
    [422, 'answers.tone: must be true or false; the question is "Is it polite?".'],
  );
  const gone = await asAda('POST', assessmentsOf('other'), { rubric: QUALITY.name, answers: { clarity: 4 } });
  assert.equal(gone.status, 422);
  assert.match(gone.body.message, /^answers: answer_quality@2 has no question "clarity".*answer_quality@VERSION\.$/);
  assert.equal((await request('GET', assessmentsOf('other'))).body.total, 0);
});

test('Assessments: a wrong answer names its question and what it takes', async () => {
  const { request } = await room();
  const wrong: [answers: object, message: string][] = [
    [{ is_right: 'yes' }, 'answers.is_right: must be true or false; the question is "Is the answer right?".'],
    [{ tone: 'Warm' }, 'answers.tone: must be one of "warm", "neutral", "cold"'],
    [{ clarity: 6 }, 'answers.clarity: must be a whole number from 1 to 5'],
    [{ why: '' }, 'answers.why: must not be empty; leave the question out'],
    [{ why: false }, 'answers.why: must be a text'],
    [{ why: 'x'.repeat(2_001) }, 'answers.why: must have at most 2,000 characters'],
    [{ why: 'a\0b' }, 'answers.why: must be valid Unicode'],
    [{ clarety: 3 }, 'answers: answer_quality@1 has no question "clarety"; did you mean clarity?'],
    [{ constructor: true }, 'answers: answer_quality@1 has no question "constructor"; its questions are "is_right",'],
    [{ is_right: true, clarity: 9 }, 'answers.clarity: '],
  ];
  for (const [answers, message] of wrong) {
    const answer = await request('POST', RUN, { rubric: QUALITY.name, answers });
    assert.equal(answer.status, 422, `${message}: ${JSON.stringify(answer.body)}`);
    assert.ok(answer.body.message.startsWith(message), `${answer.body.message}, not ${message}`);
  }
  // What the schema alone refuses is in refusals.golden.txt.
  const shapes: [body: object, field: string][] = [
    [{ rubric: QUALITY.name, answers: {} }, 'answers'],
    [{ rubric: QUALITY.name, answers: { is_right: null } }, 'answers'],
    [{ rubric: QUALITY.name, answers: { is_right: [true] } }, 'answers.is_right'],
    [{ rubric: `${QUALITY.name}@0`, answers: ANSWERS }, 'rubric'],
    [{ rubric: QUALITY.name, answers: ANSWERS, assessor: { type: 'user', id: 'x', label: 'x' } }, 'assessor'],
  ];
  for (const [body, field] of shapes) {
    const answer = await request('POST', RUN, body);
    assert.equal(answer.status, 400, `${field}: ${JSON.stringify(answer.body)}`);
    assert.ok(answer.body.message[0].startsWith(field), answer.body.message[0]);
  }
  for (const [rubric, message] of [
    ['quality', 'rubric: There is no rubric "quality"; nearest: "answer_quality".'],
    [`${QUALITY.name}@3`, 'rubric: The rubric "answer_quality" has no version 3; the newest is 1.'],
  ]) {
    const answer = await request('POST', RUN, { rubric, answers: ANSWERS });
    assert.deepEqual([answer.status, answer.body.message], [422, message]);
  }
  assert.deepEqual((await request('GET', RUN)).body, { assessments: [], nextCursor: null, total: 0 });
});

test('Assessments: answers have at most 32 KB together', async () => {
  const { request } = await workspace();
  const questions = Array.from({ length: 50 }, (_, index) => ({ id: `q${index}`, text: 'Why?', type: 'text' }));
  await request('POST', RUBRICS, { name: 'essay', title: 'Essay', questions });
  const answers = Object.fromEntries(questions.map(({ id }) => [id, 'x'.repeat(1_000)]));
  const answer = await request('POST', RUN, { rubric: 'essay', answers });
  assert.deepEqual(
    [answer.status, answer.body.message],
    [422, 'answers: take more than 32 KB as JSON together; shorten the texts.'],
  );
});

test('Assessments: only the assessor deletes one, also through an application', async () => {
  const { request, newPerson, newKey, as, assess } = await room();
  const [ada, bob] = [await newPerson(), await newPerson()];
  const made = await assess(ada.request, ANSWERS);
  const path = `${RUN}/${made.id}`;
  const remove = async (as: typeof request) => (await as('DELETE', path)).status;
  assert.equal((await request('DELETE', path, undefined, await as('ADMIN'))).status, 403);
  const refused = await bob.request('DELETE', path);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [403, 'The assessment is of another assessor, who alone may delete it.'],
  );
  assert.equal(await remove(request), 403, 'a key is not its maker');
  assert.equal((await ada.request('DELETE', `${assessmentsOf('other')}/${made.id}`)).status, 404);
  const app = await sharedApp();
  const asked = { scope: 'reviews:write', resource: `${app.url}/api` };
  const connected = await connect(app, ada, asked);
  const changed = await assess(connected.request, { clarity: 5 });
  assert.deepEqual([changed.id, changed.assessor], [made.id, made.assessor]);
  assert.deepEqual([await remove(connected.request), await remove(ada.request)], [204, 404]);
  const key = await newKey(['reviews:write']);
  const asKey: typeof request = (method, at, body) => request(method, at, body, { 'x-api-key': key });
  const byKey = await assess(asKey, ANSWERS);
  assert.equal((await request('DELETE', `${RUN}/${byKey.id}`)).status, 403, 'of another key');
  assert.equal((await asKey('DELETE', `${RUN}/${byKey.id}`)).status, 204);
  const { body } = await request(
    'GET',
    '/api/v1/portal/audit-log?action=assessment.deleted',
    undefined,
    await as('ADMIN'),
  );
  assert.deepEqual(
    body.entries.map(({ target }: { target: string }) => target),
    [byKey.id, made.id],
  );
});

test('Assessments: scopes and roles are needed, and executions of others refused', async () => {
  const { request, as, newKey, assess, newPerson } = await room();
  const made = await assess((await newPerson()).request, ANSWERS);
  const sent = { rubric: QUALITY.name, answers: ANSWERS };
  const [reader, writer] = [await newKey(['reviews:read']), await newKey(['reviews:write'])];
  const status = async (key: string, method: string, path: string, body?: object) =>
    (await request(method, path, body, { 'x-api-key': key })).status;
  assert.equal(await status(reader, 'POST', RUN, sent), 403);
  assert.equal(await status(reader, 'DELETE', `${RUN}/${made.id}`), 403);
  assert.equal(await status(reader, 'POST', RUBRICS, { ...QUALITY, name: 'x' }), 403);
  assert.equal(await status(reader, 'PATCH', `${RUBRICS}/${QUALITY.name}`, { title: 'x' }), 403);
  for (const path of [RUN, RUBRICS, `${RUBRICS}/${QUALITY.name}`, `${RUBRICS}/${QUALITY.name}/agreement`]) {
    assert.deepEqual([await status(reader, 'GET', path), await status(writer, 'GET', path)], [200, 403], path);
  }
  const viewer = await as('VIEWER');
  assert.equal((await request('GET', RUN, undefined, viewer)).status, 200);
  assert.equal((await request('POST', RUN, sent, viewer)).status, 403);
  const other = await room();
  const recorded = (await request('POST', EXECUTIONS, { output: 'x' })).body.id;
  for (const [method, path, body] of [
    ['POST', assessmentsOf(recorded), sent],
    ['GET', assessmentsOf(recorded), undefined],
    ['DELETE', `${assessmentsOf(recorded)}/${made.id}`, undefined],
  ] as const) {
    const answer = await other.request(method, path, body);
    assert.deepEqual([answer.status, answer.body.message.includes('not one of your tenant')], [403, true], method);
  }
  assert.equal((await other.request('GET', RUN)).body.total, 0);
  assert.equal((await other.request('DELETE', `${RUN}/${made.id}`)).status, 404);
  assert.equal((await request('GET', RUN)).body.total, 1);
});

test('Assessments: the list pages; an execution has at most 200', async () => {
  const { request, newKey, assess, newPerson } = await room();
  const app = await sharedApp();
  const { id: tenantId } = await app.runtime.tenants.get((await newPerson()).user.tenantId);
  const first = await assess(request, ANSWERS);
  for (let index = 1; index < 200; index++) {
    await app.runtime.assessmentStore.put(tenantId, {
      ...{ id: `made-${String(index).padStart(3, '0')}`, executionId: 'run', rubric: QUALITY.name, version: 1 },
      assessor: { type: 'judge', id: `${index}`, label: 'judge' },
      ...{ answers: { clarity: 1 }, comment: null, createdAt: index, updatedAt: index },
    });
  }
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await request('GET', `${RUN}?limit=90&cursor=${cursor}`);
    assert.equal(body.total, 200);
    for (const { id } of body.assessments) ids.add(id);
    cursor = body.nextCursor;
  }
  assert.equal(ids.size, 200);
  assert.equal((await request('GET', `${RUN}?cursor=first`)).status, 400);
  assert.equal((await assess(request, { clarity: 2 })).id, first.id, 'the own one may change');
  const full = await request(
    'POST',
    RUN,
    { rubric: QUALITY.name, answers: ANSWERS },
    { 'x-api-key': await newKey(['*']) },
  );
  assert.deepEqual([full.status, full.body.message], [422, 'An execution has at most 200 assessments.']);
});
