import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from './process.ts';

export function whyNoPgbouncer(): string | false {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'pgbouncer is not installed';
  }
}

/**
 * A pgbouncer that pools transactions in front of the server of `url`: fewer server connections than clients, so that a
 * client's statements come to another one with each transaction. Returns the URL through it.
 */
export async function startPgbouncer(scope: Pick<TestContext, 'after'>, url: string): Promise<string> {
  const [, database, host] = /\/([^/?]+)\?host=(.+)$/.exec(url)!;
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const to = `host=${decodeURIComponent(host!)} user=postgres password=password dbname=${database}`;
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n${database} = ${to}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // It refuses to run as root, and only the server's user may enter its directory.
  const asUser = process.getuid?.() === 0 ? ['--user', 'postgres'] : [];
  const child: ChildProcess = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  scope.after(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (data) => {
      log += data;
      if (log.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`pgbouncer did not start:\n${log}`)));
  });
  return `postgres://postgres:password@127.0.0.1:${port}/${database}`;
}
