import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import type { Locator, Page } from 'playwright-core';
import { browserTest, openPage } from '../support/browser.ts';
import { demoApp } from '../support/demo.ts';
import { newUser } from '../support/people.ts';

/** One step of somebody who knows no documentation: what is visible has a role and a name. */
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function choose(page: Page, field: string, text: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(text);
  await page.getByRole('option', { name: option }).click();
}

async function act(page: Page, title: string, action: string): Promise<void> {
  await press(page, `Actions of ${title}`);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function addCard(page: Page): Promise<string> {
  await page.getByRole('img').waitFor();
  const title = await page.getByRole('heading', { level: 2 }).last().innerText();
  await press(page, 'Add card');
  await page.getByRole('status').getByText(`The card “${title}” was added`).waitFor();
  await cardOf(page, title).getByRole('img').waitFor();
  return title;
}

async function rowsOf(page: Page, title: string): Promise<string[][]> {
  await act(page, title, 'Show as table');
  const rows = page.getByRole('region', { name: `${title}, data`, exact: true }).getByRole('row');
  await rows.first().waitFor();
  const [, ...body] = await rows.all();
  return Promise.all(body.map((row) => row.getByRole('cell').allInnerTexts()));
}

async function askedOverMcp(client: Client, question: string) {
  const [, cardId] = /\(render_dashboard_card, cardId (\S+)\)$/.exec(question) ?? [];
  const { structuredContent } = await client.callTool({ name: 'render_dashboard_card', arguments: { cardId } });
  // biome-ignore lint/suspicious/noExplicitAny: of any type of card
  return structuredContent as any;
}

const placeOf = async (card: Locator) => (await card.boundingBox())!;
const numberIn = (text: string) => Number(text.replaceAll(',', ''));

browserTest('Newcomer: from the login link to a dashboard of three cards, without the docs', async (t) => {
  const app = await demoApp(t);
  const user = await newUser(app, { role: 'ADMIN' });
  const page = await openPage(t, { origin: app.url, expected: /401/ });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${app.url}/login#link=${await app.runtime.logins.issueLink(user, 60_000)}`);
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor();
  await cardOf(page, 'Conversations, last 7 days').getByRole('img').waitFor();

  await press(page, 'New tab');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await press(page, 'Create');
  await page.getByRole('heading', { name: 'This tab is empty' }).waitFor();

  await link(page, 'See the events');
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  await page.getByRole('listitem').getByRole('link', { name: 'conversation_started' }).first().waitFor();
  await link(page, 'KPI');
  await choose(page, 'Event', 'refund', /^refund_issued/);
  await page.getByRole('combobox', { name: 'What to compute' }).selectOption('Sum of');
  await choose(page, 'Property', 'amo', /^amount/);
  await press(page, 'Run');
  const answer = page.getByRole('region', { name: 'Sum of amount, refund_issued' });
  const kpi = await answer.getByRole('img').textContent();
  await link(page, 'Save as card');
  await page.getByRole('heading', { name: 'New card' }).waitFor();
  await page
    .getByRole('combobox', { name: 'Tab' })
    .locator('option:checked', { hasText: /^Mine$/ })
    .waitFor({ state: 'attached' });
  const sum = await addCard(page);
  assert.equal(await page.getByRole('tab', { name: 'Mine' }).getAttribute('aria-selected'), 'true');
  assert.equal(await cardOf(page, sum).getByRole('img').textContent(), kpi, 'the card says what the KPI said');

  await link(page, 'New card');
  await page.getByRole('radio', { name: 'Line' }).check();
  await choose(page, 'Event', 'started', /^conversation_started/);
  await page.getByRole('combobox', { name: 'Over time' }).selectOption('By week');
  await choose(page, 'Group by', 'chan', /^channel/);
  const line = await addCard(page);

  await link(page, 'New card');
  await page.getByRole('radio', { name: 'Funnel' }).check();
  await choose(page, 'Event of step 1', 'started', /^conversation_started/);
  await choose(page, 'Event of step 2', 'resolved', /^conversation_resolved/);
  const funnel = await addCard(page);
  assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts(), [
    sum,
    line,
    funnel,
  ]);

  // The funnel goes to the top, as wide as the window lets it.
  await page.getByRole('button', { name: `Move ${funnel}`, exact: true }).press('Enter');
  for (let row = 0; row < 20; row++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Saved. Row 1,').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: `Resize ${funnel}`, exact: true }).press('Enter');
  for (let column = 0; column < 12; column++) await page.keyboard.press('ArrowRight');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.keyboard.press('Enter');
  await saved;
  await link(page, 'Connect');
  await page.getByRole('heading', { name: 'Connect' }).waitFor();
  await link(page, 'Dashboards');
  // Cards that load are not laid out yet.
  await cardOf(page, sum).waitFor();
  await page.locator('.card[aria-busy=true]').first().waitFor({ state: 'detached' });
  const [top, below] = await Promise.all([funnel, sum].map((title) => placeOf(cardOf(page, title))));
  assert.ok(top!.y < below!.y && top!.width > below!.width * 1.5);

  const client = await app.mcpClient();
  const questionOf = async (title: string) => {
    // The status of an earlier copy may still be shown.
    await page.evaluate("navigator.clipboard.writeText('')");
    // When a card is loaded, its menu grows, and moves under the mouse.
    await page.locator('.card[aria-busy=true]').first().waitFor({ state: 'detached' });
    await act(page, title, 'Copy question for MCP');
    await page.getByRole('status').getByText('Question copied').waitFor();
    const copied = await page.waitForFunction<string>('navigator.clipboard.readText()');
    return copied.jsonValue();
  };
  const asked = async (title: string) => (await askedOverMcp(client, await questionOf(title))).data;
  assert.equal(kpi, (await asked(sum)).formatted);
  const { series } = await asked(line);
  const groups = [...new Set(series.map(({ group }: { group: string }) => group))];
  const byWeek = Object.values(Object.groupBy(series, ({ bucket }: { bucket: string }) => bucket));
  assert.ok(groups.length === 3 && byWeek.length > 3);
  assert.deepEqual(
    // After the groups come the annotations.
    (await rowsOf(page, line)).map((row) => row.slice(1, 1 + groups.length).map(numberIn)),
    // biome-ignore lint/suspicious/noExplicitAny: of any type of card
    byWeek.map((week: any) => groups.map((group) => week.find((one: any) => one.group === group)?.value)),
  );
  const { steps } = await asked(funnel);
  assert.deepEqual(
    (await rowsOf(page, funnel)).map(([step, count]) => [step, numberIn(count!)]),
    steps.map(({ eventName, count }: { eventName: string; count: number }) => [eventName, count]),
  );

  await press(page, 'Log out');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});
