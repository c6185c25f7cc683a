import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { SCRYPT } from '../../../src/core/access/auth/password-hash.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { fencesOf } from '../../support/docs.ts';
import { BIN, eventually, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';

const PASSWORD = 'correct horse battery';

async function hasPassword(dataDir: string, email: string, password: string): Promise<boolean> {
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  try {
    const [user] = await state.userStore.findByEmail(email, null);
    const hash = user?.passwordHash ?? null;
    return hash !== null && (await SCRYPT.verify(password, hash));
  } finally {
    await state.close();
  }
}

rareTest('users: create, list and password apply to a running server', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const run = (args: string[], input?: string) =>
    runCommand(['users', ...args, '--data-dir', dataDir], input === undefined ? {} : { input });
  const json = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await run([...args, '--json'], input);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.split('\n').length, 2, 'one line');
    assert.doesNotMatch(stdout + stderr, /correct horse|scrypt/);
    return JSON.parse(stdout);
  };
  const { id: acme } = await runJson(dataDir, 'tenants', 'create', 'acme');
  const { key } = await runJson(
    dataDir,
    'keys',
    'create',
    '--tenant',
    'acme',
    '--label',
    'x',
    '--scopes',
    'users:write',
  );

  const ana = ['create', '--tenant', 'acme', '--email', 'Ana@example.com', '--name', 'Ana Silva', '--role', 'ADMIN'];
  const made = await json(ana, `${PASSWORD}\n`);
  const { id, createdAt, updatedAt, ...rest } = made;
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    ...{ email: 'Ana@example.com', name: 'Ana Silva', phone: null, avatarUrl: null, role: 'ADMIN', isActive: true },
    ...{ lastLoginAt: null, tenantId: acme, metadata: {}, _count: { agents: 0, credentials: 0, executions: 0 } },
  });
  assert.equal(await hasPassword(dataDir, 'ana@example.com', PASSWORD), true, 'without the line end of the pipe');
  const changed = await server.request(key, 'PATCH', `/api/v1/runtime/users/${id}`, { name: 'Ana Maria' });
  assert.deepEqual([changed.status, changed.body.name], [200, 'Ana Maria']);

  const [bob, carla] = await Promise.all([
    json(['create', '--email', 'bob@example.com', '--name', 'Bob', '--no-password']),
    json(
      ['create', '--tenant', acme, '--email', 'carla@example.com', '--name', 'Carla', '--role', 'SUPER_ADMIN'],
      PASSWORD,
    ),
  ]);
  assert.deepEqual([bob.role, carla.role], ['USER', 'SUPER_ADMIN'], 'the operator gives any role; USER by default');
  assert.equal(await hasPassword(dataDir, 'bob@example.com', ''), false);

  const [inAcme, everywhere, table] = await Promise.all([
    json(['list', '--tenant', 'acme']),
    json(['list']),
    run(['list']),
  ]);
  assert.deepEqual(inAcme.users, [carla, changed.body]);
  assert.deepEqual(everywhere.users.map(({ email }: { email: string }) => email).sort(), [
    'Ana@example.com',
    'admin@localhost',
    'bob@example.com',
    'carla@example.com',
  ]);
  const lines = table.stdout.trimEnd().split('\n');
  assert.match(lines[0]!, /^ID +E-MAIL +NAME +ROLE +ACTIVE +LAST LOGIN +TENANT$/);
  assert.ok(
    lines.some((line) => new RegExp(`^${id}  Ana@example.com +Ana Maria +ADMIN +yes +never +acme$`).test(line)),
    table.stdout,
  );

  const renewed = await json(['password', 'ANA@example.com'], 'another long password\r\n');
  assert.deepEqual({ ...renewed, updatedAt: '' }, { ...changed.body, updatedAt: '' });
  assert.equal(await hasPassword(dataDir, 'ana@example.com', 'another long password'), true);
  const plain = await run(['password', bob.id], PASSWORD);
  assert.equal(plain.stdout, 'USER Bob (bob@example.com) has a new password. Sessions from before are void.\n');
  assert.equal(await hasPassword(dataDir, 'bob@example.com', PASSWORD), true);
});

