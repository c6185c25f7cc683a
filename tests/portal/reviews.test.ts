import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { OBSERVABILITY, sent } from './executions-support.ts';
import { announced, assertFits, focused } from './support.ts';

const COMMENT = 'The answer names no day.';

/** So many executions, `run-0` the oldest, and a queue of all. */
async function queued(app: TestApp, count: number, queue: object = {}): Promise<void> {
  for (let index = 0; index < count; index++) {
    const messages = [{ role: 'user', content: `Where is order ${index}?` }];
    const startedAt = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    await sent(app, 'POST', '/executions', {
      id: `run-${index}`,
      messages,
      startedAt,
      output: `It arrives ${index}.`,
    });
  }
  await sent(app, 'POST', '/queues', { name: 'all', title: 'All runs', ...queue });
}

const inQueue = { path: '/reviews?queue=all' } as const;
/** Waits until an item is shown, and its form. */
const shows = async (page: Page, id: string) => {
  await page.getByRole('heading', { level: 2, name: id }).waitFor();
  await page.getByLabel('Comment', { exact: true }).waitFor();
};
const comment = (page: Page) => page.getByLabel('Comment', { exact: true });

/** Reviews the shown item by keyboard alone. */
async function review(page: Page, rating: 'g' | 'b' | 'n', text: string): Promise<void> {
  await page.keyboard.press(rating);
  await page.keyboard.press('c');
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
}

