import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLIENTS, type ClientName, setupOf } from '../../portal/src/pages/connect/clients.ts';
import { messageIn } from '../../portal/src/pages/connect/test-connection.ts';
import { accessibilityFaults, browserTest, rareBrowserTest } from '../support/browser.ts';
import { fencesOf } from '../support/docs.ts';
import { portalPage } from '../support/portal.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();

const CONNECTION = { url: 'http://127.0.0.1:3000/mcp', serverUrl: 'http://127.0.0.1:3000', key: 'ar_KEY' };

test('Connect: every client is told the address and the key in its own format', () => {
  for (const { value } of CLIENTS) {
    const { code, link } = setupOf(value, CONNECTION);
    assert.ok(code.includes('ar_KEY') && code.includes('http://127.0.0.1:3000'), value);
    if (code.startsWith('{')) JSON.parse(code);
    if (link) assert.match(decodeURIComponent(link.href), /^(cursor|vscode):/);
  }
});

test('Connect: docs/hosts.md shows the same setups', () => {
  const shown = fencesOf('hosts').map(({ text }) => text);
  const same: ClientName[] = ['claude-code', 'cursor', 'gemini-cli', 'codex', 'goose'];
  for (const name of same) {
    const { code } = setupOf(name, { ...CONNECTION, key: 'ar_READ' });
    assert.ok(shown.includes(code), code);
  }
});

test('Connect: reads the answer of the MCP endpoint as JSON and as an event stream', () => {
  const message = { result: { tools: [{ name: 'query_events' }] } };
  assert.deepEqual(messageIn(JSON.stringify(message)), message);
  assert.deepEqual(messageIn(`event: message\ndata: ${JSON.stringify(message)}\n\n`), message);
  assert.equal(messageIn('<html>'), null);
});

rareBrowserTest('Connect: makes a read key on the spot, puts it into the setup and tests it', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/connect', role: 'VIEWER' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Label').fill('Ada’s laptop');
  await page.getByRole('button', { name: 'Make a read key' }).click();
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  assert.match(key, /^ar_\w{12}_\w{43}$/);

  for (const { label } of CLIENTS) {
    await page.getByRole('tab', { name: label }).click();
    const setup = await page.getByRole('region', { name: 'Setup' }).innerText();
    assert.ok(setup.includes(key), label);
  }
  await page.getByRole('button', { name: 'Copy: Setup' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  assert.ok((await page.evaluate<string>('navigator.clipboard.readText()')).includes(key));

  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('✓ Connected.').waitFor();
  await page.getByText('render_dashboard_card').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const caller = await app.runtime.keyAuthenticator.authenticate(key);
  assert.deepEqual([...caller.scopes].sort(), ['knowledge:read', 'mcp:read']);

  await page.getByRole('button', { name: 'Make another key' }).click();
  await page.getByLabel('Label').fill('Ada’s phone');
  await page.getByRole('button', { name: 'Make a read key' }).click();
  assert.notEqual(await page.getByRole('region', { name: 'API key' }).innerText(), key);
});

browserTest('Connect: says why a revoked key does not connect', async (t) => {
  const app = await sharedApp();
  const page = await portalPage(t, app, { path: '/connect', expected: /401/ });
  await page.getByRole('button', { name: 'Make a read key' }).click();
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  await app.runtime.keys.revoke(key.split('_')[1]!, null);
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByRole('alert').getByText('Not connected').waitFor();
});