test('users: errors go to standard error and change nothing', async (t) => {
  const dataDir = newDataDirectory(t);
  for (const tenant of ['acme', 'globex']) {
    await runJson(dataDir, 'tenants', 'create', tenant);
    const ana = ['--email', 'ana@example.com', '--name', 'Ana', '--no-password'];
    await runJson(dataDir, 'users', 'create', '--tenant', tenant, ...ana);
  }
  const before = await runJson(dataDir, 'users', 'list');
  const bob = ['create', '--email', 'bob@example.com', '--name', 'Bob'];
  const failures: [string[], string, RegExp][] = [
    [['create', '--name', 'Bob'], PASSWORD, /^error: required option '--email <email>' not specified/],
    [['create', '--email', 'bob@example.com'], PASSWORD, /^error: required option '--name <name>' not specified/],
    [
      ['create', '--email', 'bob', '--name', 'B', '--role', 'king'],
      PASSWORD,
      /^error: email: must be an e-mail address such as .*\n +name: must have at least 2 characters\n +role: must be one of ADMIN, USER, VIEWER, SUPER_ADMIN, HUB_USER\n$/,
    ],
    [[...bob, '--tenant', 'nobody'], PASSWORD, /^error: There is no tenant "nobody"\. Known tenants: .*acme.*\n$/],
    [bob, '', /^error: password: standard input is empty; .*\n$/],
    [bob, '\n', /^error: password: standard input is empty; .*\n$/],
    [bob, 'eleven char\n', /^error: password: must have at least 12 characters\n$/],
    [bob, 'one line of it\nand another\n', /^error: password: must be well-formed .* control characters\n$/],
    [
      bob,
      'password1234',
      /^error: password: is easy to guess, because it is .*common password\. Use several words .*\n$/,
    ],
    [
      ['create', '--email', 'bob@example.com', '--name', 'Bob the Builder'],
      'bob the builder',
      /^error: password: is easy to guess, because it is made of the e-mail or the name\..*\n$/,
    ],
    [
      ['create', '--tenant', 'acme', '--email', 'ANA@example.com', '--name', 'Ana', '--no-password'],
      '',
      /^error: email: the tenant has a user with the e-mail ANA@example\.com already\. Use another\.\n$/,
    ],
    [['password', 'ana@example.com'], PASSWORD, /^error: Several tenants have a user ana@example\.com: .*\n$/],
    [
      ['password', 'ana@example.com', '--tenant', 'default'],
      PASSWORD,
      /^error: There is no user with the id or e-mail "ana@example\.com"\.\n$/,
    ],
    [
      ['password', 'nobody@example.com'],
      PASSWORD,
      /^error: There is no user with the id or e-mail "nobody@example\.com"\.\n$/,
    ],
    [
      ['password', 'ana@example.com', '--tenant', 'acme'],
      'short',
      /^error: password: must have at least 12 characters\n$/,
    ],
  ];
  for (const [args, input, message] of failures) {
    const said = await runCommand(['users', ...args, '--json', '--data-dir', dataDir], { input });
    assert.deepEqual([said.code, said.stdout], [1, ''], args.join(' '));
    assert.match(said.stderr, message, args.join(' '));
    if (input.length > 5) assert.doesNotMatch(said.stderr, new RegExp(input.trim().split('\n')[0]!));
  }
  assert.deepEqual(await runJson(dataDir, 'users', 'list'), before);
});

