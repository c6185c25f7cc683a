import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ENVIRONMENT_EXAMPLES } from '../../../src/commands/service/install.ts';
import { isInHome, refuseTemporaryProgram, refuseUnreachable } from '../../../src/commands/service/systemd.ts';
import { recordedSettings, SYSTEM_ENVIRONMENT_FILE, systemdUnit } from '../../../src/commands/service/unit.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { UPDATES_GOLDEN } from '../../support/golden.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const PACKAGED = resolve(import.meta.dirname, '../../../packaging/systemd');
const SETTINGS = { dataDir: '/srv/agent runtime/100%', host: '127.0.0.1', port: 3000 };
const NODE = ['/usr/bin/node', '/opt/agent $HOME/bin/agent-runtime.js'] satisfies [string, string];
const USER_FILE = '/home/ada/my config/agent-runtime/environment';

const DEFINITIONS: Record<string, () => string> = {
  [join(GOLDEN, 'user.service')]: () =>
    systemdUnit({ scope: 'user', command: NODE, settings: SETTINGS, environmentFile: USER_FILE }),
  [join(GOLDEN, 'system.service')]: () =>
    systemdUnit({
      scope: 'system',
      command: ['/usr/local/bin/agent-runtime'],
      settings: { dataDir: '/var/lib/agent-runtime', host: '::', port: 443 },
      environmentFile: SYSTEM_ENVIRONMENT_FILE,
    }),
  [join(GOLDEN, 'system-of-user.service')]: () =>
    systemdUnit({
      scope: 'system',
      command: NODE,
      settings: SETTINGS,
      environmentFile: SYSTEM_ENVIRONMENT_FILE,
      user: '1000',
      usesHome: true,
    }),
  [join(PACKAGED, 'agent-runtime.service')]: () =>
    systemdUnit({
      scope: 'system',
      command: ['/usr/bin/agent-runtime'],
      settings: null,
      environmentFile: SYSTEM_ENVIRONMENT_FILE,
    }),
  [join(PACKAGED, 'environment')]: () => ENVIRONMENT_EXAMPLES,
};

test('Service definitions: they are the golden files and those of the package', () => {
  for (const [path, define] of Object.entries(DEFINITIONS)) {
    if (UPDATES_GOLDEN) writeFileSync(path, define());
    assert.equal(define(), readFileSync(path, 'utf8'), path);
  }
});

test('Service definitions: each says the settings that it was made of', () => {
  const user = systemdUnit({ scope: 'user', command: NODE, settings: SETTINGS, environmentFile: USER_FILE });
  assert.deepEqual(recordedSettings(user), SETTINGS);
  assert.equal(recordedSettings('[Service]\nExecStart=/bin/true\n'), null);
});

test('Service definitions: what could end a line or a path is refused', () => {
  const unit = (dataDir: string, executable = '/bin/a') =>
    systemdUnit({ scope: 'user', command: [executable], settings: { ...SETTINGS, dataDir }, environmentFile: '/e' });
  assert.throws(() => unit('/a\nExecStart=/bin/evil'), /control characters/);
  for (const path of ['/a"b', "/a'b", '/a\\']) {
    assert.throws(() => unit(path), /no quotes and backslashes/);
    assert.throws(() => unit('/a', path), /no quotes and backslashes/);
  }
});

test('Service definitions: only a user service lacks what needs privileges', () => {
  const names = (scope: 'user' | 'system') =>
    new Set(
      [...systemdUnit({ scope, command: ['/a'], settings: null, environmentFile: '/e' }).matchAll(/^(\w+)=/gm)].map(
        ([, name]) => name!,
      ),
    );
  const missing = [...names('system')].filter((name) => !names('user').has(name));
  for (const name of ['DynamicUser', 'ProtectSystem', 'ProtectHome', 'CapabilityBoundingSet', 'PrivateDevices']) {
    assert.ok(missing.includes(name), name);
  }
  for (const scope of ['user', 'system'] as const) {
    assert.ok(!names(scope).has('MemoryDenyWriteExecute'), 'Node.js compiles code at run time');
    for (const name of ['NoNewPrivileges', 'SystemCallFilter', 'RestartPreventExitStatus']) {
      assert.ok(names(scope).has(name), name);
    }
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('Service definitions: systemd accepts a unit with odd paths', {
  skip: !hasSystemd && 'no systemd-analyze',
}, (t) => {
  const directory = join(temporaryDirectory(t), 'a $HOME 100% %h');
  mkdirSync(directory);
  const [executable, file] = [join(directory, 'agent-runtime'), join(directory, '../agent-runtime.service')];
  symlinkSync(process.execPath, executable);
  const settings = { dataDir: directory, host: '::', port: 443 };
  for (const user of [null, '1000']) {
    const command: [string, string] = [executable, '/with "quotes" and $'];
    const environmentFile = join(directory, 'environment');
    writeFileSync(file, systemdUnit({ scope: 'system', command, settings, environmentFile, user, usesHome: true }));
    const said = execFileSync('systemd-analyze', ['verify', file], { encoding: 'utf8', stdio: 'pipe' });
    assert.equal(said, '');
  }
});

test('Service: a program in a temporary directory or the cache of npx is refused', () => {
  const refused = ['/tmp/agent-runtime', '/dev/shm/x/y', '/own/tmp/x', '/home/ada/.npm/_npx/1a2b/node_modules/x.js'];
  for (const path of refused) {
    assert.throws(() => refuseTemporaryProgram(['/usr/bin/node', path], '/own/tmp'), /will not stay there/, path);
  }
  refuseTemporaryProgram(['/usr/bin/node', '/opt/tmp/agent-runtime', '/tmpfs/x', '/own/tmpx'], '/own/tmp');
  assert.deepEqual(['/home/ada/x', '/root', '/homes/x', '/srv/home'].map(isInHome), [true, true, false, false]);
});

test('Service: a program that its user cannot reach is refused', { skip: process.platform === 'win32' }, (t) => {
  const directory = join(temporaryDirectory(t), 'closed');
  mkdirSync(directory);
  chmodSync(directory, 0o700);
  const program = join(directory, 'agent-runtime');
  assert.throws(() => refuseUnreachable(program, null), { code: 'invalid', message: /could not enter .*closed\./ });
});
