import assert from 'node:assert/strict';
import { accessibilityFaults, rareBrowserTest, scrollsSideways } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits } from './support.ts';

const QUESTION = { eventName: 'conversation_started', aggregation: 'count', dateFrom: '-30d', agentId: '*' };

rareBrowserTest('Cases: a KPI leads to its events, their threads and executions', async (t) => {
  const app = await demoApp(t);
  const { body: answer } = await app.request('POST', '/api/v1/runtime/v1/observability/events/query', {
    ...QUESTION,
    aggregation: undefined,
  });
  const total = answer.total.toLocaleString('en-GB');
  const question = encodeURIComponent(JSON.stringify(QUESTION));
  const options = {
    path: `/events/aggregate?question=${question}`,
    role: 'VIEWER',
    expected: /status of 400/,
  } as const;
  const page = await portalPage(t, app, options);
  await page.getByLabel('Basis').getByRole('link', { name: 'Show the events' }).click();
  await page.waitForURL(/\/cases\/[\w-]{20,}$/);
  await page.getByRole('heading', { name: 'Events behind a number', level: 1 }).waitFor();
  await page.getByText(`${total} events in ${total} threads`).waitFor();
  await page.getByText(new RegExp(`^${total} events · page 1 of `)).waitFor();
  const threads = page.getByRole('region', { name: 'Table of threads' });
  assert.equal(await threads.getByRole('row').count(), 101);
  assert.deepEqual(await accessibilityFaults(page), []);

  const events = page.getByRole('listitem').getByRole('link', { name: 'conversation_started' });
  assert.equal(await events.count(), 50);
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText(new RegExp(`^${total} events · page 2 of `)).waitFor();
  const { pathname } = new URL(page.url());
  await events.first().click();
  const drawer = page.getByRole('dialog', { name: 'conversation_started' });
  await drawer.getByRole('heading', { name: 'Properties' }).waitFor();
  assert.equal(new URL(page.url()).pathname, pathname);
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize({ width: 320, height: 640 });
  await assertFits(page);

  await page.goto(app.url + pathname.slice(0, -3));
  await page.getByRole('heading', { name: 'This address is not complete' }).waitFor();
  assert.equal(await scrollsSideways(page), false);

  // Every role may read events today.
  const session = await page.evaluate<object>("fetch('/api/v1/portal/me').then((answer) => answer.json())");
  const json = { ...session, scopes: ['dashboards:read', 'metrics:read'] };
  await page.route('**/api/v1/portal/me', (route) => route.fulfill({ json }));
  await page.goto(app.url + options.path);
  await page.getByLabel('Basis').getByText('UTC').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Show the events' }).count(), 0);
  await page.goto(app.url + pathname);
  await page.getByText('Your role does not let you see events.').waitFor();
});