test('users --help: it names the source of the password', async () => {
  const help = async (...args: string[]) =>
    (await runCommand(['users', ...args, '--help'])).stdout.replace(/\s+/g, ' ');
  const [users, create, password] = await Promise.all([help(), help('create'), help('password')]);
  for (const command of ['create', 'list', 'password', 'unlock']) assert.ok(users.includes(` ${command} `), users);
  for (const text of [create, password])
    assert.match(text, /asked for, twice, on a terminal; otherwise it is what standard input holds/);
  assert.match(create, /--role <role> one of ADMIN, USER, VIEWER, SUPER_ADMIN, HUB_USER \(default: "USER"\)/);
});

const SCRIPT = 'script';
const noTerminal =
  spawnSync(SCRIPT, ['-qec', 'true', '/dev/null']).status === 0 ? false : 'needs script(1) of util-linux';

rareTest('users password: a terminal asks twice without echo', { skip: noTerminal }, async (t) => {
  const dataDir = newDataDirectory(t);
  await runJson(dataDir, 'users', 'create', '--email', 'ana@example.com', '--name', 'Ana', '--no-password');
  const command = `'${process.execPath}' '${BIN}' users password ana@example.com --data-dir '${dataDir}'`;
  const typed = async (...lines: string[]) => {
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const questions = ['Password of ana@example.com: ', 'Once more: '];
    for (const [index, line] of lines.entries()) {
      await eventually(questions[index]!, async () => shown.includes(questions[index]!), 20_000);
      child.stdin.write(line);
    }
    const code = await ended;
    for (const line of lines) if (line.trim() !== '') assert.ok(!shown.includes(line.trim()), shown);
    return { code, shown };
  };
  const right = await typed(`${PASSWORD}\r`, `${PASSWORD}\r`);
  assert.equal(right.code, 0, right.shown);
  assert.match(right.shown, /has a new password/);
  assert.equal(await hasPassword(dataDir, 'ana@example.com', PASSWORD), true);
  const slip = await typed('correct horse batterie\r', 'correct horse battery!\r');
  assert.equal(slip.code, 1);
  assert.match(slip.shown, /error: password: the two differ/);
  const [empty, left] = [await typed('\r'), await typed('\u0004')];
  assert.deepEqual([empty.code, left.code], [1, 1]);
  assert.match(empty.shown, /error: password: it is empty/);
  assert.match(left.shown, /error: There was no answer, and nothing was done\./);
  assert.equal(await hasPassword(dataDir, 'ana@example.com', PASSWORD), true);
});

rareTest('docs/users.md: its shell examples work', async (t) => {
  const operator = await operatorOf(t);
  const fences = fencesOf('users');
  let compared = 0;
  for (const [index, { language, text }] of fences.entries()) {
    if (language !== 'sh' || !text.startsWith('agent-runtime')) continue;
    const said = operator(text);
    const next = fences[index + 1];
    if (next?.language !== 'text') continue;
    compared += 1;
    assert.deepEqual(withoutIds(said), withoutIds(next.text), text);
  }
  assert.ok(compared >= 3, `only ${compared} answers compared`);
});

/** Someone at a shell, in a directory with a password.txt, where the page's name for the program is known. */
async function operatorOf(t: TestContext): Promise<(commands: string) => string> {
  const place = temporaryDirectory(t);
  mkdirSync(join(place, 'bin'));
  writeFileSync(join(place, 'bin', 'agent-runtime'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(place, 'password.txt'), `${PASSWORD}\n`);
  await runCommand(['tenants', 'create', 'acme', '--data-dir', join(place, 'data')]);
  const env = { PATH: `${join(place, 'bin')}:${process.env.PATH}`, AGENT_RUNTIME_DATA_DIR: join(place, 'data') };
  return (commands) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], { cwd: place, env, encoding: 'utf8' });
    assert.equal(status, 0, `${commands}: ${stderr}`);
    // A checkout names the program by its path.
    return stdout.replaceAll(`node ${BIN}`, 'agent-runtime');
  };
}

function withoutIds(text: string): string[] {
  return text
    .trimEnd()
    .replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, 'ID')
    .split('\n');
}
