import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { refuseUnreachable } from '../../src/commands/service/systemd.ts';
import { temporaryDirectory } from '../support/app.ts';
import { BIN, cleanEnvironment, eventually } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const NOBODY = 65_534;

/** Runs what the unit says, without its limits, as systemd would. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >> "$HOME/asked"
unit="$XDG_CONFIG_HOME/systemd/user/agent-runtime.service"
running() { [ -f "$HOME/pid" ] && kill -0 "$(cat "$HOME/pid")" 2>/dev/null; }
end() { running && kill "$(cat "$HOME/pid")" && while running; do sleep 0.1; done; rm -f "$HOME/pid"; }
case "$*" in
*is-system-running) echo running ;;
*restart*)
  end
  $(sed -n 's/^ExecStart=//p' "$unit") > "$HOME/log" 2>&1 & echo $! > "$HOME/pid" ;;
*show*)
  if running; then echo "ActiveState=active"; echo "SubState=running"; echo "MainPID=$(cat "$HOME/pid")"
  else echo "ActiveState=inactive"; echo "SubState=dead"; echo "MainPID=0"; fi ;;
*disable*) end ;;
esac
exit 0
`;

function user(t: TestContext) {
  const home = temporaryDirectory(t);
  const uid = process.getuid?.() === 0 ? NOBODY : process.getuid!();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries({ systemctl: SYSTEMCTL, loginctl: '#!/bin/sh\necho yes\n' })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  if (process.getuid?.() === 0) chownSync(home, uid, uid);
  const environment = {
    ...cleanEnvironment({ HOME: home, XDG_CONFIG_HOME: join(home, 'config'), NODE_COMPILE_CACHE: '' }),
    PATH: `${bin}:${process.env.PATH}`,
  };
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [BIN, 'service', ...args], {
      cwd: home,
      env: environment,
      ...(process.getuid?.() === 0 ? { uid, gid: uid } : {}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  };
  t.after(async () => {
    const file = join(home, 'pid');
    if (!existsSync(file)) return;
    const pid = Number(readFileSync(file, 'utf8'));
    const isGone = () => {
      try {
        return !process.kill(pid, 'SIGKILL');
      } catch {
        return true;
      }
    };
    await eventually('its end', async () => isGone(), 5_000);
  });
  return { home, run };
}

function refusal(): string | false {
  if (process.platform !== 'linux') return 'systemd is for Linux';
  try {
    if (process.getuid?.() === 0) refuseUnreachable(BIN, null);
    return false;
  } catch {
    return 'another user than root cannot reach the checkout';
  }
}

rareTest('service: it is installed, examined, changed and removed', { skip: refusal() }, async (t) => {
  const { home, run } = user(t);
  const dataDir = join(home, 'data');
  const missing = await run('status');
  assert.equal(missing.code, 3, missing.stderr);
  assert.match(missing.stdout, /^There is no service /);

  const installed = await run('install', '--data-dir', 'data', '--port', '0', '--json');
  assert.equal(installed.code, 0, installed.stderr + installed.stdout);
  const { url, isReady, changes, ...first } = JSON.parse(installed.stdout);
  assert.deepEqual([isReady, changes, first.dataDir], [true, null, dataDir]);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.ok(existsSync(join(dataDir, 'first-run.txt')));

  const status = await run('status', '--json');
  assert.equal(status.code, 0);
  const shown = JSON.parse(status.stdout);
  assert.deepEqual([shown.url, shown.pid, shown.isReady, shown.dataDir], [url, first.pid, true, dataDir]);

  // What is not named stays.
  const again = await run('install', '--host', 'localhost');
  assert.equal(again.code, 0, again.stderr + again.stdout);
  assert.match(again.stdout, /^ {2}- ExecStart=.* --host 127\.0\.0\.1 .*\n {2}\+ ExecStart=.* --host localhost /m);
  assert.match(again.stdout, new RegExp(`^Data: ${dataDir}$`, 'm'));

  const removed = await run('uninstall');
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(removed.stdout, new RegExp(`^Kept: ${dataDir}$`, 'm'));
  assert.ok(existsSync(join(dataDir, 'state.sqlite')));
  assert.equal((await run('status')).code, 3);
  assert.match(readFileSync(join(home, 'asked'), 'utf8'), /--user daemon-reload\n--user reset-failed/);
});

rareTest('service: --print writes the unit and changes nothing', { skip: refusal() }, async (t) => {
  const { home, run } = user(t);
  const { code, stdout } = await run('install', '--print', '--data-dir', 'data');
  assert.equal(code, 0);
  assert.match(stdout, /^\[Service\]$/m);
  assert.match(stdout, new RegExp(`^ExecStart=.* serve --data-dir ${home}/data `, 'm'));
  assert.ok(!existsSync(join(home, 'asked')) && !existsSync(join(home, 'config')) && !existsSync(join(home, 'data')));
  const refused = await run('install', '--system');
  assert.deepEqual([refused.code, refused.stderr], [1, 'error: --system: needs root; run the command with sudo\n']);
});
