import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { findingsOfConnectors } from '../doctor/connectors.ts';
import { findingsOfFiles } from '../doctor/files.ts';
import { check, type Finding } from '../doctor/findings.ts';
import { askOwner, findingsOfOwner } from '../doctor/owner.ts';
import { findingOfKeys, findingsOfProviders } from '../doctor/providers.ts';
import { findingsOfProxies } from '../doctor/proxies.ts';
import { findingsOfSealingKeys } from '../doctor/sealing-key.ts';
import { type AdministrationOptions, print, withAdministration } from './options.ts';

export function registerDoctor(program: Command): void {
  withAdministration(
    program.command('doctor').description('check this installation; exit code 1 when something is wrong'),
  ).action(doctor);
}

async function doctor(options: AdministrationOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir });
  const findings = [
    await check('Node.js', async () => process.version),
    await check('SQLite', loadSqlite),
    await check('SQLite vectors', loadVectors),
    await check('DuckDB', loadDuckdb),
    findingOfKeys(config.variable),
    ...findingsOfProxies(config),
    ...(await findingsOfDirectory(config)),
  ];
  const failed = findings.some((finding) => finding.status === 'failed');
  const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  print(
    options,
    { ok: !failed, findings },
    findings.map((one) => `${marks[one.status]}  ${one.check}: ${one.message}`),
  );
  if (failed) process.exitCode = 1;
}

async function findingsOfDirectory(config: Config): Promise<Finding[]> {
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    const message = `${dataDir} does not exist yet; the first start makes it`;
    return [{ check: 'data directory', status: 'warning', message }];
  }
  const directory = await check('data directory', async () => checkDirectory(dataDir));
  try {
    const running = await askOwner(dataDir);
    const server: Finding[] = running
      ? findingsOfOwner(running, Date.now())
      : [{ check: 'server', status: 'ok', message: 'not running' }];
    const files = await findingsOfFiles(dataDir, running !== null);
    // What the database holds is no news while the file itself is damaged.
    const isSound = files.every(({ check, status }) => check !== 'state database' || status === 'ok');
    const definitions = isSound
      ? [
          ...(await findingsOfSealingKeys(config)),
          ...(await findingsOfProviders(config)),
          ...(await findingsOfConnectors(config)),
        ]
      : [];
    return [directory, ...server, ...files, ...definitions];
  } catch (error) {
    // A directory that this user may not enter, say.
    return [directory, { check: 'files', status: 'failed', message: (error as Error).message }];
  }
}

async function loadSqlite(): Promise<string> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(':memory:');
  const row = database.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get();
  database.close();
  return row?.version ?? '';
}

async function loadVectors(): Promise<string> {
  const [{ default: Database }, { load }] = await Promise.all([import('better-sqlite3'), import('sqlite-vec')]);
  const database = new Database(':memory:');
  load(database);
  const row = database.prepare<[], { version: string }>('SELECT vec_version() AS version').get();
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
