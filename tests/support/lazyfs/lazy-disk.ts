import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { eventually } from '../process.ts';

const { LAZYFS = '' } = process.env;
const isThere = existsSync(LAZYFS) && existsSync('/dev/fuse');
/** For a test's `skip`. */
export const skip =
  !isThere && 'LAZYFS does not name a LazyFS (tests/support/lazyfs/build.sh builds it), or there is no /dev/fuse';

/** A disk that forgets what was not synced, whenever the test says so. */
export interface LazyDisk {
  directory: string;
  /** A power failure. Whoever wrote there has been killed. */
  fail(): Promise<void>;
}

export async function lazyDisk(t: TestContext, environment: Record<string, string> = {}): Promise<LazyDisk> {
  const place = mkdtempSync(join(tmpdir(), 'agent-runtime-lazy-'));
  const at = (name: string) => join(place, name);
  for (const name of ['real', 'lazy']) mkdirSync(at(name));
  for (const name of ['commands', 'done']) execFileSync('mkfifo', [at(name)]);
  const settings = [
    `[faults]\nfifo_path="${at('commands')}"\nfifo_path_completed="${at('done')}"`,
    '[cache]\napply_eviction=false\n[cache.simple]\ncustom_size="512mb"\nblocks_per_page=1',
    `[filesystem]\nlog_all_operations=false\nlogfile="${at('log')}"`,
  ];
  writeFileSync(at('settings.toml'), `${settings.join('\n')}\n`);
  const options = ['-o', 'modules=subdir', '-o', `subdir=${at('real')}`, '-f'];
  const mount = spawn(LAZYFS, [at('lazy'), '--config-path', at('settings.toml'), ...options], {
    env: { ...process.env, LD_LIBRARY_PATH: dirname(LAZYFS), ...environment },
    stdio: 'ignore',
  });
  const ended = once(mount, 'exit');
  // A socket: a file stream would keep a thread of the pool waiting.
  const done = new Socket({ fd: openSync(at('done'), constants.O_RDWR | constants.O_NONBLOCK) });
  const lines = createInterface({ input: done });
  t.after(async () => {
    spawnSync('fusermount3', ['-u', '-z', at('lazy')]);
    mount.kill('SIGKILL');
    await ended;
    done.destroy();
    rmSync(place, { recursive: true, force: true });
  });
  const { dev } = statSync(place);
  await eventually('the disk is mounted', async () => statSync(at('lazy')).dev !== dev, 30_000);
  const commands = openSync(at('commands'), 'r+');
  t.after(() => closeSync(commands));
  return {
    directory: at('lazy'),
    fail: async () => {
      const answer = once(lines, 'line', { signal: AbortSignal.timeout(30_000) });
      writeSync(commands, 'lazyfs::clear-cache\n');
      assert.deepEqual(await answer, ['finished::clear-cache']);
    },
  };
}
