import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { install, installedSettings, uninstall } from '../../../src/commands/service/install.ts';
import { systemd } from '../../../src/commands/service/systemd.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { fakeHost } from './support.ts';

const RUNNING = { 'systemctl --user is-system-running': { stdout: 'running\n' } };
const FAILED = { ...RUNNING, 'systemctl --user show': { stdout: 'ActiveState=failed\nSubState=failed\nMainPID=0\n' } };
const ONCE = { attempts: 1, pauseMs: 0 };

test('systemd: an installation writes, starts, and says how to outlive a logout', async (t) => {
  const { host, home, asked } = fakeHost(t, FAILED);
  const manager = systemd(host, 'user');
  const settings = { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 };
  const { changes, isEnvironmentFileNew, notes, running } = await install(host, manager, settings, ONCE);
  assert.deepEqual(asked, [
    'systemctl --user is-system-running',
    'systemctl --user daemon-reload',
    'systemctl --user enable agent-runtime.service',
    'systemctl --user restart agent-runtime.service',
    'systemctl --user show agent-runtime.service --property=ActiveState,SubState,ActiveEnterTimestamp,MainPID --timestamp=utc',
    'loginctl show-user ada --property=Linger --value',
  ]);
  assert.equal(manager.file, join(home, '.config/systemd/user/agent-runtime.service'));
  assert.deepEqual(installedSettings(manager), settings);
  assert.equal(changes, null);
  assert.ok(isEnvironmentFileNew);
  assert.match(notes.join('\n'), /loginctl enable-linger ada/);
  assert.deepEqual([running.state, running.isActive, running.isReady], ['failed (failed)', false, false]);
  assert.equal(statSync(join(home, 'data')).mode & 0o777, 0o700);
  assert.equal(statSync(manager.environmentFile!).mode & 0o777, 0o600);
  assert.equal(statSync(manager.file).mode & 0o777, 0o644);
});

test('systemd: installing again replaces the unit, keeps secrets, and says the changes', async (t) => {
  const { host, home } = fakeHost(t, FAILED);
  const manager = systemd(host, 'user');
  const settings = { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 };
  await install(host, manager, settings, ONCE);
  writeFileSync(manager.environmentFile!, 'OPENAI_API_KEY=sk-1\n');
  const same = await install(host, manager, settings, ONCE);
  assert.deepEqual(same.changes, { removed: [], added: [] });
  assert.ok(!same.isEnvironmentFileNew);
  const other = await install(host, manager, { ...settings, port: 4000 }, ONCE);
  const [removed, added] = [other.changes!.removed.join(), other.changes!.added.join()];
  assert.match(removed, /^ExecStart=\S+ serve .* --port 3000$/);
  assert.equal(added, removed.replace('3000', '4000'));
  assert.equal(readFileSync(manager.environmentFile!, 'utf8'), 'OPENAI_API_KEY=sk-1\n');
});

test('systemd: removing stops the service and keeps data and secrets', async (t) => {
  const { host, home, asked } = fakeHost(t, FAILED);
  const manager = systemd(host, 'user');
  assert.equal(await uninstall(manager), false);
  await install(host, manager, { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 }, ONCE);
  asked.length = 0;
  assert.equal(await uninstall(manager), true);
  assert.deepEqual(asked, [
    'systemctl --user is-system-running',
    'systemctl --user disable --now agent-runtime.service',
    'systemctl --user daemon-reload',
    'systemctl --user reset-failed agent-runtime.service',
  ]);
  assert.ok(!existsSync(manager.file));
  assert.ok(existsSync(join(home, 'data')) && existsSync(manager.environmentFile!));
});

test('systemd: its state is read, with its start in UTC', async (t) => {
  const stdout =
    'MainPID=4711\nActiveState=active\nSubState=running\nActiveEnterTimestamp=Mon 2026-11-23 18:25:55 UTC\n';
  const { host } = fakeHost(t, { 'systemctl show': { stdout } });
  const expected = { isActive: true, state: 'active (running)', since: '2026-11-23T18:25:55.000Z', pid: 4711 };
  assert.deepEqual(await systemd(host, 'system').state(), expected);
});

test('systemd: the journal is passed through', async (t) => {
  const { host, asked } = fakeHost(t);
  await systemd(host, 'user').logs({ follow: true, lines: 7 });
  await systemd(host, 'system').logs({ follow: false, lines: 100 });
  assert.deepEqual(asked, [
    'journalctl --user-unit=agent-runtime.service --lines=7 --output=cat --follow',
    'journalctl --unit=agent-runtime.service --lines=100 --output=cat',
  ]);
});

test('systemd: without it, the entry point of a container is named', async (t) => {
  const messages: Record<string, RegExp> = {
    '': /There is no systemctl here\. In a container, make `agent-runtime serve` its entry point\./,
    offline: /systemctl says "offline"/,
    unknown: /systemctl says "unknown"/,
  };
  for (const [state, message] of Object.entries(messages)) {
    const { host, asked } = fakeHost(t, { systemctl: { code: state === '' ? 127 : 1, stdout: state } });
    const settings = { dataDir: join(host.home, 'data'), host: '127.0.0.1', port: 3000 };
    const manager = systemd(host, 'user');
    await assert.rejects(install(host, manager, settings, ONCE), message);
    assert.equal(asked.length, 1);
    assert.ok(!existsSync(manager.file) && !existsSync(settings.dataDir), 'nothing was written');
  }
});

test('systemd: a command that fails is reported with what it said', async (t) => {
  const { host } = fakeHost(t, { ...FAILED, 'systemctl --user enable': { code: 1, stderr: 'Access denied\n' } });
  const settings = { dataDir: join(host.home, 'data'), host: '127.0.0.1', port: 3000 };
  await assert.rejects(
    install(host, systemd(host, 'user'), settings, ONCE),
    /^Error: systemctl --user enable agent-runtime\.service failed: Access denied$/,
  );
});

test('systemd: a system service is not root and has no temporary data', (t) => {
  const { define } = systemd(fakeHost(t).host, 'system');
  const at = (dataDir: string) => define({ dataDir, host: '127.0.0.1', port: 3000 });
  assert.match(at('/var/lib/agent-runtime'), /^DynamicUser=yes$/m);
  assert.throws(() => at('/tmp/data'), /its own directories for temporary files/);
  assert.throws(() => at('/srv/no/such/directory'), /runs as the owner of its data directory/);
});

test('Service: settings of the shell that it lacks are named, without their values', async (t) => {
  const variables: Record<string, string> = { OPENAI_API_KEY: 'sk-1', AGENT_RUNTIME_EMBEDDER: 'hash', PORT: '3000' };
  const { host, home } = fakeHost(t, FAILED, { variable: (name) => variables[name] });
  const settings = { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 };
  const { notes } = await install(host, systemd(host, 'user'), settings, ONCE);
  assert.match(notes[0]!, /^Set here, but not for the service: AGENT_RUNTIME_EMBEDDER, OPENAI_API_KEY\. Add them to /);
});

test('Service: a program that will not stay is refused before anything is written', async (t) => {
  const program = { command: join(temporaryDirectory(t), 'agent-runtime'), args: [] };
  const { host, asked } = fakeHost(t, FAILED, { program });
  const manager = systemd(host, 'user');
  const settings = { dataDir: join(host.home, 'data'), host: '127.0.0.1', port: 3000 };
  await assert.rejects(install(host, manager, settings, ONCE), /Install the program first/);
  assert.deepEqual([asked, existsSync(manager.file)], [[], false]);
});
