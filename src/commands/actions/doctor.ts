import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { backupSource } from '../../backup/places.ts';
import { refuseCutOff } from '../../backup/replace.ts';
import { type Config, loadConfig } from '../../config.ts';
import { notFound } from '../../core/base/shared/errors.ts';
import { counted } from '../../core/base/shared/text.ts';
import { acceptLoss, findingsOfFiles } from '../../doctor/files.ts';
import { check, type Finding, refuseOpenToOthers } from '../../doctor/findings.ts';
import { findingsOfNodes, findingsOfStoredState } from '../../doctor/nodes.ts';
import { findingsOfOAuth } from '../../doctor/oauth.ts';
import { findingsOfOwner, findOwner } from '../../doctor/owner.ts';
import { findingOfKeys } from '../../doctor/providers.ts';
import { findingsOfCertificate, findingsOfMail, findingsOfProxies } from '../../doctor/settings.ts';
import { sizeOfStores } from '../../doctor/stores.ts';
import { type OpeningOptions, openingKeys } from '../input/backup-keys.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';

interface DoctorOptions extends AdministrationOptions, OpeningOptions {
  acceptLoss?: string;
  backup?: string;
}

async function writeOff(name: string, config: Config, options: DoctorOptions): Promise<void> {
  const { dataDir } = config;
  if (!existsSync(dataDir)) throw notFound(`There is no directory ${dataDir}.`);
  const { exclusively } = await import('../server/exclusively.ts');
  const doing = { command: 'doctor', doing: `The loss of ${name} is being accepted`, undone: 'nothing was changed' };
  const movedTo = await exclusively(config, doing, async () => acceptLoss(dataDir, name, Date.now()));
  print(options, { file: name, dataDir, movedTo }, [
    `${name} is written off in ${dataDir}: the next start makes a new one.`,
    ...(movedTo === null ? [] : [`What was left of it is in ${movedTo}. Delete it when you no longer need it.`]),
  ]);
}

export async function run(options: DoctorOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir });
  if (options.acceptLoss !== undefined) return writeOff(options.acceptLoss, config, options);
  if (options.backup !== undefined) return report(options, [await findingOfBackup(options.backup, config, options)]);
  report(options, [
    await check('Node.js', async () => process.version),
    await check('SQLite', loadSqlite),
    await check('SQLite vectors', loadVectors),
    await check('DuckDB', loadDuckdb),
    findingOfKeys(config.variable),
    ...findingsOfProxies(config),
    ...findingsOfCertificate(config, Date.now()),
    ...(await findingsOfMail(config)),
    ...(await findingsOfNodes(config)),
    ...(await findingsOfDirectory(config, options.json === true)),
  ]);
}

function report(options: DoctorOptions, findings: Finding[]): void {
  const failed = findings.some((finding) => finding.status === 'failed');
  const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  print(
    options,
    { ok: !failed, findings },
    findings.map((one) => `${marks[one.status]}  ${one.check}: ${one.message}`),
  );
  if (failed) process.exitCode = 1;
}

async function findingOfBackup(name: string, config: Config, options: DoctorOptions): Promise<Finding> {
  const source = backupSource(name);
  const keys = await openingKeys(options, config);
  const { unpack } = await import('../../backup/unpack.ts');
  const bar = showProgress(options.json ? 0 : source.size);
  const onProgress = (read: number) => bar.update(read);
  return check('backup', async () => {
    const { events, createdAt, program } = await unpack({ keys, source, directory: null, onProgress });
    const what = `${counted(events, 'event')} as of ${createdAt}, by version ${program.version}`;
    return `${source.name}: ${what}; as it was made`;
  }).finally(bar.finish);
}

async function findingsOfDirectory(config: Config, isQuiet: boolean): Promise<Finding[]> {
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    const message = `${dataDir} does not exist yet; the first start makes it`;
    return [{ check: 'data directory', status: 'warning', message }];
  }
  const directory = await check('data directory', async () => checkDirectory(dataDir));
  try {
    refuseCutOff(dataDir);
    const running = await findOwner(dataDir);
    const server: Finding[] = running
      ? findingsOfOwner(running, Date.now())
      : [{ check: 'server', status: 'ok', message: 'not running' }];
    const stored = config.nodes === null ? await findingsOfStores(config, running !== null, isQuiet) : [];
    const oauth = await findingsOfOAuth(config, running?.owner.url ?? null);
    return [directory, ...server, ...stored, ...oauth];
  } catch (error) {
    return [directory, { check: 'files', status: 'failed', message: (error as Error).message }];
  }
}

/** Checks what is in files. Nodes that share everything have none. */
async function findingsOfStores(config: Config, isOwned: boolean, isQuiet: boolean): Promise<Finding[]> {
  const bar = showProgress(isQuiet ? 0 : sizeOfStores(config.dataDir));
  const files = await findingsOfFiles(config, isOwned, (bytes) => bar.update(bytes)).finally(bar.finish);
  const isSound = files.every(({ check, status }) => check !== 'state database' || status === 'ok');
  return [...files, ...(isSound ? await findingsOfStoredState(config) : [])];
}

function loadSqlite(): Promise<string> {
  return queryVersion('SELECT sqlite_version()');
}

async function loadVectors(): Promise<string> {
  const { load } = await import('sqlite-vec');
  return queryVersion('SELECT vec_version()', load);
}

async function queryVersion(sql: string, prepare: (database: Database) => void = () => undefined): Promise<string> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const database = new BetterSqlite3(':memory:');
  try {
    prepare(database);
    return String(database.prepare(sql).pluck().get());
  } finally {
    database.close();
  }
}

async function loadDuckdb(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return version();
}

function checkDirectory(path: string): string {
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  refuseOpenToOthers(path, statSync(path).mode, '700');
  return path;
}
