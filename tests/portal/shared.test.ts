import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { expiryOf, snippetsOf } from '../../portal/src/pages/dashboards/share/state.ts';
import { afterAnswer, LOADING, type SharedTab } from '../../portal/src/pages/shared/state.ts';
import { browserTest, openPage } from '../support/browser.ts';
import { type DemoApp, demoApp } from '../support/demo.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, demoOfThisFile } from './support.ts';

const TABS = '/api/v1/runtime/observability/dashboard-tabs';
const sharedApp = demoOfThisFile();

async function tabOf(app: DemoApp): Promise<string> {
  const { tabs } = (await app.request('GET', TABS)).body;
  return tabs.find(({ name }: { name: string }) => name === 'Service').id;
}

/** A link to the tab Service, by the API. */
async function linkTo(app: DemoApp): Promise<{ address: string; revoke(): Promise<unknown> }> {
  const tab = await tabOf(app);
  const { id, url } = (await app.request('POST', `${TABS}/${tab}/links`, {})).body;
  return {
    address: app.url + new URL(url).pathname,
    revoke: () => app.request('DELETE', `${TABS}/${tab}/links/${id}`),
  };
}

test('Shared page: keeps what it shows while requests fail, not after the end', () => {
  const tab: SharedTab = { title: 'Sales', total: 0, cards: [] };
  const shown = afterAnswer(LOADING, { status: 200, tab, now: 5 });
  assert.deepEqual(shown, { tab, updatedAt: 5, status: 'shown' });
  assert.deepEqual(afterAnswer(shown, { status: 0, tab: null, now: 9 }), { ...shown, status: 'failed' });
  const ended = afterAnswer(shown, { status: 410, tab: null, now: 9 });
  assert.deepEqual(ended, { tab: null, updatedAt: 0, status: 'ended' });
  assert.deepEqual(afterAnswer(ended, { status: 200, tab, now: 9 }), ended);
});

test('Share a tab: lifetimes, and HTML whose attributes no name leaves', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  assert.deepEqual([expiryOf('7', now), expiryOf('never', now)], ['2026-03-08T00:00:00.000Z', null]);
  const { picture, frame } = snippetsOf('https://x/shared/s', '"><script>');
  assert.equal(
    picture,
    '<a href="https://x/shared/s"><img src="https://x/shared/s.png" alt="&#34;&#62;&#60;script&#62;"></a>',
  );
  assert.match(frame, /^<iframe src="https:\/\/x\/shared\/s" title="&#34;&#62;&#60;script&#62;" /);
});

browserTest('Shared tab: made, opened without a login, and revoked while it is open', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app);
  await page.getByRole('button', { name: 'Actions of the tab Service' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Share …' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share Service' });
  await dialog.getByLabel('Expires').selectOption('Never');
  await dialog.getByText(/It works until somebody revokes it/).waitFor();
  await assertFits(page);
  await dialog.getByRole('button', { name: 'Make a link' }).press('Enter');
  const made = page.getByRole('dialog', { name: 'The link to Service' });
  const url = await made.getByRole('region', { name: 'Link', exact: true }).innerText();
  assert.match(url, /\/shared\/arl_\w{43}$/);
  await made.getByText(/No other site may frame it/).waitFor();
  await assertFits(page);
  await made.getByRole('button', { name: 'I have copied it' }).press('Enter');

  const reader = await openPage(t, { origin: app.url, expected: /410/ });
  await reader.goto(url);
  await reader.getByRole('heading', { name: 'Service', level: 1 }).waitFor();
  await reader.getByRole('region', { name: 'Conversations, last 7 days' }).getByRole('img').waitFor();
  assert.equal(await reader.getByRole('region').count(), 4);
  assert.equal((await reader.getByRole('link').count()) + (await reader.getByRole('navigation').count()), 0);
  assert.deepEqual(await reader.context().cookies(), []);
  await assertFits(reader);

  await dialog.getByText('Opens nothing').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: /^Revoke the link made/ }).press('Enter');
  const sure = page.getByRole('dialog', { name: 'Revoke this link?' });
  await sure.getByRole('button', { name: 'Revoke' }).press('Enter');
  await dialog.getByRole('listitem').waitFor({ state: 'detached' });

  // As it reads again each minute, and when it is looked at again.
  await reader.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await reader.getByRole('heading', { name: 'This link has ended' }).waitFor();
  assert.equal(await reader.getByRole('region').count(), 0);
  await assertFits(reader);
  await reader.reload();
  await reader.getByRole('heading', { name: 'This link has ended' }).waitFor();
});

browserTest('Shared tab: in Portuguese, dark, 320 pixels wide, as chart and as table', async (t) => {
  const app = await sharedApp();
  const { address } = await linkTo(app);
  const viewport = { width: 320, height: 800 };
  const page = await openPage(t, { origin: app.url, locale: 'pt-BR', colorScheme: 'dark', viewport });
  await page.goto(address);
  await page.getByText(/^Atualizado às/).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR');
  const card = page.getByRole('region', { name: 'Conversations by channel', exact: true });
  const asTable = card.getByRole('button', { name: 'Mostrar Conversations by channel como tabela' });
  await asTable.press('Enter');
  await card.getByRole('cell', { name: 'whatsapp' }).waitFor();
  await assertFits(page);
});

/** A page elsewhere, that frames an address. */
async function framing(t: TestContext, address: () => string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>Wiki</title><main><iframe title="Shared" src="${address()}"></iframe></main>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

browserTest('Shared tab: a page of an allowed origin frames it, another one does not', async (t) => {
  let address = '';
  const [allowed, other] = [await framing(t, () => address), await framing(t, () => address)];
  const app = await demoApp(t, { frameOrigins: allowed });
  ({ address } = await linkTo(app));
  for (const origin of [allowed, other]) {
    const page = await openPage(t, { origin, expected: /request to|frame-ancestors|ERR_BLOCKED_BY_RESPONSE/ });
    await page.goto(origin);
    const title = page.frameLocator('iframe').getByRole('heading', { name: 'Service', level: 1 });
    if (origin === allowed) await title.waitFor();
    else {
      await page.waitForLoadState('networkidle');
      assert.equal(await title.count(), 0);
    }
  }
});
