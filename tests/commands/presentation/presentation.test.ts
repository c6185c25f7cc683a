import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminLoginLink, greet } from '../../../src/commands/presentation/greeting.ts';
import { lineOf } from '../../../src/commands/presentation/progress.ts';
import { ADMIN_EMAIL } from '../../../src/core/access/auth/bootstrap.ts';
import type { IssuedKey } from '../../../src/core/access/auth/schema.ts';
import { temporaryDirectory, testApp } from '../../support/app.ts';
import { newUser, OWN_PAGE, PORTAL } from '../../support/people.ts';
import { BIN, cleanEnvironment } from '../../support/process.ts';

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

for (const args of [['--help'], ['--version'], ['ingest', '--help'], ['connectors', 'example']]) {
  test(`Closed pipe: ${args.join(' ')} ends without a message`, async () => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    assert.deepEqual(await once(child, 'close'), [141, null]);
    assert.equal(stderr, '');
  });
}

test('Output: a write that fails otherwise is an error', { skip: process.platform !== 'linux' }, async () => {
  const child = spawn(process.execPath, [BIN, '--help'], {
    env: cleanEnvironment(),
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.match(stderr, /^error: the output cannot be written: ENOSPC.*\n$/);
});

test('lineOf: the bar, its share, what is shown, the time', () => {
  const half = { done: 50, total: 100, shown: '3 of 6 files', seconds: 65 };
  assert.equal(lineOf(half), `${'█'.repeat(20)}${'░'.repeat(20)} 50% | 3 of 6 files | 1m5s`);
  assert.equal(lineOf({ ...half, done: 0, shown: '', seconds: 0 }), `${'░'.repeat(40)} 0% | 0s`);
  assert.equal(lineOf({ ...half, done: 200, shown: '', seconds: 3_725 }), `${'█'.repeat(40)} 100% | 1h2m`);
});
