import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { newPerson, PORTAL } from '../support/people.ts';
import { runCommand, runJson } from '../support/shell.ts';

test('keys revoke --user: keys of a user are void at once in the serving process', async (t) => {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir });
  const person = await newPerson(app, { role: 'USER' });
  const { body } = await person.request('POST', `${PORTAL}/keys`, { label: 'theirs', scopes: ['events:read'] });
  const run = (...args: string[]) => runCommand(['keys', 'revoke', ...args, '--data-dir', dataDir]);
  assert.match((await run()).stderr, /^error: id, --user: give the id of a key, or --user/);
  assert.match((await run(body.id, '--user', person.user.email)).stderr, /^error: id, --user: give/);
  assert.match((await run('--user', 'nobody@example.com')).stderr, /^error: There is no user with the id or e-mail/);
  assert.ok(await app.runtime.keyAuthenticator.authenticate(body.key));
  const { userId, email, revoked } = await runJson(dataDir, 'keys', 'revoke', '--user', person.user.email);
  assert.deepEqual([userId, email], [person.user.id, person.user.email]);
  assert.deepEqual(
    revoked.map(({ id }: { id: string }) => id),
    [body.id],
  );
  await assert.rejects(app.runtime.keyAuthenticator.authenticate(body.key), {
    message: 'The API key has been revoked.',
  });
  const again = await run('--user', person.user.id, '--tenant', 'default');
  assert.equal(again.stdout, `${email} has no valid key any more, and can still log in and make new ones.\n`);
});

test('keys create: --expires takes a duration or never', async (t) => {
  const dataDir = temporaryDirectory(t);
  const create = (...args: string[]) =>
    runJson(dataDir, 'keys', 'create', '--label', 'x', '--scopes', 'mcp:read', ...args);
  assert.equal((await create()).expiresAt, null);
  assert.equal((await create('--expires', 'never')).expiresAt, null);
  assert.ok(Date.parse((await create('--expires', '2h')).expiresAt) > Date.now());
  const refused = await runCommand([
    'keys',
    'create',
    '--label',
    'x',
    '--scopes',
    '*',
    '--expires',
    'soon',
    '--data-dir',
    dataDir,
  ]);
  assert.equal(
    refused.stderr,
    'error: --expires: "soon" is neither a duration such as 30m, 12h, 90d, 4w or 1y nor never\n',
  );
});
