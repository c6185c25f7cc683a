import assert from 'node:assert/strict';
import { browserTest } from '../support/browser.ts';
import type { DemoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { rpc } from '../tools/mcp-requests.ts';
import { assertFits, demoOfThisFile, focused } from './support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const sharedApp = demoOfThisFile();

async function byAgent(app: DemoApp, name: string, args: object): Promise<void> {
  const { result } = await rpc(app, 'tools/call', { name, arguments: args });
  assert.equal(result.isError, undefined, JSON.stringify(result.content));
}

browserTest('Changes by agents: marks lead to the list, where each is undone', async (t) => {
  const app = await sharedApp();
  const config = { eventName: 'conversation_started', aggregation: 'count', dateFrom: '-3d' };
  const made = { title: 'Of an agent', cardType: 'line', tab: 'Service', config, intent: 'Ada asked for it.' };
  await byAgent(app, 'save_card', made);
  await byAgent(app, 'delete_card', { cardId: 'Escalations by day', intent: 'Nobody looks at it.' });
  const page = await portalPage(t, app, { viewport: { width: 320, height: 800 } });
  const mark = page.getByRole('button', { name: 'Made by test, save_card: Ada asked for it.' });
  const deleted = page.getByRole('region', { name: 'Escalations by day', exact: true });
  await mark.waitFor();
  assert.equal(await page.getByRole('button', { name: /^(Made|Changed) by/ }).count(), 1);
  assert.equal(await deleted.count(), 0);
  await assertFits(page);
  await mark.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Changes by agents' });
  const rows = dialog.getByRole('listitem');
  await rows.first().waitFor();
  assert.deepEqual((await rows.allInnerTexts()).map((text) => text.split('\n')[0]).sort(), [
    'Escalations by day',
    'Of an agent',
  ]);
  assert.match(await rows.first().innerText(), /Nobody looks at it|Ada asked for it/);
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Undo: deleted card Escalations by day' }).press('Enter');
  await dialog.getByText(/undone by/).waitFor();
  await focused(dialog);
  await dialog.getByRole('button', { name: 'Undo: created card Of an agent' }).press('Enter');
  await dialog.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await deleted.waitFor();
  await mark.waitFor({ state: 'detached' });
  const titles = (await app.request('GET', CARDS)).body.cards.map(({ title }: { title: string }) => title);
  assert.equal(titles.length, 8);
  assert.ok(titles.includes('Escalations by day') && !titles.includes('Of an agent'));
});
