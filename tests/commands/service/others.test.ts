import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { install, installedSettings, uninstall } from '../../../src/commands/service/install.ts';
import { launchd } from '../../../src/commands/service/launchd.ts';
import { taskScheduler } from '../../../src/commands/service/task-scheduler.ts';
import { fakeHost } from './support.ts';

const ONCE = { attempts: 1, pauseMs: 0 };

test('launchd: an agent is loaded anew and removed, and said to be untested', async (t) => {
  const { host, home, asked } = fakeHost(t, { 'launchctl print gui/1000/': { stdout: '\tstate = waiting\n' } });
  const manager = launchd(host);
  const settings = { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 };
  const { running, notes } = await install(host, manager, settings, ONCE);
  assert.deepEqual([running.state, running.isActive], ['waiting', false]);
  assert.match(notes.join(), /not been tested on this operating system/);
  assert.deepEqual(installedSettings(manager), settings);
  await uninstall(manager);
  assert.deepEqual(asked, [
    'launchctl print gui/1000',
    'launchctl bootout gui/1000/agent-runtime',
    `launchctl bootstrap gui/1000 ${home}/Library/LaunchAgents/agent-runtime.plist`,
    'launchctl print gui/1000/agent-runtime',
    'launchctl print gui/1000',
    'launchctl bootout gui/1000/agent-runtime',
  ]);
});

test('Task scheduler: a task is made of UTF-16 XML, and said to be untested', async (t) => {
  const { host, home, asked } = fakeHost(t, { powershell: { stdout: 'Ready\r\n' } });
  const manager = taskScheduler(host);
  const settings = { dataDir: join(home, 'data'), host: '127.0.0.1', port: 3000 };
  const { running, notes } = await install(host, manager, settings, ONCE);
  assert.deepEqual([running.state, running.isActive], ['Ready', false]);
  assert.match(notes.join(), /not been tested on this operating system/);
  assert.deepEqual(readFileSync(manager.file).subarray(0, 4), Buffer.from([0xff, 0xfe, 0x3c, 0x00]));
  assert.deepEqual(installedSettings(manager), settings);
  assert.ok(asked.includes(`schtasks /create /f /xml ${manager.file} /tn agent-runtime`));
  await uninstall(manager);
  assert.equal(asked.at(-1), 'schtasks /delete /f /tn agent-runtime');
  await assert.rejects(manager.logs({ follow: false, lines: 1 }), /keeps no log/);
});