browserTest('Reviews: a queue is worked by keyboard, with a correction, a skip and what undoes it', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 3);
  const page = await portalPage(t, app, inQueue);
  await shows(page, 'run-0');
  await page.getByText('0 of 3 are done').waitFor();
  await page.getByText(/^Held for you for 10 minutes more/).waitFor();
  await assertFits(page);

  await page.keyboard.press('Control+Enter');
  await page.getByText('Choose a rating.').waitFor();
  await page.keyboard.press('b');
  assert.ok(await page.getByRole('radio', { name: 'Bad' }).isChecked());
  await page.keyboard.press('c');
  await focused(comment(page));
  await page.keyboard.type('gbnsu?');
  await page.getByText('The comment needs at least 10 characters: 4 more.').waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Bad' }).isChecked(), 'letters that are typed are no keys');
  await page.keyboard.type(' and more');
  await page.keyboard.press('Escape');
  await focused(page.getByRole('heading', { level: 2, name: 'run-0' }));
  await page.keyboard.press('e');
  await focused(page.getByLabel('Corrected answer'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('It arrives tomorrow.');
  await page.getByRole('region', { name: 'The answer and its correction' }).getByText('tomorrow').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await focused(page.getByLabel('Priority', { exact: true }));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await focused(page.getByRole('combobox', { name: 'Status' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await page.keyboard.type('delivery, late');
  await page.keyboard.press('Control+Enter');

  await shows(page, 'run-1');
  await focused(page.getByRole('heading', { level: 2, name: 'run-1' }));
  await page.getByText('1 of 3 is done').waitFor();
  const { review: saved } = await sent(app, 'GET', '/executions/run-0/reviews/exists');
  const stored = await sent(app, 'GET', `/reviews/${saved.id}`);
  const { rating, comment: said, priority, status, tags, correctedOutput } = stored;
  assert.deepEqual(
    [rating, said, priority, status, tags, correctedOutput],
    ['bad', 'gbnsu? and more', 'high', 'in_progress', ['delivery', 'late'], 'It arrives tomorrow.'],
  );

  await page.keyboard.press('j');
  await shows(page, 'run-2');
  await page.keyboard.press('u');
  await shows(page, 'run-1');
  await announced(page, 'Undone: it is back');
  await page.keyboard.press('u');
  await shows(page, 'run-0');
  await announced(page, 'Undone: it is not saved any more');
  assert.equal((await sent(app, 'GET', '/executions/run-0/reviews/exists')).exists, false);
  assert.equal(await comment(page).inputValue(), 'gbnsu? and more', 'nothing typed is lost');
  await page.keyboard.press('Control+Enter');
  await shows(page, 'run-1');
  await review(page, 'g', COMMENT);
  await shows(page, 'run-2');
  await page.keyboard.press('k');
  await shows(page, 'run-1');
  await page.getByText('by you on').waitFor();
  await page.keyboard.press('j');
  await shows(page, 'run-2');
  await review(page, 'n', COMMENT);
  await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
  await page.getByText('3 are done.').waitFor();
  await page.locator('summary', { hasText: 'Progress by person' }).click();
  await page.getByRole('row', { name: /^person-\d+@example\.com 3 0$/ }).waitFor();
  await assertFits(page);
});

browserTest('Reviews: a draft survives a reload, and goes with a save or a log-out', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 2);
  const page = await portalPage(t, app, inQueue);
  await shows(page, 'run-0');
  await page.keyboard.press('n');
  await comment(page).fill('Half a ');
  await page.getByLabel('Tags').fill('late');
  await page.reload();
  await page.getByText('This is what you had typed and not saved.').waitFor();
  assert.equal(await comment(page).inputValue(), 'Half a ');
  assert.equal(await page.getByLabel('Tags').inputValue(), 'late');
  assert.ok(await page.getByRole('radio', { name: 'Needs improvement' }).isChecked());
  await page.getByRole('button', { name: 'Throw it away' }).click();
  assert.equal(await comment(page).inputValue(), '');
  assert.equal(await drafts(page), 0);
  await review(page, 'g', COMMENT);
  await shows(page, 'run-1');
  assert.equal(await drafts(page), 0);
  await comment(page).fill('Something');
  assert.equal(await drafts(page), 1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  assert.equal(await drafts(page), 0);
});

function drafts(page: Page): Promise<number> {
  return page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length");
}

browserTest('Reviews: of two people on one execution nobody loses what they wrote', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 2, { assessors: 2 });
  const conflict = { ...inQueue, expected: /status of 409/ };
  const page = await portalPage(t, app, conflict);
  await shows(page, 'run-0');
  await page.keyboard.press('b');
  await comment(page).fill('What the second person saw.');
  await page.getByLabel('Tags').fill('second');
  const first = await sent(app, 'POST', '/executions/run-0/reviews', { rating: 'good', comment: COMMENT });
  await page.keyboard.press('Control+Enter');
  const both = page.getByRole('region', { name: 'Both versions' });
  await both.getByRole('row', { name: `Comment What the second person saw. ${COMMENT}` }).waitFor();
  await both.getByRole('row', { name: 'Rating Bad Good' }).waitFor();
  await assertFits(page);
  await page.reload();
  await page.getByText('This is what you had typed and not saved.').waitFor();
  assert.equal(await comment(page).inputValue(), 'What the second person saw.', 'a conflict is no reason to forget');
  await both.getByRole('row', { name: `Comment What the second person saw. ${COMMENT}` }).waitFor();
  await sent(app, 'PATCH', `/reviews/${first.id}`, { priority: 'critical', comment: 'Changed by the first person.' });
  await page.getByRole('button', { name: /^Save and next/ }).click();
  await both.getByRole('row', { name: /^Comment What the second person saw. Changed by the first person.$/ }).waitFor();
  assert.equal(await page.getByLabel('Priority', { exact: true }).inputValue(), 'critical', 'only they changed it');
  await page.keyboard.press('Control+Enter');
  await shows(page, 'run-1');
  const { rating, priority, comment: said, tags } = await sent(app, 'GET', `/reviews/${first.id}`);
  assert.deepEqual([rating, priority, said, tags], ['good', 'critical', 'What the second person saw.', ['second']]);

  await page.keyboard.press('g');
  await comment(page).fill('Mine, which may go.');
  await sent(app, 'POST', '/executions/run-1/reviews', { rating: 'bad', comment: COMMENT });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  assert.equal(await comment(page).inputValue(), COMMENT);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await page.keyboard.press('u');
  await shows(page, 'run-1');
  assert.equal((await sent(app, 'GET', '/executions/run-1/reviews/exists')).exists, true, 'it is of somebody else');
});

browserTest('Reviews: what the queue has taken back is saved, and the next item follows', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 2);
  const page = await portalPage(t, app, { ...inQueue, expected: /status of 40[49]/ });
  await shows(page, 'run-0');
  await comment(page).fill(COMMENT);
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await fromPage(page, '/queues/all/items/run-0/release');
  await page.keyboard.press('Control+Enter');
  await announced(page, 'Saved: the queue had taken it back');
  assert.equal((await sent(app, 'GET', '/executions/run-0/reviews/exists')).exists, true);
  await page.getByRole('button', { name: 'Undo', disabled: false }).waitFor();
  await page.keyboard.press('u');
  await announced(page, 'Undone: it is not saved any more');
  assert.equal((await sent(app, 'GET', '/executions/run-0/reviews/exists')).exists, false);
  await shows(page, 'run-0');
  assert.equal(await comment(page).inputValue(), COMMENT);

  await sent(app, 'DELETE', '/queues/all');
  await page.keyboard.press('Control+Enter');
  await announced(page, 'Saved: the queue had taken it back');
  await page.getByText('There is no queue "all"').waitFor();
  assert.equal(await comment(page).count(), 0);
  assert.equal((await sent(app, 'GET', '/executions/run-0/reviews/exists')).exists, true);
});

