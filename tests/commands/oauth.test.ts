import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { authorize, callMcp, connect } from '../support/oauth.ts';
import { newPerson } from '../support/people.ts';
import { runCommand, runJson } from '../support/shell.ts';

test('oauth: grants are listed and ended while a server runs', async (t) => {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir });
  const person = await newPerson(app);
  const { tokens } = await connect(app, person);
  const inspect = () => runCommand(['oauth', 'inspect', '--data-dir', dataDir], { input: `${tokens.access_token}\n` });
  const shown = await inspect();
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, new RegExp(`^active: true\nuser: ${person.user.email}\napplication: Test Host \\(`));
  const { grants, total } = await runJson(dataDir, 'oauth', 'grants', '--tenant', 'default');
  assert.deepEqual(
    [grants[0].user.email, grants[0].scopes, total],
    [person.user.email, ['mcp:read', 'knowledge:read'], 1],
  );
  assert.match((await runCommand(['oauth', 'grants', '--data-dir', dataDir])).stdout, /^GRANT +USER +APPLICATION/);
  assert.deepEqual(await runJson(dataDir, 'oauth', 'end', grants[0].id), { ended: grants[0].id });
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
  const ended = await inspect();
  assert.deepEqual([ended.code, /^active: false\nreason: /.test(ended.stdout)], [1, true]);
  assert.equal((await runCommand(['oauth', 'grants', '--data-dir', dataDir])).stdout, 'No application is connected.\n');
  const unknown = await runCommand(['oauth', 'end', 'x', '--data-dir', dataDir]);
  assert.equal(unknown.stderr, 'error: There is no grant with the id "x".\n');
});

test('oauth: an application is added, connects and is removed', async (t) => {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir });
  const redirectUri = 'https://agent.example.com/callback';
  const add = ['oauth', 'add-client', '--name', 'Our agent', '--redirect-uri', redirectUri];
  const { clientId, clientSecret } = await runJson(dataDir, ...add);
  assert.equal(clientSecret, null);
  const { response } = await authorize(app, { clientId, redirectUri });
  assert.equal(response.status, 303);
  const secret = await runJson(dataDir, ...add, '--secret');
  assert.equal(secret.clientSecret.length, 43);
  const { clients } = await runJson(dataDir, 'oauth', 'clients');
  assert.deepEqual(
    clients.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
    [
      ['configured', 'Our agent'],
      ['configured', 'Our agent'],
    ],
  );
  assert.ok(!JSON.stringify(clients).includes(secret.clientSecret));
  assert.deepEqual(await runJson(dataDir, 'oauth', 'remove-client', clientId), { removed: clientId });
  assert.equal((await authorize(app, { clientId, redirectUri })).response.status, 400);
  const bad = await runCommand([
    ...add.slice(0, 4),
    '--redirect-uri',
    'http://agent.example.com',
    '--data-dir',
    dataDir,
  ]);
  assert.match(bad.stderr, /^error: redirectUris\[0\]: must be an https address, http on this machine/);
});
