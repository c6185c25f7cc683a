import assert from 'node:assert/strict';
import { testApp } from '../support/app.ts';
import { browserTest } from '../support/browser.ts';
import { connector } from '../support/connectors.ts';
import { newPerson, PORTAL } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits } from './support.ts';

browserTest('Connectors: they are listed and removed, and others read why they see none', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const admin = await newPerson(app, { role: 'ADMIN' });
  await admin.request('PUT', `${PORTAL}/connectors/pets`, connector());
  const page = await portalPage(t, app, { path: '/connectors' });
  const row = page.getByRole('listitem').filter({ hasText: 'Pet store' });
  await row.getByText('1 resource').waitFor();
  await assertFits(page);
  await row.getByRole('button', { name: 'Remove Pet store' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await announced(page, 'The connector was removed');
  await page.getByText('No connector yet').waitFor();
  assert.equal((await admin.request('GET', `${PORTAL}/connectors`)).body.total, 0);

  const viewer = await portalPage(t, app, { path: '/connectors', role: 'VIEWER' });
  await viewer.getByText('Only administrators see connectors.').waitFor();
});
