import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AREAS, type Line, sentenceOf } from '../../portal/src/pages/settings/audit/words.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { newPerson, PORTAL } from '../support/people.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits, focused } from './support.ts';

const PATH = '/settings/audit';

async function eventful(app: TestApp): Promise<void> {
  const ada = await newPerson(app, { role: 'ADMIN', name: 'Ada', email: 'ada@example.com' });
  const made = await ada.request('POST', `${PORTAL}/keys`, { label: 'Nightly report', scopes: ['mcp:read'] });
  await ada.request('POST', `${PORTAL}/keys/${made.body.id}/rotate`, {});
  for (let count = 0; count < 60; count++) await ada.request('POST', `${PORTAL}/agents`, { name: `agent-${count}` });
}

browserTest('Audit log: lines in sentences, filters in the address, pages and an export', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await eventful(app);
  const page = await portalPage(t, app, { path: PATH, expected: /status of 401/ });
  await page.getByText('63 lines').waitFor();
  const lines = page.getByRole('list', { name: 'Lines, newest first' });
  assert.equal(await lines.getByRole('listitem').count(), 50);
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByRole('link', { name: 'Ada rotated the key Nightly report' }).click();
  const line = page.getByRole('dialog', { name: 'Ada rotated the key Nightly report' });
  await line.getByText('key.rotated').waitFor();
  await line.getByText('"label": "Nightly report"').waitFor();
  const link = page.url().replace(/before=[^&]*&/, '');
  await page.goto(link);
  await line.getByText('key.rotated').waitFor();
  await page.goto(link.replace(/line=[^&]*/, 'line=zzz'));
  await page.getByText('The line in this address is not in the log any more, or never was.').waitFor();
  await page.goBack();
  await line.getByRole('button', { name: 'Only on this target' }).click();
  await page.getByText('2 lines').waitFor();
  await page.getByLabel('What').selectOption('key.');
  await page.getByLabel('Who').fill('operator');
  await page.getByLabel('Who').press('Enter');
  await page.getByRole('heading', { name: 'No line matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await focused(page.getByLabel('Who'));
  await page.getByText('63 lines').waitFor();
  // The years 0002, 0020 and 0202 on the way would be refused.
  await page.getByLabel('From').pressSequentially('01012020');
  await page.waitForURL(/from=2020-01-01/);
  await page.getByLabel('From').fill('');
  await page.waitForURL((url) => !url.searchParams.has('from'));
  await page.getByLabel('What').selectOption('key.');
  await page.getByText('3 lines').waitFor();
  assert.equal(new URL(page.url()).search, '?action=key.');
  await page.reload();
  await page.getByText('3 lines').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'audit-log.csv');
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.equal(rows.length, 4);
  await assertFits(page);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
});

rareBrowserTest('Audit log: by keyboard, in both themes and widths; back keeps the page', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await eventful(app);
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { path: PATH, viewport: { width, height: 800 } });
    await page.getByRole('link', { name: 'Older' }).focus();
    await page.keyboard.press('Enter');
    const opened = page.getByRole('link', { name: 'Ada rotated the key Nightly report' });
    await opened.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('key.rotated').waitFor();
    await assertFits(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Newer' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Ada created the agent agent-59' }).waitFor();
    await page.goBack();
    await opened.waitFor();
    await assertFits(page);
    await page.close();
  }
  const viewer = await portalPage(t, app, { path: PATH, role: 'USER' });
  await viewer.getByText('Only administrators see the audit log.').waitFor();
});

test('Audit log: each action has a sentence; one that is unknown is shown as it is', () => {
  const line = (members: Partial<Line>): Line => ({
    ...{ id: '1', at: '2026-03-02T10:00:00.000Z', action: 'key.created', target: 'AAAA', details: {} },
    ...{ actor: { kind: 'user', id: 'ada', label: 'ada@example.com' }, address: null, requestId: null },
    ...members,
  });
  const names = new Map([
    ['ada', 'Ada'],
    ['eve', 'Eve'],
    ['acme', 'the tenant'],
  ]);
  const said = (members: Partial<Line>) => sentenceOf(line(members), names);
  assert.equal(said({ details: { label: 'Nightly $& report' } }), 'Ada created the key Nightly $& report');
  assert.equal(said({ action: 'user.updated', target: 'eve' }), 'Ada changed the user Eve');
  assert.equal(said({ action: 'session.ended', target: 'ada' }), 'Ada ended sessions of their own account');
  assert.equal(said({ action: 'quota.changed', target: 'acme' }), 'Ada changed the quotas of the tenant');
  assert.equal(said({ action: 'quota.changed' }), 'Ada changed the quotas of the key AAAA');
  assert.equal(said({ action: 'new.thing' }), 'Ada new.thing AAAA');
  const operator = { kind: 'operator', id: null, label: 'operator' } as const;
  assert.equal(said({ actor: operator, details: { label: 'x' } }), 'The operator created the key x');
  for (const [action] of AREAS.flatMap(({ actions }) => Object.entries(actions))) {
    assert.doesNotMatch(said({ action }), /\{|\}|undefined|[a-z]\.[a-z]+ed\b/, action);
  }
});