/** The same person in another tab. */
function fromPage(page: Page, path: string): Promise<unknown> {
  const headers = "{ 'x-requested-with': 'portal' }";
  return page.evaluate(`fetch('${OBSERVABILITY}${path}', { method: 'POST', headers: ${headers} })`);
}

const QUESTIONS = [
  { id: 'polite', text: 'Was it polite?', type: 'boolean' },
  { id: 'tone', text: 'Which tone?', type: 'choice', choices: ['warm', 'cold'] },
  { id: 'helpful', text: 'How helpful was it?', type: 'scale', guidance: 'As the customer would say.' },
  { id: 'why', text: 'Why?', type: 'text' },
];

browserTest('Reviews: two people answer the rubric of a queue, and only the first writes the review', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await sent(app, 'POST', '/rubrics', { name: 'quality', title: 'Quality', questions: QUESTIONS });
  await queued(app, 1, { assessors: 2, rubric: 'quality' });
  const [one, other] = [await portalPage(t, app, inQueue), await portalPage(t, app, { ...inQueue, role: 'USER' })];
  await other.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await shows(one, 'run-0');
  await review(one, 'g', COMMENT);
  await one.getByText('Answer at least one question.').waitFor();
  const answer = (page: Page, legend: string, label: string) =>
    page.getByRole('group', { name: legend }).getByRole('radio', { name: label }).check();
  await answer(one, 'Was it polite?', 'Yes');
  await answer(one, 'Which tone?', 'cold');
  await answer(one, 'How helpful was it?', '4');
  await one.getByLabel('Why?').fill('It names the day.');
  await assertFits(one);
  await one.keyboard.press('Control+Enter');
  await one.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();

  await other.getByRole('button', { name: 'Look again' }).click();
  await other.getByText('Rated good by').waitFor();
  assert.equal(await comment(other).isVisible(), false, 'the words of the first do not lead the second');
  await answer(other, 'Was it polite?', 'No');
  await other.keyboard.press('Control+Enter');
  await other.getByRole('heading', { name: 'Nothing waits' }).waitFor();
  const { assessments } = await sent(app, 'GET', '/executions/run-0/assessments');
  assert.deepEqual(
    assessments.map((assessment: { answers: object }) => assessment.answers),
    [{ polite: true, tone: 'cold', helpful: 4, why: 'It names the day.' }, { polite: false }],
  );
  await other.keyboard.press('u');
  await other.getByText('Rated good by').waitFor();
  assert.equal((await sent(app, 'GET', '/executions/run-0/assessments')).total, 1);
  assert.ok(await other.getByRole('radio', { name: 'No', exact: true }).isChecked());
});

browserTest('Reviews: keys are listed, and the letters among them can be switched off', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 2);
  const page = await portalPage(t, app, inQueue);
  await shows(page, 'run-0');
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.getByText('Save and go on to the next item, also while you type').waitFor();
  await page.keyboard.press('j');
  await assertFits(page);
  await dialog.getByRole('checkbox', { name: 'Letters and ? act' }).uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await shows(page, 'run-0');
  for (const key of ['j', 'g', 'c', '?']) await page.keyboard.press(key);
  assert.equal(await dialog.count(), 0);
  assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
  await page.getByRole('radio', { name: 'Good' }).check();
  await comment(page).fill(COMMENT);
  await page.keyboard.press('Control+Enter');
  await shows(page, 'run-1');
});

browserTest('Reviews: a hold that ended says so, and what was typed is saved all the same', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 2);
  const page = await portalPage(t, app, { ...inQueue, path: '/reviews' });
  await page.clock.install();
  await page.getByRole('link', { name: 'All runs' }).click();
  await shows(page, 'run-0');
  await page.keyboard.press('g');
  await comment(page).fill(COMMENT);
  await page.clock.fastForward('09:00');
  await page.getByText(/^Held for you for a minute more/).waitFor();
  let renewals = 0;
  page.on('request', (request) => (renewals += Number(request.url().endsWith('/next'))));
  await comment(page).press('End');
  await page.getByText(/^Held for you for 10 minutes more/).waitFor();
  assert.equal(renewals, 1);
  await page.clock.fastForward('11:00');
  await announced(page, /^It is not held for you any more/);
  await page.getByRole('button', { name: 'Hold it again' }).click();
  await page.getByText(/^Held for you for 10 minutes more/).waitFor();
  await page.clock.fastForward('11:00');
  await announced(page, /^It is not held for you any more/);
  await page.keyboard.press('Control+Enter');
  await shows(page, 'run-1');
});

