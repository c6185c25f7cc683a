import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodInWords, whyNoKappa } from '../../portal/src/pages/reviews/statistics/agreement-words.ts';
import {
  differenceInterval,
  durationInWords,
  shareOf,
  verdictOf,
} from '../../portal/src/pages/reviews/statistics/state.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { newUser, OWN_PAGE } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { OBSERVABILITY, sent } from './executions-support.ts';
import { assertFits, fill } from './support.ts';

const PATH = '/reviews/statistics';
const COMMENT = 'What the reviewer saw.';

const STATUSES = ['resolved', 'in_progress', 'in_progress', 'wont_fix', 'wont_fix', 'wont_fix'];

/** 12 good ones of which 9 converted, 12 bad ones of which 1 did, and one that needs improvement. */
async function reviewed(app: TestApp): Promise<void> {
  const events: object[] = [{ eventName: 'page_seen', threadId: 'thread 1' }];
  for (let index = 0; index < 25; index++) {
    const executionId = `run-${index}`;
    const rating = index < 12 ? 'good' : index < 24 ? 'bad' : 'needs_improvement';
    const priority = index === 12 ? 'critical' : index > 22 ? 'high' : 'low';
    const { id } = await sent(app, 'POST', `/executions/${executionId}/reviews`, {
      rating,
      priority,
      comment: COMMENT,
    });
    if (index < STATUSES.length) await sent(app, 'PATCH', `/reviews/${id}`, { status: STATUSES[index] });
    if (index === 0) {
      await sent(app, 'POST', '/executions', { id: executionId, threadId: 'thread 2', output: 'Here it is.' });
      events.push({ eventName: 'book_bought', threadId: 'thread 2' });
    } else if (index < 9 || index === 12) {
      events.push({ eventName: 'book_bought', executionId });
    }
  }
  await app.ingest(events);
}

browserTest('Review statistics: pictures, and whether badly rated ones convert less', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH });
  await page.getByRole('heading', { name: 'No reviews yet' }).waitFor();
  await assertFits(page);
  await reviewed(app);
  await page.reload();
  await page.getByRole('img', { name: '3 groups: Good: 12, Needs improvement: 1, Bad: 12.' }).waitFor();
  await page.getByRole('img', { name: /Pending: 19, In progress: 2, Resolved: 1, Will not be fixed: 3/ }).waitFor();
  await page.getByRole('img', { name: /Critical: 1, High: 2, Medium or low: 22/ }).waitFor();
  await fill(page, 'Outcome', 'page_seen');
  await page.getByText('No “page_seen” event names one of the reviewed executions').waitFor();
  await page.getByLabel('Outcome', { exact: true }).fill('book');
  await page.getByRole('option', { name: /book_bought/ }).click();
  await page
    .getByRole('status')
    .getByText(/^Yes: their share is lower by between [\d.]+ and [\d.]+ percentage/)
    .waitFor();
  const facts = page.getByText('9 of 12 executions');
  await facts.waitFor();
  await page.getByText('1 of 12 executions').waitFor();
  await page.getByText('0 of 1 executions').waitFor();
  await page.getByRole('img', { name: 'Good: 75%, Needs improvement: 0%' }).waitFor();
  await assertFits(page);
  assert.equal(new URL(page.url()).search, '?outcome=book_bought');
  await page.reload();
  await facts.waitFor();
  await page.goto(`${app.url}${PATH}?agent=nobody`);
  await page.getByRole('heading', { name: 'No reviews of the agent “nobody” yet' }).waitFor();
  await page.getByRole('link', { name: 'Show the reviews of all agents' }).click();
  await page.getByRole('img', { name: /Good: 12/ }).waitFor();
});

