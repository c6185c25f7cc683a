import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { heldEmbedder } from '../support/held-embedder.ts';
import { ended, ingested, type SentFile, send } from '../support/knowledge.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, focused } from './support.ts';

const PDFS = join(import.meta.dirname, '../ingest/input/pdf');
const MEGABYTE = 1024 * 1024;
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 860 };

const text = (name: string, content: string): SentFile => ({ name, content });
const choose = (page: Page, label: string) => page.locator(`input[type="file"][aria-label="${label}"]`);
const documents = (page: Page) => page.getByRole('list', { name: 'Documents, the newest first' });
const sentFiles = (page: Page) => page.getByRole('list', { name: 'Files that are sent' }).getByRole('listitem');
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

browserTest('Knowledge: a newcomer goes from a PDF to a cited answer', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: '/' });
  await page.getByRole('link', { name: 'Knowledge' }).click();
  await page.getByText('No vector store yet').waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: 'New vector store' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('legal');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'legal' }).waitFor();
  await page.getByText('No document yet').waitFor();
  await choose(page, 'Choose files').setInputFiles(join(PDFS, 'prose.pdf'));
  await documents(page).getByRole('link', { name: 'prose.pdf' }).waitFor();
  await page.getByLabel('Question or words').fill('Are fireworks taken back?');
  await page.getByLabel('Question or words').press('Enter');
  const passages = page.getByRole('list', { name: 'Passages, the best first' });
  const cited = passages.getByRole('link').first();
  assert.match(await cited.innerText(), /^prose\.pdf, Page 2$/);
  assert.ok((await passages.locator('mark').count()) > 0);
  await assertFits(page);
  const place = (await cited.innerText()).replace('prose.pdf, ', '');
  await cited.click();
  const drawer = page.getByRole('dialog', { name: 'prose.pdf' });
  const passage = drawer.getByRole('region', { name: 'The cited passage' });
  await passage.getByText(`Cited: ${place}`).waitFor();
  assert.ok((await passage.locator('mark').count()) > 0);
  await assertFits(page);
  assert.match(page.url(), /query=.*document=.*passage=/);
  await page.reload();
  await passage.getByText(`Cited: ${place}`).waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.setViewportSize(NARROW);
  await assertFits(page);
});

/** The server behind a line that breaks after so many megabytes of a request until it is repaired. */
async function breakable(t: TestContext, app: TestApp, megabytes: number): Promise<TestApp & { repair(): void }> {
  const { port, hostname } = new URL(app.url);
  let isBroken = true;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let bytes = 0;
    const end = () => [client.destroy(), server.destroy()];
    client.on('data', (chunk) => {
      bytes += chunk.length;
      if (isBroken && bytes > megabytes * MEGABYTE) end();
    });
    for (const socket of [client, server]) socket.on('error', end);
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  const repair = () => {
    isBroken = false;
  };
  return { ...app, url, repair };
}

/** A file without bytes on the disk: nothing of it is in the memory of the test. */
function sparse(directory: string, name: string, megabytes: number): string {
  const path = join(directory, name);
  writeFileSync(path, '');
  truncateSync(path, megabytes * MEGABYTE);
  return path;
}

/** Sends a file of so many megabytes over a line that breaks in its middle, and then again. */
async function sentTwice(t: TestContext, megabytes: number, uploadLimit: number): Promise<Page> {
  const app = await breakable(t, await testApp(t, { rateLimit: 0, uploadLimit }), megabytes / 2);
  await ingested(app, text('a.txt', 'pump'));
  const page = await portalPage(t, app, { path: '/knowledge/manuals', expected: /ERR_CONNECTION|ERR_EMPTY_RESPONSE/ });
  page.setDefaultTimeout(30_000 + megabytes * 250);
  const large = sparse(temporaryDirectory(t), 'large.txt', megabytes);
  await choose(page, 'Choose files').setInputFiles(large);
  const item = sentFiles(page);
  await item.getByText('The connection broke, and nothing of the file was stored.').waitFor();
  await announced(page, '0 of 1 files sent, 1 not');
  await assertFits(page);
  app.repair();
  await item.getByRole('button', { name: 'Send again: large.txt' }).click();
  await announced(page, '1 of 1 file sent');
  // The file has no text: the page says why it is not in the store.
  await page.getByRole('link', { name: '1 file failed: see why' }).click();
  await row(page, 'large.txt')
    .getByText(/binary/i)
    .waitFor();
  return page;
}

rareBrowserTest('Knowledge: 1 GB that breaks off in the middle is sent again', async (t) => {
  await sentTwice(t, 1_024, 1_100);
});

browserTest('Knowledge: an upload that breaks off says so, and a button repeats it', async (t) => {
  const page = await sentTwice(t, 16, 32);
  const item = sentFiles(page);
  const directory = temporaryDirectory(t);
  sparse(directory, 'larger.txt', 33);
  writeFileSync(join(directory, 'logo.svg'), '<svg/>');
  writeFileSync(join(directory, 'b.txt'), 'valve');
  await choose(page, 'Choose files').setInputFiles(
    ['larger.txt', 'logo.svg', 'b.txt'].map((name) => join(directory, name)),
  );
  await item.getByText('The file has 34.6 MB, and one may have 33.6 MB.').waitFor();
  await item.getByText('Such a file cannot be read. Files may be pdf').waitFor();
  await page.getByLabel('State').selectOption('In the store');
  await documents(page).getByRole('link', { name: 'b.txt' }).waitFor();
});