browserTest('Reviews: queues are made, changed and deleted; reviews are filtered by the address', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await sent(app, 'POST', '/rubrics', { name: 'quality', title: 'Quality', questions: QUESTIONS });
  const page = await portalPage(t, app, { path: '/reviews', expected: /status of 400/ });
  await page.getByRole('heading', { name: 'No queues yet' }).waitFor();
  await page.getByRole('heading', { name: 'No reviews yet' }).waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'New queue' }).click();
  await page.getByLabel('Title').fill('Failed runs');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
  await page.getByLabel('Share of them, in percent').fill('ten');
  await page.locator('summary', { hasText: 'More filters' }).click();
  await page.getByLabel('Least latency in ms').fill('1500');
  await page.getByLabel('Event in the same thread, later').fill('complained');
  await page.getByLabel('Rubric', { exact: true }).selectOption('Quality');
  await page.getByLabel('People for each item').fill('2');
  await page.getByRole('checkbox', { name: /person-/ }).check();
  await assertFits(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Must be a number').waitFor();
  await page.getByLabel('Share of them, in percent').fill('12.5');
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByText('12.5 % of executions (Status: Failed; Least latency in ms: 1500) · followed by complained')
    .waitFor();
  const { userIds, ...made } = await sent(app, 'GET', '/queues/failed_runs');
  assert.equal(userIds.length, 1);
  assert.deepEqual(
    [made.filters, made.share, made.outcome, made.rubric, made.assessors],
    [{ status: 'failed', minLatencyMs: 1500 }, 0.125, { eventName: 'complained' }, 'quality', 2],
  );
  await page.getByRole('button', { name: 'Change Failed runs' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Any');
  await page.getByLabel('Share of them, in percent').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('executions (Least latency in ms: 1500)').waitFor();
  await page.getByRole('button', { name: 'Delete Failed runs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No queues yet' }).waitFor();

  for (const [index, rating] of (['good', 'bad', 'bad'] as const).entries()) {
    const said = `The delivery number ${index} was late.`;
    await sent(app, 'POST', `/executions/run-${index}/reviews`, { rating, comment: said });
  }
  await page.goto(`${app.url}/reviews?rating=bad&search=number`);
  await page.getByText('2 reviews').waitFor();
  await page.getByLabel('Rating').selectOption('Good');
  await page.getByText('One review').waitFor();
  assert.equal(new URL(page.url()).search, '?rating=good&search=number');
  const link = page.getByRole('link', { name: 'run-0' });
  assert.equal(await link.getAttribute('href'), '/executions/run-0');
  await page.getByLabel('Priority').selectOption('Critical');
  await page.getByRole('heading', { name: 'No review matches' }).waitFor();
});

browserTest('Reviews: a rubric is made, and a change of it is its next version', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: '/reviews', role: 'USER', expected: /status of 400/ });
  await page.getByRole('heading', { name: 'No rubrics yet' }).waitFor();
  await page.getByRole('button', { name: 'New rubric' }).click();
  const dialog = page.getByRole('dialog');
  const question = (number: number) => dialog.getByRole('group', { name: `Question ${number}` });
  await dialog.getByLabel('Title').fill('Quality');
  await question(1).getByLabel('Question', { exact: true }).fill('Was it polite?');
  await dialog.getByRole('button', { name: 'Add a question' }).click();
  await question(2).getByLabel('Answer').selectOption('One of some');
  await question(2).getByLabel('Choices').fill('warm\n');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await question(2).getByText('Must hold at least 2 choices').waitFor();
  await question(2).getByLabel('Choices').fill('warm\ncold');
  await question(2).getByLabel('Question', { exact: true }).fill('Which tone?');
  await question(2).getByLabel('Guidance').fill('As the customer would say.');
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('quality@1').waitFor();
  const { questions } = await sent(app, 'GET', '/rubrics/quality');
  assert.deepEqual(questions, [
    { id: 'was_it_polite', text: 'Was it polite?', type: 'boolean' },
    {
      ...{ id: 'which_tone', text: 'Which tone?', type: 'choice' },
      ...{ choices: ['warm', 'cold'], guidance: 'As the customer would say.' },
    },
  ]);
  await page.getByRole('button', { name: 'Change Quality' }).click();
  await dialog.getByRole('button', { name: 'Remove question 1' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('quality@2').waitFor();
  assert.deepEqual((await sent(app, 'GET', '/rubrics/quality')).questions, questions.slice(1));
  await page.getByRole('link', { name: 'Quality' }).click();
  await page.getByText('Too few to say: no execution has answers of two people yet.').waitFor();
});

