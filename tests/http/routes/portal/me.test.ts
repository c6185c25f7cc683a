import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const sharedApp = appOfThisFile();
const ME = `${PORTAL}/me`;

test("PATCH /portal/me: keeps the language of the pages; null: the browser's", async () => {
  const app = await sharedApp();
  const { request } = await newPerson(app, { role: 'VIEWER' });
  const languageNow = async () => (await request('GET', ME)).body.user.language;
  assert.equal(await languageNow(), null);
  for (const language of ['pt', 'en', null]) {
    assert.equal((await request('PATCH', ME, { language })).status, 204);
    assert.equal(await languageNow(), language);
  }
  const refused = await request('PATCH', ME, { language: 'fr' });
  assert.deepEqual([refused.status, refused.body.message], [400, ['language: must be en or pt']]);
  assert.equal((await app.request('PATCH', ME, { language: 'pt' })).status, 403);
});
