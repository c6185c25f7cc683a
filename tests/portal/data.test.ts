import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { erasedWords, sizeOf } from '../../portal/src/pages/settings/data/words.ts';
import { backupSource } from '../../src/backup/places.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { newPerson } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { sent } from './executions-support.ts';
import { announced, assertFits } from './support.ts';

const PATH = '/settings/data';
const PASSPHRASE = 'seven words that nobody else would choose';
const DAY_MS = 86_400_000;

async function appWithEvents(t: TestContext): Promise<TestApp> {
  const app = await testApp(t, { rateLimit: 0, backupWork: 10 });
  const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const events = [1, 2, 40, 50, 60].map((days) => ({ eventName: 'order', timestamp: at(days), threadId: 'order-17' }));
  await app.ingest(events);
  // One that has ended would be an event, too.
  for (const days of [1, 120]) await sent(app, 'POST', '/executions', { status: 'running', startedAt: at(days) });
  return app;
}

async function beginBackup(page: Page): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase once more').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Download a backup' }).click();
}

async function downloadBackup(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download');
  await beginBackup(page);
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^agent-runtime-.*\.backup$/);
  return download.path();
}

browserTest('Data: retention is confirmed by name, a backup is saved, the workspace is erased', async (t) => {
  const app = await appWithEvents(t);
  await sent(app, 'POST', '/executions', { userId: 'u-17', threadId: 'order-18' });
  await app.ingest([1, 2].map(() => ({ eventName: 'order', threadId: 'order-18' })));
  const page = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN' });
  await page.getByRole('list', { name: 'Stores' }).getByText('7 events').waitFor();
  await assertFits(page);

  await page.getByLabel('Keep events').selectOption('30 days');
  await page.getByText('3 events', { exact: true }).waitFor();
  await page.getByLabel('Keep executions').selectOption('90 days');
  await page.getByText('1 execution', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove 3 events and 1 execution?' });
  await asked.getByLabel('Type default to go on').fill('Default');
  await asked.getByLabel('Type default to go on').press('Enter');
  assert.equal((await app.runtime.tenants.get(app.tenantId)).retentionDays, null, 'another name changes nothing');
  await asked.getByLabel('Type default to go on').fill('default');
  await asked.getByRole('button', { name: 'Remove them' }).click();
  await announced(page, 'The settings were saved');
  const { retentionDays, executionRetentionDays } = await app.runtime.tenants.get(app.tenantId);
  assert.deepEqual({ retentionDays, executionRetentionDays }, { retentionDays: 30, executionRetentionDays: 90 });

  const file = await downloadBackup(page);
  await page.getByText(/The last backup, of .*, was sent/).waitFor();
  assert.match(readFileSync(file).subarray(0, 30).toString('latin1'), /^age-encryption/);
  const dataDir = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDir);
  const keys = { passphrase: PASSPHRASE, identities: [] };
  const source = backupSource(file);
  const { manifest } = await restoreBackup({ source, dataDir, keys, now: 0, onProgress: () => undefined });
  assert.equal(manifest.events, 7);

  await page.getByLabel('Thread').fill('order-17');
  await page.getByRole('button', { name: 'Erase the thread …' }).click();
  const thread = page.getByRole('dialog', { name: 'Erase this thread?' });
  await thread.getByLabel('Type order-17 to go on').fill('order-17');
  await thread.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('Erased of thread order-17: 5 events.').waitFor();

  await page.getByLabel('End user', { exact: true }).fill(' u-17 ');
  await page.getByRole('button', { name: 'Erase the end user …' }).click();
  const user = page.getByRole('dialog', { name: 'Erase this end user?' });
  await user.getByLabel('Type u-17 to go on').fill('u-17');
  await user.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('Erased of end user u-17: 2 events, 1 execution.').waitFor();
  await assertFits(page);

  await page.getByRole('button', { name: 'Erase the workspace …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase everything of default?' });
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByLabel('Type default to go on').fill('default');
  await dialog.getByRole('button', { name: 'Erase everything' }).click();
  await page.getByRole('heading', { name: 'The workspace is erased' }).waitFor();
  await page.getByText(/default: .*1 user/).waitFor();
  await assertFits(page);
  assert.deepEqual(
    (await page.context().cookies()).filter(({ name }) => name === 'ar_session'),
    [],
  );
});

