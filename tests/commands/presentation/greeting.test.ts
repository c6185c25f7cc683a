import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminLoginLink, greet } from '../../../src/commands/presentation/greeting.ts';
import { ADMIN_EMAIL } from '../../../src/core/access/auth/bootstrap.ts';
import type { IssuedKey } from '../../../src/core/access/auth/schema.ts';
import { temporaryDirectory, testApp } from '../../support/app.ts';
import { newUser, OWN_PAGE, PORTAL } from '../../support/people.ts';

const URL_BELOW = 'https://example.com/runtime';

test('greet: on a terminal it prints a login link for an hour, and writes no file', async (t) => {
  const written: string[] = [];
  const { isTTY } = process.stdout;
  const write = t.mock.method(process.stdout, 'write', (text: string) => written.push(text) > 0);
  process.stdout.isTTY = true;
  const dataDir = temporaryDirectory(t);
  const key = { key: 'ar_KEY' } as IssuedKey;
  const made = { admin: { email: ADMIN_EMAIL, password: 'PASSWORD' }, fullKey: key, readKey: key };
  try {
    await greet(made, { url: URL_BELOW, dataDir }, async (lifetimeMs) => `LINK for ${lifetimeMs}`);
  } finally {
    process.stdout.isTTY = isTTY;
    write.mock.restore();
  }
  const text = written.join('');
  assert.match(text, /Portal password +PASSWORD\n +Or log in once, within an hour, with LINK for 3600000\n/);
  assert.equal(existsSync(join(dataDir, 'first-run.txt')), false);
});

test('adminLoginLink: logs the first administrator in, by a secret in the fragment', async (t) => {
  const app = await testApp(t);
  await assert.rejects(adminLoginLink(app.runtime, URL_BELOW, 60_000), /no user admin@localhost/);
  const admin = await newUser(app, { email: ADMIN_EMAIL });
  const { pathname, search, hash } = new URL(await adminLoginLink(app.runtime, URL_BELOW, 60_000));
  assert.deepEqual([pathname, search], ['/runtime/login', '']);
  const secret = /^#link=([\w-]+)$/.exec(hash)?.[1];
  const answer = await app.request('POST', `${PORTAL}/login/link`, { secret }, { 'x-api-key': '', ...OWN_PAGE });
  assert.equal(answer.body.user.id, admin.id);
});