browserTest('Reviews: two people change a rubric, and the later one sees both versions', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const [polite, tone] = [
    { id: 'polite', text: 'Was it polite?', type: 'boolean' },
    { id: 'tone', text: 'Which tone?', type: 'choice', choices: ['warm', 'cold'] },
  ];
  await sent(app, 'POST', '/rubrics', { name: 'quality', title: 'Quality', questions: [polite] });
  const page = await portalPage(t, app, { path: '/reviews', role: 'USER', expected: /status of 412/ });
  await page.getByRole('button', { name: 'Change Quality' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Mine');
  await sent(app, 'PATCH', '/rubrics/quality', { title: 'Theirs', questions: [polite, tone] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody else has changed this since you opened it.').waitFor();
  const both = dialog.getByRole('region', { name: 'Both versions' });
  await both.getByRole('row', { name: 'Title Mine Theirs' }).waitFor();
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('quality@3').waitFor();
  const { title, questions } = await sent(app, 'GET', '/rubrics/quality');
  assert.deepEqual({ title, questions }, { title: 'Mine', questions: [polite, tone] });
});

browserTest('Reviews: a viewer reads, an unknown queue and a failure say so', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 1);
  const page = await portalPage(t, app, {
    ...inQueue,
    role: 'VIEWER',
    viewport: { width: 320, height: 700 },
    expected: /status of (404|500)/,
  });
  await page.getByText('Your role lets you look at queues, not work through them.').waitFor();
  await page.getByText('0 of 1 are done').waitFor();
  await assertFits(page);
  await page.getByRole('link', { name: 'All queues' }).click();
  await page.getByRole('link', { name: 'All runs' }).waitFor();
  await assertFits(page);
  const add = page.getByRole('button', { name: 'New queue' });
  assert.equal(await add.getAttribute('aria-disabled'), 'true');
  assert.equal(await page.getByRole('button', { name: 'Delete All runs' }).count(), 0);
  await page.goto(`${app.url}/reviews?queue=none`);
  await page.getByRole('heading', { name: 'There is no such queue' }).waitFor();
  const failure = { statusCode: 500, error: 'Internal Server Error', message: 'It broke.', requestId: 'r-1' };
  await page.route('**/observability/queues?*', (route) => route.fulfill({ status: 500, json: failure }));
  await page.goto(`${app.url}/reviews`);
  await page.getByRole('alert').getByText('Request r-1').waitFor();
  await page.unroute('**/observability/queues?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'All runs' }).waitFor();
});

rareBrowserTest('Reviews: 50 reviews by keyboard alone', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await queued(app, 50);
  const page = await portalPage(t, app, inQueue);
  const ratings = ['g', 'b', 'n'] as const;
  for (let index = 0; index < 50; index++) {
    await shows(page, `run-${index}`);
    await review(page, ratings[index % 3]!, `Comment number ${index} of this person.`);
  }
  await page.getByText('50 are done.').waitFor();
  const { badReviews, needsImprovement, total } = await sent(app, 'GET', '/reviews/stats?agentId=*');
  assert.deepEqual([total, badReviews, needsImprovement], [50, 17, 16]);
});

rareBrowserTest('Reviews: in both themes and widths', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await sent(app, 'POST', '/rubrics', { name: 'quality', title: 'Quality', questions: QUESTIONS });
  await queued(app, 1, { assessors: 10, rubric: 'quality' });
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { ...inQueue, viewport: { width, height: 800 } });
    await shows(page, 'run-0');
    await page.keyboard.press('e');
    await page.keyboard.type('Another answer');
    await page.getByRole('region', { name: 'The answer and its correction' }).getByText('Another').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Choose a rating.').waitFor();
    await assertFits(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await assertFits(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    await assertFits(page);
    await page.getByRole('link', { name: 'All queues' }).first().click();
    await page.getByRole('button', { name: 'Change All runs' }).click();
    await page.getByLabel('Rubric', { exact: true }).waitFor();
    await assertFits(page);
    await page.close();
  }
});
