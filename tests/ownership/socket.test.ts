import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { OwnerClient } from '../../src/ownership/owner-client.ts';
import { socketAddress } from '../../src/ownership/socket.ts';
import { temporaryDirectory } from '../support/app.ts';

/** As on a file system that has no sockets. */
class WithoutSockets extends Server {
  constructor(dataDir: string, code: string) {
    super((_request, response) => response.end('{"command":"serve","pid":1}'));
    const { listen } = this;
    this.listen = ((path: string, done: () => void) => {
      if (!path.startsWith(dataDir)) return listen.call(this, path, done);
      queueMicrotask(() => this.emit('error', Object.assign(new Error(`listen ${code}`), { code })));
      return this;
    }) as typeof this.listen;
  }
}

async function closing(t: TestContext, server: Server): Promise<void> {
  t.after(async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
}

for (const code of ['ENOSYS', 'EOPNOTSUPP', 'EPERM', 'EACCES', 'EINVAL']) {
  test(`socketAddress: the private folder serves where listening says ${code}`, async (t) => {
    const dataDir = temporaryDirectory(t);
    const server = new WithoutSockets(dataDir, code);
    const client = new OwnerClient(dataDir);
    t.after(() => client.close());
    await closing(t, server);
    assert.equal(await client.owner(), null);
    await socketAddress(dataDir).listen(server);
    // The client was made before the owner started.
    assert.equal((await client.owner())?.command, 'serve');
    const { path } = socketAddress(dataDir);
    assert.ok(path.startsWith(`/tmp/agent-runtime-${process.geteuid?.()}/`), path);
    assert.equal(lstatSync(path).mode & 0o777, 0o600);
    assert.equal(existsSync(join(dataDir, 'runtime.sock')), false);
  });
}

test('socketAddress: a socket in the data directory is preferred', async (t) => {
  const dataDir = temporaryDirectory(t);
  const [elsewhere, here] = [new WithoutSockets(dataDir, 'ENOSYS'), createServer()];
  for (const server of [elsewhere, here]) await closing(t, server);
  await socketAddress(dataDir).listen(elsewhere);
  writeFileSync(join(dataDir, 'runtime.sock'), 'left by something else');
  assert.notEqual(socketAddress(dataDir).path, join(dataDir, 'runtime.sock'));
  await socketAddress(dataDir).listen(here);
  assert.equal(socketAddress(dataDir).path, join(dataDir, 'runtime.sock'));
});

test('socketAddress: other faults of listening are not hidden', async (t) => {
  const dataDir = temporaryDirectory(t);
  await assert.rejects(socketAddress(dataDir).listen(new WithoutSockets(dataDir, 'EMFILE')), /EMFILE/);
  mkdirSync(join(dataDir, 'runtime.sock'));
  await assert.rejects(socketAddress(dataDir).listen(createServer()), /runtime\.sock is a directory.*Move it aside/);
});

const LOADER = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import(process.argv[1]);
process.stdout.write(JSON.stringify(loaded));
`;

/** The packages that a source file loads, with all that it imports. */
async function packagesOf(file: string): Promise<string[]> {
  const url = new URL(`../../src/${file}`, import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', LOADER, url]);
  const packages = (JSON.parse(stdout) as string[]).flatMap(
    (one) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(one)?.[1] ?? [],
  );
  return [...new Set(packages)].sort();
}

test('ownership: loading it loads no store, only the file lock', async () => {
  assert.deepEqual(await packagesOf('ownership/ownership.ts'), ['better-sqlite3']);
});

test('main: loading it loads no command', async () => {
  assert.deepEqual(await packagesOf('main.ts'), ['commander']);
});

test('commands: the options that all of them share load no store', async () => {
  const packages = await packagesOf('commands/input/options.ts');
  assert.deepEqual(
    packages.filter((name) => /sqlite|kysely|duckdb/.test(name)),
    [],
  );
});
