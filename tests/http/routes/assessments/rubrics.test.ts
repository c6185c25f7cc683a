import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestResponse } from '../../../support/app.ts';
import { workspace } from '../metrics/support.ts';
import { QUALITY, RUBRICS, room } from './support.ts';

const PATH = `${RUBRICS}/${QUALITY.name}`;

test('Rubrics: each change is a version, and former ones stay as they were', async () => {
  const { request, as } = await room();
  const first = await request('GET', PATH);
  const { createdAt, createdBy, ...shown } = first.body;
  assert.deepEqual(shown, { ...QUALITY, version: 1 });
  assert.ok(!Number.isNaN(Date.parse(createdAt)) && createdBy.length > 0);
  const questions = [QUALITY.questions[0], { id: 'tone', text: 'Is it polite?', type: 'boolean' }];
  const changed = await request('PATCH', PATH, { questions });
  assert.deepEqual([changed.status, changed.body.version, changed.body.title], [200, 2, QUALITY.title]);
  assert.deepEqual(changed.body.questions, questions);
  const second = await request('PATCH', PATH, { title: 'Renamed' });
  assert.deepEqual([second.body.version, second.body.title, second.body.questions], [3, 'Renamed', questions]);
  assert.equal((await request('PATCH', PATH, { title: 'Renamed', questions })).body.version, 3, 'nothing changed');
  assert.deepEqual((await request('GET', PATH)).body, second.body);
  for (const asked of [`${PATH}@1`, `${PATH}?version=1`, `${PATH}@1?version=1`]) {
    assert.deepEqual((await request('GET', asked)).body, first.body, asked);
  }
  assert.equal((await request('GET', `${PATH}@1?version=2`)).status, 400);
  const { body } = await request('GET', '/api/v1/portal/audit-log', undefined, await as('ADMIN'));
  const lines = body.entries.filter(({ action }: { action: string }) => action.startsWith('rubric.'));
  assert.deepEqual(
    lines.map(({ action, target, details }: Record<string, unknown>) => [action, target, details]),
    [
      ['rubric.changed', QUALITY.name, { version: 3 }],
      ['rubric.changed', QUALITY.name, { version: 2 }],
      ['rubric.created', QUALITY.name, { version: 1 }],
    ],
  );
});

test('Rubrics: a change of a version that is not the newest any more is refused', async () => {
  const { request } = await room();
  const { headers } = await request('GET', PATH);
  const read = { 'if-match': headers.get('etag') ?? '' };
  assert.equal(read['if-match'], '"1"');
  assert.equal((await request('PATCH', PATH, { title: 'Theirs' }, read)).status, 200);
  const refused = await request('PATCH', PATH, { title: 'Mine' }, read);
  assert.deepEqual([refused.status, (await request('GET', PATH)).body.title], [412, 'Theirs']);
  assert.equal((await request('PATCH', PATH, { title: 'Mine' })).body.version, 3, 'without If-Match it is the next');
});

test('Rubrics: the list has the newest version of each, in pages by name', async () => {
  const { request } = await room();
  for (const name of ['zeal', 'accuracy', 'accuracy_2']) await request('POST', RUBRICS, { ...QUALITY, name });
  await request('PATCH', `${RUBRICS}/zeal`, { title: 'Zeal' });
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await request('GET', `${RUBRICS}?limit=3&cursor=${cursor}`);
    assert.deepEqual([status, body.total], [200, 4]);
    seen.push(...body.rubrics.map(({ name, version }: Record<string, unknown>) => `${name}@${version}`));
    cursor = body.nextCursor;
  }
  assert.deepEqual(seen, ['accuracy@1', 'accuracy_2@1', 'answer_quality@1', 'zeal@2']);
  const other = await workspace();
  assert.deepEqual((await other.request('GET', RUBRICS)).body, { rubrics: [], nextCursor: null, total: 0 });
});

