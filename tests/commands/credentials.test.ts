import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connector } from '../support/connectors.ts';
import { runJson } from '../support/shell.ts';
import { runnerOf } from './runner.ts';

const SECRET = 'the-secret-itself';

/** The commands, with `credentials set`. */
function runnerWithSet(t: TestContext) {
  const runner = runnerOf(t, SECRET);
  return { ...runner, set: (input: string, ...args: string[]) => runner.run(['credentials', 'set', ...args], input) };
}

test('credentials set: reads standard input, replaces the secret, and no list shows it', async (t) => {
  const { dataDir, run, set, soon } = runnerWithSet(t);
  const first = await set(`${SECRET}\n`, 'pets', '--username', 'ana', '--hosts', 'pets.example.com,Pets.Example.Net');
  assert.deepEqual(first, { code: 0, stdout: `Stored pets.\n${soon}`, stderr: '' });
  const table = async () => (await run(['credentials', 'list'])).stdout.replaceAll(/20\S+Z/g, 'TIME');
  assert.equal(
    await table(),
    `NAME  USERNAME  HOSTS                              SET
pets  ana       pets.example.com,pets.example.net  TIME
`,
  );
  const again = await set(SECRET, 'pets', '--json', '--hosts', 'Pets.Example.com, api.example.com');
  assert.deepEqual(JSON.parse(again.stdout), { tenant: 'default', name: 'pets', outcome: 'changed' });
  const { credentials } = await runJson(dataDir, 'credentials', 'list');
  const [{ createdAt, updatedAt, ...shown }] = credentials;
  const uses = { connectors: [], lastUsedAt: null };
  assert.deepEqual(shown, { name: 'pets', username: null, hosts: ['pets.example.com', 'api.example.com'], ...uses });
  assert.ok(updatedAt > createdAt);
  assert.equal(
    await table(),
    `NAME  USERNAME  HOSTS                             SET
pets  -         pets.example.com,api.example.com  TIME
`,
  );
});

test('credentials set: one line end after the secret is removed, and no more', async (t) => {
  const { set } = runnerWithSet(t);
  for (const end of ['', '\n', '\r\n'])
    assert.equal((await set(`${SECRET}${end}`, 'pets', '--hosts', 'pets.example.com')).code, 0, JSON.stringify(end));
  for (const text of [`${SECRET}\n\n`, ` ${SECRET}`, `a\n${SECRET}`]) {
    const { code, stdout, stderr } = await set(text, 'pets');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: secret: must be printable ASCII on one line, without blanks at its ends\n$/);
  }
});

test('credentials set: an invalid credential is refused with its field and the remedy', async (t) => {
  const { dataDir, run, set } = runnerWithSet(t);
  const cases: [string, string[], RegExp][] = [
    [
      '',
      ['pets'],
      /^error: secret: standard input is empty; send the secret there, or run this on a terminal, which asks for it\n$/,
    ],
    [SECRET, ['a b'], /^error: name: must be 1 to 100 letters, digits, -, _ and \./],
    [SECRET, ['pets', '--username', 'a:b'], /^error: username: must have neither a colon/],
    [SECRET, ['pets', '--hosts', 'https://x.com'], /^error: hosts\[0\]: must be a host name such as api\.example\.com/],
    [
      SECRET,
      ['pets'],
      /^error: hosts: name the hosts that the secret may be sent to \(`--hosts` of `credentials set`\)/,
    ],
    [SECRET, ['pets', '--tenant', 'nobody'], /^error: There is no tenant "nobody"/],
    ['$PETS_TOKEN', ['pets'], /^error: secret: is not looked up; a definition may say \{"env": "NAME"\} in its place/],
  ];
  for (const [input, args, message] of cases) {
    const { code, stdout, stderr } = await set(input, ...args, '--json');
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual(await runJson(dataDir, 'credentials', 'list'), { credentials: [] });
  const unknown = await run(['credentials', 'remove', 'pets']);
  assert.match(
    unknown.stderr,
    /^error: name: there is no credential "pets", nor any other; `credentials set` stores one\n$/,
  );
  // As an argument it would stand in the list of processes.
  const asArgument = await run(['credentials', 'set', 'pets', 'the', 'secret']);
  assert.equal(asArgument.code, 1);
  assert.match(asArgument.stderr, /too many arguments/);
});

test('credentials remove: refused while a connector of the tenant lists it', async (t) => {
  const { dataDir, run, set } = runnerWithSet(t);
  await set(SECRET, 'pets', '--hosts', 'pets.example.com');
  await runJson(dataDir, 'tenants', 'create', 'acme');
  await run(['connectors', 'apply', '-'], JSON.stringify(connector({ credentials: ['pets'] })));
  const held = await run(['credentials', 'remove', 'pets']);
  assert.deepEqual(
    [held.code, held.stderr],
    [1, 'error: Credential "pets" is needed: connector "pets" lists it. Change that first.\n'],
  );
  assert.deepEqual(await runJson(dataDir, 'credentials', 'list', '--tenant', 'acme'), { credentials: [] });
  assert.equal((await run(['credentials', 'remove', 'pets', '--tenant', 'acme'])).code, 1);
  await run(['connectors', 'remove', 'pets']);
  assert.equal((await run(['credentials', 'remove', 'pets'])).stdout, 'Removed pets.\n');
  assert.deepEqual(await runJson(dataDir, 'credentials', 'list'), { credentials: [] });
});
