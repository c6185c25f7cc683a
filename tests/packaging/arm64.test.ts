import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeApp } from '../../packaging/binary/app.ts';
import { makeExecutable, nodeOf } from '../../packaging/binary/executable.ts';
import { targetOf } from '../../packaging/binary/targets.ts';
import { temporaryDirectory } from '../support/app.ts';
import { newDataDirectory, runProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { inEmptyEnvironment } from './smoke/smoke.ts';

/*
 * On Linux with qemu-user-static. The libraries of arm64 are those of Debian packages (libc6, libstdc++6, libgcc-s1,
 * libatomic1), unpacked by `dpkg -x` into the directory that QEMU_LD_PREFIX names.
 */

const EMULATOR = 'qemu-aarch64-static';
const libraries = process.env.QEMU_LD_PREFIX;
const isThere = libraries !== undefined && spawnSync(EMULATOR, ['--version']).status === 0;
const skip = !isThere && `${EMULATOR} and QEMU_LD_PREFIX are needed`;

rareTest(
  'Executable: the one for arm64 says its version, checks itself and shows the demo',
  {
    skip,
    timeout: 600_000,
  },
  async (t: TestContext) => {
    const [place, target] = [temporaryDirectory(t), targetOf('linux-arm64')];
    const [app, output] = [join(place, 'app'), join(place, 'agent-runtime')];
    await makeApp(target, app);
    await makeExecutable({ target, app, node: await nodeOf(target), output });
    const emulator = execFileSync('which', [EMULATOR], { encoding: 'utf8' }).trim();
    const program = inEmptyEnvironment(t, emulator, output);
    program.environment!.QEMU_LD_PREFIX = libraries!;
    for (const args of [['--version'], ['doctor', '--data-dir', newDataDirectory(t)], ['demo']]) {
      const { code, stdout, stderr } = await runProgram(t, args, { program });
      assert.equal(code, 0, `${args[0]}: ${stdout}${stderr}`);
    }
  },
);
