import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { durationWords, summaryOf, worstFirst } from '../../portal/src/pages/settings/system/words.ts';
import { createLog } from '../../src/logging/log.ts';
import { testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits } from './support.ts';

const PATH = '/settings/system';

function quietLog() {
  return createLog('info', new Writable({ write: (_chunk, _encoding, done) => done() }));
}

browserTest('System: shows what runs and its errors, and the checks with the worst first', async (t) => {
  const log = quietLog();
  const app = await testApp(t, { rateLimit: 0 }, undefined, log);
  log.warn({ requestId: 'request-17', reason: 'The provider is away.' }, 'request not answered for now');
  const page = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN' });
  const server = page.getByRole('region', { name: 'This server' });
  await server.getByText(process.versions.node, { exact: true }).waitFor();
  await page.getByText('The provider is away.').waitFor();
  await page.getByRole('button', { name: 'Copy the request id request-17' }).waitFor();
  const quarantine = join(app.runtime.config.dataDir, 'quarantine.ndjson');
  writeFileSync(quarantine, '{"reason":"one"}\n');
  await page.getByRole('button', { name: 'Run the checks' }).click();
  const first = page.getByRole('list', { name: 'To be mended' }).getByRole('listitem').first();
  await first.getByText('Warning').waitFor();
  await page.getByText(/^1 warning, \d+ good/).waitFor();
  await assertFits(page);
  rmSync(quarantine);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText(/^\d+ good/).waitFor();
  assert.equal(await page.getByRole('list', { name: 'To be mended' }).count(), 0);
});

rareBrowserTest('System: others read why they do not see it, and it fits 320 pixels', async (t) => {
  const log = quietLog();
  const app = await testApp(t, { rateLimit: 0 }, undefined, log);
  log.error({ err: new Error('x'.repeat(400)) }, 'a long line');
  const viewport = { width: 320, height: 800 };
  const operator = await portalPage(t, app, { path: PATH, role: 'SUPER_ADMIN', viewport });
  await operator.getByText('a long line').waitFor();
  await operator.getByRole('button', { name: 'Run the checks' }).focus();
  await operator.keyboard.press('Enter');
  await operator.getByRole('button', { name: 'Run again' }).waitFor();
  await assertFits(operator);
  const admin = await portalPage(t, app, { path: PATH, role: 'ADMIN', viewport });
  await admin.getByText(/of the only workspace .* The page shows what runs here/).waitFor();
  assert.equal(await admin.getByRole('button', { name: 'Run the checks' }).getAttribute('aria-disabled'), 'true');
  await assertFits(admin);
});

test('system words: failures come first, durations have two parts', () => {
  const findings = (['ok', 'warning', 'failed', 'ok'] as const).map((status) => ({
    check: status,
    status,
    message: '',
  }));
  assert.deepEqual(
    worstFirst(findings).map(({ status }) => status),
    ['failed', 'warning', 'ok', 'ok'],
  );
  assert.equal(summaryOf(findings), '1 failed, 1 warning, 2 good');
  assert.deepEqual([59_000, 61_000, 3_600_000, 90_061_000].map(durationWords), [
    ...['less than a minute', '1 minute', '1 hour', '1 day, 1 hour'],
  ]);
});
