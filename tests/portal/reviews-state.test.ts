import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  creationOf,
  formOf as queueFormOf,
  requestOf,
  rulesInWords,
} from '../../portal/src/pages/reviews/queues/form.ts';
import { changesOf, createdFrom, formOf, problemsOf, undoneBy } from '../../portal/src/pages/reviews/review/form.ts';
import { answersIn, answersInWords, rubricFormOf } from '../../portal/src/pages/reviews/review/rubric.ts';
import { definitionOf, NEW_QUESTION, requestOf as rubricOf } from '../../portal/src/pages/reviews/rubrics/form.ts';
import { progressText } from '../../portal/src/pages/reviews/words.ts';
import { leaseInWords, localEnd } from '../../portal/src/pages/reviews/work/lease.ts';
import { keyOf } from '../../portal/src/ui/key-names.ts';

const MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false };

test('Keys: letters act outside of fields while they are on, Ctrl+Enter always', () => {
  const press = (key: string, isTyping = false, areOn = true, more = {}) =>
    keyOf({ ...MODIFIERS, key, ...more }, isTyping, areOn);
  assert.deepEqual(
    ['j', 'J', '?', 'Escape'].map((key) => press(key)),
    ['j', 'j', '?', 'Escape'],
  );
  assert.deepEqual(
    ['j', '?', 'Escape'].map((key) => press(key, true)),
    [null, null, 'Escape'],
  );
  assert.deepEqual(
    ['j', '?', 'Escape'].map((key) => press(key, false, false)),
    [null, null, 'Escape'],
  );
  assert.equal(press('Enter', true, false, { ctrlKey: true }), 'Ctrl+Enter');
  assert.equal(press('Enter', true, true, { metaKey: true }), 'Ctrl+Enter');
  assert.equal(press('c', false, true, { ctrlKey: true }), null, 'Ctrl+C copies');
  assert.equal(press('j', false, true, { altKey: true }), null);
});

test('Review form: a change has what was edited alone, and never the rating', () => {
  const start = formOf(null);
  const form = {
    ...start,
    rating: 'bad',
    comment: 'Wrong day, sadly.',
    tags: ' a, b,,a ',
    correctedOutput: 'Friday',
  } as const;
  assert.deepEqual(createdFrom(form), { rating: 'bad', comment: form.comment, priority: 'medium', tags: ['a', 'b'] });
  assert.deepEqual(changesOf({ ...start, rating: 'bad', correctedOutput: 'Friday' }, start, 'Monday'), {
    correctedOutput: 'Friday',
  });
  assert.equal(changesOf({ ...start, rating: 'bad', correctedOutput: 'Monday' }, start, 'Monday'), null);
  assert.deepEqual(problemsOf({ ...start, comment: '  short  ' }), {
    rating: 'Choose a rating.',
    comment: 'The comment needs at least 10 characters: 5 more.',
  });
  assert.deepEqual(problemsOf(form), {});
  const before = { status: 'resolved', tags: ['x'], correctedOutput: null } as never;
  assert.deepEqual(undoneBy({ status: 'wont_fix', tags: [] }, before), { status: 'resolved', tags: ['x'] });
});

test('Rubric form: answers have the types of their questions', () => {
  const questions = [
    { id: 'a', text: 'A?', type: 'boolean' },
    { id: 'b', text: 'B?', type: 'choice', choices: ['1', '2'] },
    { id: 'c', text: 'C?', type: 'scale' },
    { id: 'd', text: 'D?', type: 'text' },
  ] as const;
  const answers = { a: false, b: '2', c: 4, d: 'Because.' };
  const form = rubricFormOf({ answers, comment: null });
  assert.deepEqual(answersIn(questions as never, form), answers);
  assert.deepEqual(answersIn(questions as never, { answers: { d: ' ', gone: 'x' }, comment: '' }), {});
});

test('Rubric form: new questions get ids of their own, and the others keep theirs', () => {
  const known = { id: 'polite', text: 'Was it polite?', type: 'choice', choices: ['a', 'b'], guidance: 'So.' } as const;
  const rubric = { name: 'quality', title: 'Quality', questions: [known] };
  assert.deepEqual(rubricOf(definitionOf(rubric as never)), { title: 'Quality', questions: [known] });
  const texts = ['Polite', 'Polite?', '1st?', '礼貌吗'];
  const questions = [...definitionOf(rubric as never).questions, ...texts.map((text) => ({ ...NEW_QUESTION, text }))];
  assert.deepEqual(
    rubricOf({ title: 'Quality', name: '', questions }).questions.map(({ id }) => id),
    ['polite', 'polite_2', 'polite_3', 'question_1st', 'question'],
  );
});

test('Answers in words: by the order of the questions, else with their ids', () => {
  const questions = [
    { id: 'a', text: 'A?', type: 'scale' },
    { id: 'b', text: 'B?', type: 'boolean' },
  ] as const;
  assert.deepEqual(answersInWords(questions as never, { b: false, a: 2 }), [
    { id: 'a', text: 'A?', answer: '2 of 5' },
    { id: 'b', text: 'B?', answer: 'No' },
  ]);
  assert.deepEqual(answersInWords(undefined, { b: false }), [{ id: 'b', text: 'b', answer: 'false' }]);
});

test('Queue form: a queue becomes a form and the same queue', () => {
  const definition = {
    title: 'Bad outcomes',
    filters: { status: 'failed', hasReview: false, minCost: 0.5 },
    share: 0.07,
    outcome: { eventName: 'complained', filters: [{ propertyKey: 'kind', operator: 'eq', value: 'late' }] },
    rubric: 'quality',
    assessors: 2,
    userIds: ['u-1'],
  } as const;
  const form = queueFormOf({ name: 'bad', ...definition } as never);
  assert.equal(form.share, '7');
  assert.deepEqual(requestOf(form), { ...definition, share: 0.07 });
  assert.deepEqual(creationOf({ ...queueFormOf(null), title: 'Só falhas' }), {
    name: 'so_falhas',
    title: 'Só falhas',
    filters: {},
    assessors: 1,
  });
  assert.equal(requestOf({ ...queueFormOf(null), share: 'ten' }).share, 'ten');
  assert.equal(
    rulesInWords({ name: 'bad', ...definition } as never),
    '7 % of executions (Status: Failed; Review: Without a review; Least cost in US dollars: 0.5) · followed by complained where kind is late · rubric quality · 2 people each',
  );
});

test('Lease: its end follows the clock of the server', () => {
  const end = localEnd('2026-01-01T00:10:00.000Z', 'Thu, 01 Jan 2026 00:00:00 GMT', 5_000);
  assert.equal(end, 605_000);
  assert.match(leaseInWords(end, 5_000), /^Held for you for 10 minutes more/);
  assert.match(leaseInWords(end, 600_000), /^Held for you for a minute more/);
  assert.equal(localEnd('2026-01-01T00:10:00.000Z', null, 0), Date.UTC(2026, 0, 1, 0, 10));
});

test('Queue words: progress, also where more waits than is counted', () => {
  assert.equal(progressText({ waiting: 228, done: 12 }), '12 of 240 are done');
  assert.equal(progressText({ waiting: 1_000, done: 1 }), '1 of 1,001 or more is done');
  assert.equal(progressText({ waiting: 0, done: 0 }), 'Nothing is in it yet');
});
