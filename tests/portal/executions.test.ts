import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { testApp } from '../support/app.ts';
import { browserTest, scrollsSideways } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { EXECUTIONS, HOSTILE, recordHostile, recordMany, sent } from './executions-support.ts';
import { assertFits, focused } from './support.ts';

const NARROW = { width: 320, height: 700 };
const items = (page: Page) => page.getByRole('region', { name: 'Executions', exact: true }).getByRole('listitem');
const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

browserTest('Executions: filters, order and pages are in the address, and stay with a reload', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 112);
  const page = await portalPage(t, app, { path: '/executions', role: 'VIEWER' });
  await page.getByText('112 executions · times in UTC').waitFor();
  const newest = items(page).first();
  await newest.getByRole('link', { name: 'Refund 111' }).waitFor();
  assert.match(
    await newest.innerText(),
    /^Refund 111\s+Failed\s+support · user-1 · claude-sonnet-4-5\s+\$0\.00\d+ priced\s+221 tokens\s+1 min 51 s\s+12 Mar 2026/,
  );
  await assertFits(page);

  // Next, next, a reload, and the same way back.
  for (const first of ['run-061', 'run-011']) {
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await items(page).first().getByRole('link', { name: first }).waitFor();
  }
  await page.reload();
  await items(page).first().getByRole('link', { name: 'run-011' }).waitFor();
  await page.getByRole('link', { name: 'Previous' }).click();
  await items(page).first().getByRole('link', { name: 'run-061' }).waitFor();
  await page.getByRole('link', { name: 'Previous' }).click();
  await newest.getByRole('link', { name: 'Refund 111' }).waitFor();
  assert.deepEqual(addressOf(page), {});

  await page.getByLabel('Status').selectOption('Failed');
  await page.getByText('16 executions').waitFor();
  await page.getByText('More filters').click();
  await page.getByLabel('Model', { exact: true }).fill('gpt-5');
  await page.keyboard.press('Enter');
  await page.getByText('8 executions').waitFor();
  await page.getByLabel('Most latency in ms').fill('50000');
  await page.keyboard.press('Enter');
  await page.getByText('4 executions').waitFor();
  await page.getByLabel('Order').selectOption('Slowest first');
  await page.getByText('those without a latency are left out').waitFor();
  const asked = { status: 'failed', model: 'gpt-5', maxLatencyMs: '50000', sortBy: 'latencyMs' };
  assert.deepEqual(addressOf(page), asked);
  await page.reload();
  await page.getByText('4 executions').waitFor();
  assert.equal(await page.getByLabel('Most latency in ms').inputValue(), '50000');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await focused(page.getByLabel('Words of messages and output'));
  await page.getByText('112 executions').waitFor();

  await page.getByLabel('Words of messages and output').fill('no such words');
  await page.getByRole('heading', { name: 'No execution matches' }).waitFor();
  await page.getByRole('link', { name: 'Show all executions' }).click();
  await page.getByText('112 executions').waitFor();
});

browserTest('Executions: a filter that the API refuses is explained, and can be cleared', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: '/executions?minCost=-1', expected: /status of 400/ });
  await page.getByRole('alert').getByText('must not be negative').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('heading', { name: 'No executions yet' }).waitFor();
  const command = page.getByRole('region', { name: 'Command that records an execution' });
  assert.ok((await command.innerText()).includes(`${app.url}${EXECUTIONS}`));
  await page.setViewportSize(NARROW);
  await assertFits(page);
});