browserTest('Knowledge: a job shows its stage, stays after a reload, and is cancelled', async (t) => {
  const { url, letGo } = await heldEmbedder(t);
  const app = await testApp(t, { rateLimit: 0, embedder: 'compatible/held', ingestThreads: 1, embeddingUrl: url });
  const page = await portalPage(t, app, { path: '/knowledge' });
  await page.getByRole('button', { name: 'New vector store' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('manuals');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('compatible/held: searches match words and meaning.').waitFor();
  const directory = temporaryDirectory(t);
  for (const name of ['a.txt', 'b.txt', '.hidden.txt']) writeFileSync(join(directory, name), `pump ${name}`);
  await choose(page, 'Choose a folder').setInputFiles(directory);
  const jobs = page.getByRole('list', { name: 'Files that are ingested' });
  await jobs.getByText('The file is read').waitFor();
  await jobs.getByText('Waits for its turn').waitFor();
  assert.equal(await jobs.getByRole('listitem').count(), 2, 'hidden files are left out');
  await page.reload();
  await jobs.getByText('The file is read').waitFor();
  await assertFits(page);
  await jobs.getByRole('button', { name: 'Cancel b.txt' }).click();
  await announced(page, 'b.txt was cancelled');
  letGo();
  await documents(page).getByRole('link', { name: 'a.txt' }).waitFor();
  await page.getByLabel('State').selectOption('Failed (1)');
  await row(page, 'b.txt').getByText('It was cancelled. Upload it again to have it in the store.').waitFor();
});

browserTest('Knowledge: documents are found, replaced and deleted; a store by its typed name', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  for (const name of ['a.txt', 'b.txt', 'c.md']) await ingested(app, text(name, `first edition of ${name}`));
  const page = await portalPage(t, app, { path: '/knowledge/manuals?search=.TXT' });
  await documents(page).getByRole('link', { name: 'b.txt' }).waitFor();
  assert.equal(await documents(page).getByRole('listitem').count(), 2);
  await page.getByRole('searchbox', { name: 'Search documents by name' }).fill('');
  await documents(page).getByRole('link', { name: 'c.md' }).waitFor();
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'new.md'), 'second edition');
  await choose(page, 'The new version of c.md').setInputFiles(join(directory, 'new.md'));
  await documents(page).getByRole('link', { name: 'new.md' }).waitFor();
  await documents(page).getByRole('link', { name: 'c.md' }).waitFor({ state: 'detached' });

  for (const name of ['a.txt', 'b.txt']) await page.getByLabel(`Choose ${name}`).check();
  await page.getByRole('button', { name: 'Delete 2 documents …' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete 2 documents?' });
  await asked.getByText('a.txt and b.txt: searches find nothing of it any more.').waitFor();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await announced(page, '2 documents were deleted');
  assert.equal(await documents(page).getByRole('listitem').count(), 1);

  await page.getByRole('button', { name: 'Rename …' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename manuals' });
  await rename.getByLabel('Name', { exact: true }).fill('handbooks');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { level: 1, name: 'handbooks' }).waitFor();
  await documents(page).getByRole('link', { name: 'new.md' }).waitFor();
  await page.getByRole('button', { name: 'Delete …' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Delete handbooks?' });
  await dialog.getByLabel('Type handbooks to go on').fill('handbooks');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No vector store yet').waitFor();
});

rareBrowserTest('Knowledge: the sample answers its question, by keyboard alone', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: '/knowledge', viewport: NARROW });
  const load = page.getByRole('button', { name: 'Load the sample' });
  await load.focus();
  await page.keyboard.press('Enter');
  const citation = page.getByRole('list', { name: 'Passages, the best first' }).getByRole('link').first();
  await citation.waitFor();
  await page.getByText('A refund takes up to five working days').waitFor();
  await assertFits(page);
  await citation.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'returns.md' });
  await drawer.getByRole('region', { name: 'The cited passage' }).waitFor();
  await assertFits(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await focused(citation);
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sample');
  await page
    .getByRole('option', { name: /sample/ })
    .first()
    .waitFor();
});

rareBrowserTest('Knowledge: another embedder, and a role that only searches, are said in words', async (t) => {
  const { url, letGo } = await heldEmbedder(t);
  letGo();
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { rateLimit: 0, dataDir, embedder: 'compatible/held', embeddingUrl: url });
  await ended(app, (await send(app, text('a.txt', 'pump'))).body.jobId);
  const page = await portalPage(t, app, { path: '/knowledge/manuals', role: 'VIEWER' });
  await page.getByRole('paragraph').getByText('Your role, Viewer, lets you search vector stores').waitFor();
  await page.getByText('What another embedder would change').click();
  await page.getByText('All of it is embedded again: 1 chunk, at most about 512 tokens').waitFor();
  await assertFits(page);
  await page.getByLabel('Only where').fill('lang');
  await page.getByText('Write a key, an equals sign and a value').waitFor();
  await page.getByLabel('Only where').fill('lang=en');
  await page.getByLabel('Question or words').fill('pump');
  await page.getByLabel('Question or words').press('Enter');
  await announced(page, /Nothing was found\. Use other words, or a wider filter\./);
});
