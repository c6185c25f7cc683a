import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHAPTERS, chapterOf, headingId, withWholeLinks } from '../../portal/src/help/chapters.ts';
import { testApp } from '../support/app.ts';
import { browserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { assertFits } from './support.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const read = (chapter: string) => readFileSync(join(DOCS, `${chapter}.md`), 'utf8');

test('Help: each page has a chapter, and its part is a heading there', () => {
  const pages = [
    '/',
    '/cards/new',
    '/cases/x',
    '/training',
    '/chat',
    '/knowledge/help',
    '/connectors',
    '/settings/audit',
  ];
  for (const page of [...pages, '/settings/users/1', '/settings/security', '/settings/data', '/settings/system']) {
    const { chapter, hash } = chapterOf(page);
    const headings = [...read(chapter).matchAll(/^#+ (.+)$/gm)].map(([, title]) => headingId(title!));
    if (hash !== undefined) assert.ok(headings.includes(hash), `${page}: ${chapter}#${hash}`);
  }
  assert.deepEqual(chapterOf('/settings/users/1'), { chapter: 'users', hash: 'portal' });
});

test('Help: links lead to chapters, or are text where there is none', () => {
  const base = 'https://runtime.example/help/';
  assert.equal(
    withWholeLinks(
      '[a](alerts.md#an-alert), [b](#here), [c](decisions/0001-x.md), [d](https://d.example)',
      'chat',
      base,
    ),
    `[a](${base}alerts#an-alert), [b](${base}chat#here), c, [d](https://d.example)`,
  );
  for (const chapter of Object.keys(CHAPTERS)) {
    assert.doesNotMatch(withWholeLinks(read(chapter), chapter, base), /\]\((?!https?:)[^)]*\.md/, chapter);
  }
});

browserTest('Language: a user chooses Portuguese, and pages, help and keys are there', async (t) => {
  const app = await testApp(t);
  const page = await portalPage(t, app, { path: '/account' });
  await page.getByLabel('Language of your pages').selectOption('Português');
  await page.getByRole('heading', { name: 'Sua conta' }).waitFor();
  assert.match((await page.locator('html').getAttribute('lang')) ?? '', /^pt/);
  await assertFits(page);
  await page.getByRole('main').getByRole('link', { name: 'Ajuda: Usuários' }).press('Enter');
  await page.getByRole('heading', { name: 'Usuários', level: 1 }).waitFor();
  await page.getByText('Os capítulos estão em inglês.').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Fechar um diálogo ou um menu').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${app.url}/account`);
  await page.getByLabel('Idioma das suas páginas').selectOption('Como diz o navegador');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});
