import assert from 'node:assert/strict';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { PORTAL } from '../../support/people.ts';
import { newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';

const PASSWORD = 'correct horse battery';

rareTest('users unlock: a locked user logs in while the server runs', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const unlock = (...args: string[]) => runCommand(['users', 'unlock', ...args, '--data-dir', dataDir]);
  const create = ['users', 'create', '--email', 'ana@example.com', '--name', 'Ana', '--data-dir', dataDir];
  assert.equal((await runCommand(create, { input: PASSWORD })).code, 0);
  const login = async (password: string) =>
    (await server.request('', 'POST', `${PORTAL}/login`, { email: 'ana@example.com', password })).status;
  const failed = await Promise.all(Array.from({ length: 10 }, () => login('wrong')));
  assert.deepEqual(new Set(failed), new Set([401]));
  assert.equal(await login(PASSWORD), 429);
  const said = await unlock('ANA@example.com');
  assert.deepEqual(
    [said.code, said.stdout, said.stderr],
    [0, 'ana@example.com can log in again at once. 10 failed logins are forgotten.\n', ''],
  );
  assert.equal(await login(PASSWORD), 200);
  const again = await runJson(dataDir, 'users', 'unlock', 'ana@example.com', '--tenant', 'default');
  assert.deepEqual([again.email, again.failures], ['ana@example.com', 0]);
  const unknown = await unlock('bob@example.com');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^error: There is no user with the id or e-mail "bob@example\.com"\.\n$/);
});

rareTest('sessions: one ended by another process is refused at the next request', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const { id } = await runJson(
    dataDir,
    'users',
    'create',
    '--email',
    'a@example.com',
    '--name',
    'Ana',
    '--no-password',
  );
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  t.after(() => state.close());
  const user = (await state.userStore.find(id))!;
  const { token } = await state.sessions.open(user, { address: 'another process' });
  const me = async () =>
    (await server.request('', 'GET', `${PORTAL}/me`, undefined, { authorization: `Bearer ${token}` })).status;
  assert.equal(await me(), 200);
  await state.sessions.logout(await state.sessions.authenticate(token));
  assert.equal(await me(), 401);
});