browserTest('Review statistics: the agreement of people on a rubric, and why it is not known', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH, role: 'VIEWER' });
  await page.getByText('There is none yet.').waitFor();
  const questions = [
    { id: 'is_right', text: 'Is the answer right?', type: 'boolean' },
    { id: 'clarity', text: 'How clear is it?', type: 'scale' },
  ];
  await app.request('POST', `${OBSERVABILITY}/rubrics`, { name: 'quality', title: 'Quality', questions });
  for (const isFirst of [true, false]) {
    const { token } = await app.runtime.sessions.open(await newUser(app, { role: 'USER' }), { address: 'a test' });
    const asPerson = { 'x-api-key': '', cookie: `ar_session=${token}`, ...OWN_PAGE };
    for (let index = 0; index < 10; index++) {
      const answers = { is_right: isFirst ? index < 5 : index < 4 || index === 9 };
      const path = `${OBSERVABILITY}/executions/run-${index}/assessments`;
      const { status } = await app.request('POST', path, { rubric: 'quality', answers }, asPerson);
      assert.equal(status, 201);
    }
  }
  await page.reload();
  await page.getByLabel('Rubric').selectOption('Quality');
  const table = page.getByRole('region', { name: 'Agreement on quality' });
  await table
    .getByRole('row', { name: /^Is the answer right\? 10 2 80% 0\.60 -?0\.\d\d to (0\.\d\d|1\.00) Cohen’s/ })
    .waitFor();
  await table.getByRole('row', { name: 'How clear is it? 0 0 – Too few to say: no execution' }).waitFor();
  await assertFits(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await assertFits(page);
  assert.equal(new URL(page.url()).search, '?rubric=quality');
});

rareBrowserTest('Review statistics: by keyboard, in both themes and widths; errors and rights', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await reviewed(app);
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { path: PATH, role: 'VIEWER', viewport: { width, height: 800 } });
    await page.getByLabel('Outcome', { exact: true }).focus();
    await page.keyboard.type('book');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('9 of 12 executions').waitFor();
    await assertFits(page);
    await page.close();
  }
  const page = await portalPage(t, app, { expected: /status of 500/ });
  const broken = { statusCode: 500, error: 'Internal Server Error', message: 'Something failed.' };
  await page.route('**/reviews/stats*', (route) => route.fulfill({ status: 500, json: broken }));
  await page.goto(app.url + PATH);
  await page.getByRole('alert').getByText('Something failed.').waitFor();
  await page.unroute('**/reviews/stats*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('img', { name: /Good: 12/ }).waitFor();
  const me = (await page.evaluate("fetch('/api/v1/portal/me').then((answer) => answer.json())")) as object;
  await page.route('**/portal/me', (route) => route.fulfill({ json: { ...me, scopes: ['events:read'] } }));
  await page.reload();
  await page.getByText('does not let you read reviews').waitFor();
});

test('Review statistics: durations in the unit that people would take', () => {
  const said = ['Under a minute', '18 minutes', '1 hour', '1.3 hours', '47.9 hours', '3 days'];
  assert.deepEqual([0.001, 0.3, 1, 1.25, 47.9, 72].map(durationInWords), said);
});

test('Review statistics: the interval of a difference is Newcombe’s of 1998', () => {
  // Table II of "Interval estimation for the difference between independent proportions".
  const published = [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 10, 0.6075, 1],
  ] as const;
  for (const [converted, reviews, otherConverted, otherReviews, low, high] of published) {
    const found = differenceInterval({ converted, reviews }, { converted: otherConverted, reviews: otherReviews });
    assert.deepEqual(
      found.map((end) => Number(end.toFixed(4))),
      [low, high],
      `${converted}/${reviews}`,
    );
  }
});

test('Review statistics: the verdict says when there is too little to say', () => {
  const of = (converted: number, reviews: number) => ({ converted, reviews });
  assert.match(verdictOf(of(50, 100), of(10, 100)), /^Yes: their share is lower by between 27\.[\d.]+ and 50/);
  assert.match(verdictOf(of(10, 100), of(50, 100)), /^No: their share is higher by between 27/);
  assert.match(verdictOf(of(20, 100), of(18, 100)), /may be chance\. It lies between -\d.* and \d/);
  assert.match(verdictOf(of(9, 9), of(0, 100)), /^Too few to say/);
  assert.match(verdictOf(of(0, 0), of(1, 100)), /one of the two is missing/);
  assert.equal(shareOf(of(0, 0)), null);
});

test('Agreement in words: the method, and why there is no kappa', () => {
  assert.equal(methodInWords('cohen, bayesian-bootstrap'), 'Cohen’s kappa, of the same two people');
  assert.match(methodInWords('fleiss-quadratic, bayesian-bootstrap'), /^Fleiss’ .*; near answers agree in part$/);
  const reasons = [0, 1, 2].map((items) => whyNoKappa({ items }));
  assert.equal(new Set(reasons).size, 3);
});
