import assert from 'node:assert/strict';
import { OWN_PAGE, PORTAL } from '../../support/people.ts';
import { newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';

rareTest('users login-link: lets somebody in once, through the running server', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const said = await runCommand(['users', 'login-link', 'ADMIN@localhost', '--minutes', '5', '--data-dir', dataDir]);
  assert.deepEqual([said.code, said.stderr], [0, '']);
  const [link = '', note] = said.stdout.split('\n');
  assert.ok(link.startsWith(`${server.url}/login#link=`), link);
  assert.match(note!, /^It logs admin@localhost in once, until 20\S+Z\./);
  const follow = () => server.request('', 'POST', `${PORTAL}/login/link`, { secret: link.split('=').at(-1) }, OWN_PAGE);
  assert.deepEqual([(await follow()).status, (await follow()).status], [200, 401]);
  const wrong = await runCommand(['users', 'login-link', 'admin@localhost', '--minutes', '61', '--data-dir', dataDir]);
  assert.match(wrong.stderr, /^error: --minutes: must be a whole number from 1 to 60\n$/);

  await server.end('SIGTERM');
  const without = await runCommand(['users', 'login-link', 'admin@localhost', '--data-dir', dataDir]);
  assert.equal(without.code, 1);
  assert.match(without.stderr, /^error: No server runs on this data directory/);
  assert.equal((await runJson(dataDir, 'users', 'list')).users.length, 1);
});