test('Rubrics: a name that is taken, unknown or of another tenant says what to do', async () => {
  const { request } = await room();
  const again = await request('POST', RUBRICS, QUALITY);
  assert.deepEqual(
    [again.status, again.body.message],
    [409, 'There is a rubric "answer_quality" already. PATCH it to make a new version.'],
  );
  const near = await request('GET', `${RUBRICS}/answers_quality`);
  assert.deepEqual(
    [near.status, near.body.message],
    [404, 'There is no rubric "answers_quality"; nearest: "answer_quality".'],
  );
  const newer = await request('GET', `${PATH}@7`);
  assert.deepEqual(
    [newer.status, newer.body.message],
    [404, 'The rubric "answer_quality" has no version 7; the newest is 1.'],
  );
  const other = await workspace();
  for (const [method, path, body] of [
    ['GET', PATH, undefined],
    ['PATCH', PATH, { title: 'Mine' }],
    ['GET', `${PATH}/agreement`, undefined],
  ] as const) {
    const answer = await other.request(method, path, body);
    assert.equal(answer.status, 404, path);
    assert.match(answer.body.message, /^There is no rubric "answer_quality", nor any other; POST one to /);
  }
});

test('Rubrics: of two changes at once one is refused, and no version is lost', async () => {
  const { request } = await room();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => request('PATCH', PATH, { title: `Title ${index}` })),
  );
  const made = answers.filter(({ status }) => status === 200);
  assert.ok(made.length >= 1);
  for (const { status, body } of answers.filter((one) => !made.includes(one))) {
    assert.deepEqual([status, body.error], [409, 'Conflict']);
    assert.match(body.message, /Read it again/);
  }
  assert.equal((await request('GET', PATH)).body.version, 1 + made.length);
});

test('Rubrics: a definition that nobody could answer is a 400 that names the member', async () => {
  const { request } = await workspace();
  const [right, tone, clarity] = QUALITY.questions;
  // What the schema alone refuses is in refusals.golden.txt.
  const wrong: [object, string][] = [
    [{ name: 'quality@2' }, 'name: must be 1 to 100'],
    [{ questions: [right, { ...tone, id: 'is_right' }] }, 'questions[1].id: is the id of another question'],
    [{ questions: [{ ...right, id: '__proto__' }] }, 'questions[0].id: must be a letter, then at most 99'],
    [{ questions: [{ ...tone, choices: undefined }] }, 'questions[0].choices: is needed by the type choice'],
    [{ questions: [{ ...tone, choices: ['one'] }] }, 'questions[0].choices: must hold at least 2 choices'],
    [{ questions: [{ ...tone, choices: ['a', 'b', 'a'] }] }, 'questions[0].choices: must not repeat a choice'],
    [{ questions: [{ ...clarity, choices: ['1', '2'] }] }, 'questions[0].choices: is for the type choice alone'],
  ];
  for (const [members, message] of wrong) {
    const answer = await request('POST', RUBRICS, { ...QUALITY, ...members });
    assert.equal(answer.status, 400, message);
    assert.ok(answer.body.message[0].startsWith(message), `${answer.body.message[0]}, not ${message}`);
  }
  assert.equal((await request('GET', RUBRICS)).body.total, 0);
  assert.equal((await request('POST', RUBRICS, QUALITY)).status, 201);
  assert.equal((await request('PATCH', PATH, { name: 'other' })).status, 400);
  assert.equal((await request('PATCH', `${PATH}@1`, { title: 'x' })).status, 400, 'versions never change');
});

test('Rubrics: large ones end a page early, and count among the definitions', async () => {
  const { request } = await workspace();
  const guidance = 'x'.repeat(2_000);
  const questions = Array.from({ length: 50 }, (_, index) => ({
    ...{ id: `question_${index}`, text: 'x'.repeat(500), type: 'boolean', guidance },
  }));
  const made: string[] = [];
  for (;;) {
    const name = `rubric_${String(made.length).padStart(3, '0')}`;
    const { status, body } = await request('POST', RUBRICS, { name, title: 'Large', questions });
    if (status === 201) {
      made.push(name);
      continue;
    }
    assert.equal(status, 422);
    assert.match(body.message, /^The segments, metrics and rubrics with their versions, .* at most 8 MB together;/);
    break;
  }
  const changed = await request('PATCH', `${RUBRICS}/${made[0]}`, { title: 'Larger' });
  assert.equal(changed.status, 422, 'a version counts as well');
  const seen: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: TestResponse = await request('GET', `${RUBRICS}?limit=100&cursor=${cursor}`);
    assert.equal(body.total, made.length);
    pages.push(body.rubrics.length);
    seen.push(...body.rubrics.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor;
  }
  assert.deepEqual(seen, made);
  assert.ok(pages.length === 2 || pages.length === 3, `${pages}`);
});