browserTest('Executions: new ones come by themselves, and wait for who is in the list', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 2);
  const page = await portalPage(t, app, { path: '/executions', viewport: NARROW });
  await items(page).first().getByRole('link', { name: 'run-001' }).waitFor();
  await assertFits(page);
  await sent(app, 'POST', '/executions', { id: 'new-1', messages: [{ role: 'user', content: 'a' }] });
  await items(page).first().getByRole('link', { name: 'new-1' }).waitFor();

  await items(page).first().getByRole('link').focus();
  await sent(app, 'POST', '/executions', { id: 'new-2', messages: [{ role: 'user', content: 'a' }] });
  await sent(app, 'POST', '/executions', { id: 'new-1', output: 'b' });
  const bringIn = page.getByRole('button', { name: '1 new execution' });
  await bringIn.waitFor();
  await items(page).first().getByText('Completed').waitFor();
  await items(page).first().getByRole('link', { name: 'new-1' }).waitFor();
  await bringIn.click();
  await items(page).first().getByRole('link', { name: 'new-2' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
});

browserTest('Execution: a hostile transcript is text, and fits', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordHostile(app);
  const page = await portalPage(t, app, { path: '/executions' });
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
  await page.getByText('The execution failed').waitFor();
  await page.getByText(`timeout: ${HOSTILE}`).waitFor();
  const turns = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  assert.equal(await turns.count(), 5);
  await turns.last().getByText('<iframe src="data:text/html,x"></iframe>').waitFor();
  assert.equal(await turns.last().getByRole('link').count(), 0);
  await turns.getByText('find_order').click();
  await turns.getByText('The arguments are not JSON. They are shown as the model wrote them.').waitFor();
  await turns.getByText(`{"order": ${HOSTILE}`).first().waitFor();
  await turns.getByRole('button', { name: 'Show all 1,000,000 characters' }).waitFor();
  await page.getByText('Metadata, 1 member').click();
  await page.getByText(`"note": "${HOSTILE}"`).waitFor();
  await page.getByRole('link', { name: 't/1 %2F?#' }).waitFor();

  const steps = page.getByRole('table', { name: 'Steps' });
  await page.getByText('1 of 501 steps failed').waitFor();
  await page.getByRole('button', { name: /^Show the first: / }).click();
  await focused(steps.locator('[data-step="step-321"]'));
  await page.keyboard.press('ArrowDown');
  await focused(steps.locator('[data-step="step-322"]'));
  assert.equal(await page.evaluate('document.querySelectorAll("main img, main iframe, main script").length'), 0);
  await assertFits(page);
  await page.setViewportSize(NARROW);
  assert.ok(!(await scrollsSideways(page)));
});

browserTest('Execution: J and K go through the list from page to page, and back to it', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 104);
  const page = await portalPage(t, app, { path: '/executions?model=gpt-5', role: 'VIEWER' });
  await page.getByText('52 executions').waitFor();
  await items(page).nth(48).getByRole('link').click();
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await title('Refund 6');
  for (const name of ['run-004', 'run-002', 'Refund 0']) {
    await page.getByRole('button', { name: 'Next', disabled: false }).waitFor();
    await page.keyboard.press('j');
    await title(name);
  }
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled());
  await page.reload();
  await title('Refund 0');
  for (const name of ['run-002', 'run-004']) {
    await page.getByRole('button', { name: 'Previous', disabled: false }).waitFor();
    await page.keyboard.press('k');
    await title(name);
  }
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByText('52 executions').waitFor();
  assert.equal(addressOf(page).model, 'gpt-5');
});