rareBrowserTest('Data: who may not do something reads why, at 320 pixels', async (t) => {
  const app = await appWithEvents(t);
  await app.runtime.tenants.create({ name: 'second' });
  for (const [role, why] of [
    ['VIEWER', 'Only administrators may do this. Your role is Viewer.'],
    ['ADMIN', 'Only a super administrator of the only workspace may do this. Your role is Administrator.'],
    ['SUPER_ADMIN', 'This installation has several workspaces: its operator does this at the command line.'],
  ] as const) {
    const page = await portalPage(t, app, { path: PATH, role, viewport: { width: 320, height: 800 } });
    await page.getByText(why).first().waitFor();
    const backup = page.getByRole('button', { name: 'Download a backup' });
    assert.equal(await backup.getAttribute('aria-disabled'), 'true', role);
    const erase = page.getByRole('button', { name: 'Erase the workspace …' });
    assert.equal(await erase.getAttribute('aria-disabled'), role === 'SUPER_ADMIN' ? null : 'true', role);
    await assertFits(page);
  }
});

rareBrowserTest('Data: a backup that was left while it was copied is saved on return', async (t) => {
  const app = await appWithEvents(t);
  const page = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN' });
  await page.getByRole('button', { name: 'Download a backup' }).waitFor();
  const current = { isOwn: true, startedAt: new Date().toISOString(), sentBytes: 0, packedBytes: 0, totalBytes: null };
  const copying = { refusal: null, current: { ...current, state: 'copying' }, last: null };
  await page.route('**/api/v1/portal/backup', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: copying }) : route.continue(),
  );
  await beginBackup(page);
  await page.getByText('The download begins on this page').waitFor();
  await page.getByRole('link', { name: 'System' }).click();
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await (await downloading).path();
  await page.getByText(/was sent/).waitFor();
});

rareBrowserTest('Data: works by the keyboard alone, and a cancelled backup says so', async (t) => {
  const app = await appWithEvents(t);
  const page = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN', expected: /400/ });
  const other = await newPerson(app, { role: 'SUPER_ADMIN' });
  await other.request('POST', '/api/v1/portal/backup', { passphrase: PASSPHRASE });
  await page.reload();
  await page.getByText('Somebody else makes a backup at the moment.').waitFor();
  await page.getByRole('button', { name: 'Cancel the backup' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/was broken off before its end/).waitFor();
  await page.getByLabel('Passphrase', { exact: true }).focus();
  await page.keyboard.type(PASSPHRASE);
  await page.keyboard.press('Tab');
  await page.keyboard.type('another');
  await page.getByText('The two differ').waitFor();
  await assertFits(page);
  await page.getByLabel('Passphrase once more').fill(PASSPHRASE);
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await (await downloading).path();
  await page.getByText(/was sent/).waitFor();
  for (const noun of ['events', 'executions']) {
    await page.getByLabel(`Keep ${noun}`).selectOption('So many days');
    await page.getByLabel(`Days of ${noun}`).fill('0');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Must be at least 1 day', { exact: true }).waitFor();
    await page.getByLabel(`Keep ${noun}`).selectOption('For ever');
  }
});

test('data words: sizes and erased things are words', () => {
  assert.deepEqual([0, 512, 2_048, 61_865_984, 41_231_686_042].map(sizeOf), [
    ...['0 bytes', '512 bytes', '2 KB', '59 MB', '38.4 GB'],
  ]);
  assert.equal(erasedWords({ events: 1_200, users: 1, apiKeys: 2, reviews: 0 }), '1,200 events, 1 user, 2 API keys');
  assert.equal(erasedWords({ events: 0 }), 'nothing was kept of it');
});
