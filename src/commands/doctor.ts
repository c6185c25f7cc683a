import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { Ownership } from '../ownership/ownership.ts';
import { openState } from '../runtime.ts';
import { type AdministrationOptions, print, withAdministration } from './options.ts';

interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
}

const LOW_DISK_BYTES = 1024 ** 3;
const FULL_DISK_BYTES = 64 * 1024 ** 2;

export function registerDoctor(program: Command): void {
  withAdministration(
    program.command('doctor').description('check this installation; exit code 1 when something is wrong'),
  ).action(doctor);
}

async function doctor(options: AdministrationOptions): Promise<void> {
  const { dataDir } = loadConfig({ dataDir: options.dataDir });
  const findings: Finding[] = [
    await check('Node.js', async () => process.version),
    await check('SQLite', loadSqlite),
    await check('DuckDB', loadDuckdb),
  ];
  if (existsSync(dataDir)) {
    findings.push(
      await check('data directory', async () => checkDirectory(dataDir)),
      checkDisk(dataDir),
      await check('state database', () => checkState(options)),
      await check('server', () => checkServer(dataDir)),
    );
  } else {
    findings.push({
      check: 'data directory',
      status: 'warning',
      message: `${dataDir} does not exist yet; the first start makes it`,
    });
  }
  const failed = findings.some((finding) => finding.status === 'failed');
  const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  print(
    options,
    { ok: !failed, findings },
    findings.map((one) => `${marks[one.status]}  ${one.check}: ${one.message}`),
  );
  if (failed) process.exitCode = 1;
}

async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  try {
    return { check: name, status: 'ok', message: await probe() };
  } catch (error) {
    return { check: name, status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function loadSqlite(): Promise<string> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(':memory:');
  const row = database.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get();
  database.close();
  return row?.version ?? '';
}

async function loadDuckdb(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return version();
}

function checkDirectory(path: string): string {
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new Error(`${path} is open to other users (mode ${mode.toString(8)}); run chmod 700 ${path}`);
  }
  return path;
}

function checkDisk(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  if (free < FULL_DISK_BYTES)
    return { check: 'disk', status: 'failed', message: `${message}: make room, events are refused soon` };
  return { check: 'disk', status: free < LOW_DISK_BYTES ? 'warning' : 'ok', message };
}

async function checkState(options: AdministrationOptions): Promise<string> {
  const state = await openState(loadConfig({ dataDir: options.dataDir }));
  try {
    const [tenants, keys] = await Promise.all([state.auth.listTenants(), state.auth.listKeys(null)]);
    const live = keys.filter(
      (key) => key.revokedAt === null && (key.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now(),
    );
    return `${tenants.length} tenants, ${live.length} valid keys`;
  } finally {
    await state.close();
  }
}

/** Asks the owner of the directory, if there is one, whether all its stores answer. */
async function checkServer(dataDir: string): Promise<string> {
  const ownership = new Ownership({
    dataDir,
    yields: false,
    info: () => ({ command: 'doctor', pid: process.pid }),
    open: () => Promise.reject(new Error('doctor opens nothing')),
  });
  try {
    const owner = await ownership.owner();
    if (!owner) return 'not running';
    const where = `${owner.command}, process ${owner.pid}${owner.url ? `, ${owner.url}` : ''}`;
    if (!(await ownership.ready())) throw new Error(`${where}: is not ready; see its log`);
    return `${where}: ready`;
  } finally {
    await ownership.close();
  }
}