browserTest('Execution: its review is written, corrected and deleted here', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 1);
  await app.ingest([{ eventName: 'order_paid', threadId: 'thread-0', properties: { amount: 5 } }]);
  const page = await portalPage(t, app, { path: '/executions/run-000', role: 'USER' });
  await page.getByText('Nobody has reviewed it.').waitFor();
  await page.getByRole('button', { name: 'Write a review' }).click();
  const form = page.getByRole('form', { name: 'The review' });
  await focused(form.getByRole('radio', { name: 'Good' }));
  await page.keyboard.press('c');
  await page.keyboard.type('It named the wrong day.');
  await page.keyboard.press('Control+Enter');
  await form.getByText('Choose a rating.').waitFor();
  await page.keyboard.press('b');
  await form.getByLabel('Tags').fill('delivery, vip');
  await form.getByRole('button', { name: 'Close' }).click();
  await focused(page.getByRole('button', { name: 'Write a review' }));
  await page.keyboard.press('Enter');
  await form.getByText('This is what you had typed and not saved.').waitFor();
  await form.getByRole('button', { name: /^Correct the answer/ }).click();
  await form.getByLabel('Corrected answer').fill('Answer 1');
  await form.getByRole('region', { name: 'The answer and its correction' }).getByText('added: ').waitFor();
  await assertFits(page);
  await page.keyboard.press('Control+Enter');
  const review = page.getByRole('region', { name: 'Review' });
  await review.getByText('Rated bad').waitFor();
  await focused(review.getByRole('button', { name: 'Change' }));
  await review.getByText('delivery, vip').waitFor();
  await review.getByRole('region', { name: 'The answer and its correction' }).locator('ins').getByText('1').waitFor();

  await page.keyboard.press('Enter');
  await form.getByLabel('Status').selectOption('Resolved');
  await form.getByRole('button', { name: /^Save/ }).click();
  await review.getByText('Resolved').first().waitFor();
  const { body } = await app.request('GET', `${EXECUTIONS}?rating=bad`);
  assert.deepEqual(body.executions[0].review.status, 'resolved');
  await review.getByRole('button', { name: 'Delete the review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nobody has reviewed it.').waitFor();

  await page.getByRole('region', { name: 'Events of the thread' }).getByRole('link', { name: 'order_paid' }).click();
  await page.getByRole('dialog', { name: 'order_paid' }).getByRole('link', { name: 'thread-0', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Thread thread-0' }).waitFor();
});

browserTest('Execution: of a review of somebody else both versions are shown, and theirs can be taken', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 1);
  const page = await portalPage(t, app, { path: '/executions/run-000', expected: /status of 409/ });
  await page.getByRole('button', { name: 'Write a review' }).click();
  const form = page.getByRole('form', { name: 'The review' });
  await form.getByRole('radio', { name: 'Good' }).check();
  await form.getByLabel('Comment').fill('It was polite and right.');
  await sent(app, 'POST', '/executions/run-000/reviews', { rating: 'bad', comment: 'It was too late.' });
  await form.getByRole('button', { name: /^Save/ }).click();
  const both = page.getByRole('region', { name: 'Both versions' });
  await both.getByRole('row', { name: 'Comment It was polite and right. It was too late.' }).waitFor();
  assert.equal(await form.getByLabel('Comment').inputValue(), 'It was polite and right.');
  await assertFits(page);
  await form.getByRole('button', { name: 'Take theirs' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('region', { name: 'Review' }).getByText('It was too late.').waitFor();
});

const QUALITY = {
  name: 'quality',
  title: 'Quality of answers',
  questions: [
    { id: 'is_right', text: 'Is the answer right?', type: 'boolean' },
    { id: 'clarity', text: 'How clear is it?', type: 'scale' },
  ],
};

browserTest('Execution: its assessments are read, and the own one is made, changed and deleted', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 1);
  await sent(app, 'POST', '/rubrics', QUALITY);
  const page = await portalPage(t, app, { path: '/executions/run-000', role: 'USER', expected: /status of 400/ });
  await page.getByText('Nobody has assessed it.').waitFor();
  await sent(app, 'POST', '/executions/run-000/assessments', {
    ...{ rubric: 'quality', answers: { is_right: false, clarity: 4 }, comment: HOSTILE },
  });
  await page.reload();
  const byKey = page.getByRole('article').filter({ hasText: 'quality@1 by the API key' });
  await byKey.getByText('Is the answer right?').waitFor();
  assert.deepEqual(await byKey.getByRole('definition').allInnerTexts(), ['No', '4 of 5']);
  await byKey.getByText(HOSTILE).waitFor();
  assert.equal(await byKey.getByRole('button').count(), 0, 'others do not change it');

  await page.getByRole('button', { name: 'Assess it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assess it' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must answer at least one question of the rubric').waitFor();
  await dialog.getByRole('radio', { name: 'Yes' }).check();
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const own = page.getByRole('article').filter({ hasText: 'quality@1 by person-' });
  await own.getByText('Yes').waitFor();
  await sent(app, 'PATCH', '/rubrics/quality', { questions: [QUALITY.questions[1]] });
  await own.getByRole('button', { name: 'Change your answers to quality' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: '5' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const changed = page.getByRole('article').filter({ hasText: 'quality@2 by person-' });
  await changed.getByText('5 of 5').waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'Assess it' }).click();
  await page.getByText('You have answered every rubric.').waitFor();
  await page.keyboard.press('Escape');
  await changed.getByRole('button', { name: 'Delete your answers to quality' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await changed.waitFor({ state: 'detached' });
  await byKey.waitFor();
});

browserTest('Execution: one that is missing or foreign is said in words', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await app.runtime.tenants.create({ name: 'other' });
  const key = await app.newKey({ tenant: 'other' });
  const messages = [{ role: 'user', content: 'a' }];
  const { body } = await app.request('POST', EXECUTIONS, { messages }, { 'x-api-key': key });
  const page = await portalPage(t, app, { path: '/executions/nothing', expected: /status of 40[34]/ });
  await page.getByRole('heading', { name: 'There is no such execution' }).waitFor();
  await page.goto(`${app.url}/executions/${body.id}`);
  await page.getByRole('heading', { name: 'You may not see this execution' }).waitFor();
  await page.goto(`${app.url}/threads/nothing`);
  await page.getByRole('heading', { name: 'There is no such thread' }).waitFor();
  await assertFits(page);
});

browserTest('Execution: steps beyond the first 1,000 are loaded on request', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const steps = Array.from({ length: 1_200 }, (_, number) => ({
    ...{ id: `s-${number}`, kind: 'tool', name: `tool ${number}` },
    startedAt: new Date(Date.parse('2026-03-12T10:00:00Z') + number).toISOString(),
  }));
  await sent(app, 'POST', '/executions', { id: 'many', messages: [{ role: 'user', content: 'a' }], steps });
  const page = await portalPage(t, app, { path: '/executions/many' });
  await page.getByText('These are the first of 1,200.').waitFor();
  await page.getByRole('button', { name: 'Load all 1,200 steps' }).click();
  await page.getByRole('button', { name: 'Show 50 more of 1,200' }).waitFor();
});

browserTest('Thread: executions, events and reviews in order, conversations unfolded in place', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await recordMany(app, 9);
  await sent(app, 'POST', '/executions/run-000/reviews', { rating: 'good', comment: `Fine. ${HOSTILE}` });
  await app.ingest([
    { eventName: 'order_paid', threadId: 'thread-0', timestamp: '2026-03-12T10:00:20Z', properties: { note: HOSTILE } },
  ]);
  const page = await portalPage(t, app, { path: '/threads/thread-0', role: 'VIEWER', viewport: NARROW });
  await page.getByText('5 entries').waitFor();
  const entries = page.getByRole('list', { name: 'The thread, oldest first' }).locator('> li');
  const names = await entries.locator('.item-head').allInnerTexts();
  assert.deepEqual(
    names.map((name) => name.split('\n')[1]),
    ['Refund 0', 'order_paid', 'run-004', 'run-008', 'Rated good'],
  );
  await entries.first().getByText('What was said').click();
  await entries.first().getByText('Question 0').waitFor();
  await entries.first().getByText('Answer 0').waitFor();
  await assertFits(page);
  await entries.nth(1).getByRole('link', { name: 'order_paid' }).click();
  await page.getByRole('dialog', { name: 'order_paid' }).getByRole('row', { name: /^note/ }).waitFor();
  await page.keyboard.press('Escape');
  await entries.nth(2).getByRole('link', { name: 'run-004' }).click();
  await page.getByRole('heading', { level: 1, name: 'run-004' }).waitFor();
});
