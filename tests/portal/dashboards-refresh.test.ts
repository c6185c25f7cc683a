import assert from 'node:assert/strict';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';

const app = appOfThisFile();

async function newCard(title: string): Promise<void> {
  const config = { eventName: 'agent_replied', aggregation: 'count' };
  const { request } = await app();
  await request('POST', CARDS, { agentId: 'support', title, cardType: 'number', config, idempotencyKey: title });
}

browserTest('Dashboards: a failed card is not shown as loading', async (t) => {
  await newCard('Failing');
  const page = await portalPage(t, await app(), { path: '/no/such/page', expected: /status of 503/ });
  const busy = { statusCode: 503, message: 'Busy.', error: 'Service Unavailable' };
  await page.route(`**${CARDS}/render`, (route) => route.fulfill({ status: 503, json: busy }));
  await page.goto((await app()).url);
  await page.getByRole('alert').getByText('Busy.').first().waitFor();
  assert.equal(await page.getByText('Loading …', { exact: true }).count(), 0);
});

browserTest('Dashboards: Refresh keeps the focus while cards load', async (t) => {
  await newCard('Replies');
  const page = await portalPage(t, await app());
  await page.getByText(/^Updated/).waitFor();
  const asked: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${CARDS}/render`, async (route) => {
    asked.push(route.request().url());
    await released;
    await route.continue();
  });
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  await refresh.focus();
  await page.keyboard.press('Enter');
  await refresh.and(page.locator('[aria-disabled="true"]')).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  release();
  await page.getByText('Refreshed', { exact: true }).waitFor({ state: 'attached' });
  await refresh.and(page.locator('[aria-disabled="false"]')).and(page.locator(':focus')).waitFor();
  assert.equal(asked.length, 1);
});

browserTest('Dashboards: a range for all cards uses the time zone of the browser', async (t) => {
  await newCard('Zoned');
  const page = await portalPage(t, await app(), { path: '/?from=today', timezoneId: 'Asia/Tokyo' });
  await page.getByRole('region', { name: 'Zoned' }).getByText('· Asia/Tokyo ·').waitFor();
});

rareBrowserTest('Dashboards: offline, Refresh says that cards were not refreshed', async (t) => {
  await newCard('Offline');
  const page = await portalPage(t, await app(), { expected: /ERR_INTERNET_DISCONNECTED/ });
  await page.getByText(/^Updated/).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('Some cards were not refreshed').waitFor({ state: 'attached' });
});
