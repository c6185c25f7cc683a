import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { refuseCutOff } from '../backup/replace.ts';
import type { CertificateFiles } from '../storage/installation/certificate.ts';
import type { FileSettings } from './files.ts';
import { check, type Finding, refuseOpenToOthers } from './findings.ts';
import { duckdbVersion, sqliteVectorsVersion, sqliteVersion } from './modules.ts';
import { findingsOfNodes, findingsOfStoredState, type NodeSettings } from './nodes.ts';
import { findingsOfOAuth } from './oauth.ts';
import { findingsOfOwner, type RunningOwner } from './owner.ts';
import { findingOfKeys } from './providers.ts';
import { findingsOfCertificate, findingsOfMail, findingsOfProxies } from './settings.ts';

type DoctorSettings = NodeSettings &
  FileSettings &
  CertificateFiles &
  Parameters<typeof findingsOfProxies>[0] &
  Parameters<typeof findingsOfMail>[0] &
  Parameters<typeof findingsOfOAuth>[0];

export interface DoctorMeans {
  /** The process that has the data directory open; null: none. */
  findRunning(): Promise<RunningOwner | null>;
  /** The checks of the files, which read all of them: see `findingsOfFiles`. */
  files(isOwned: boolean): Promise<Finding[]>;
}

/** All checks of `doctor`, for the command and for a server that checks itself. Changes nothing. */
export async function findingsOfInstallation(settings: DoctorSettings, means: DoctorMeans): Promise<Finding[]> {
  return [
    await check('Node.js', async () => process.version),
    await check('SQLite', sqliteVersion),
    await check('SQLite vectors', sqliteVectorsVersion),
    await check('DuckDB', duckdbVersion),
    findingOfKeys(settings.variable),
    ...findingsOfProxies(settings),
    ...findingsOfCertificate(settings, Date.now()),
    ...(await findingsOfMail(settings)),
    ...(await findingsOfNodes(settings)),
    ...(await findingsOfDirectory(settings, means)),
  ];
}

async function findingsOfDirectory(settings: DoctorSettings, means: DoctorMeans): Promise<Finding[]> {
  const { dataDir } = settings;
  if (!existsSync(dataDir)) {
    const message = `${dataDir} does not exist yet; the first start makes it`;
    return [{ check: 'data directory', status: 'warning', message }];
  }
  const directory = await check('data directory', async () => checkDirectory(dataDir));
  try {
    refuseCutOff(dataDir);
    const running = await means.findRunning();
    const server: Finding[] = running
      ? findingsOfOwner(running, Date.now())
      : [{ check: 'server', status: 'ok', message: 'not running' }];
    const stored = settings.nodes === null ? await findingsOfStores(settings, means, running !== null) : [];
    const oauth = await findingsOfOAuth(settings, running?.owner.url ?? null);
    return [directory, ...server, ...stored, ...oauth];
  } catch (error) {
    return [directory, { check: 'files', status: 'failed', message: (error as Error).message }];
  }
}

/** Checks what is in files. Nodes that share everything have none. */
async function findingsOfStores(settings: DoctorSettings, means: DoctorMeans, isOwned: boolean): Promise<Finding[]> {
  const files = await means.files(isOwned);
  const isSound = files.every(({ check, status }) => check !== 'state database' || status === 'ok');
  return [...files, ...(isSound ? await findingsOfStoredState(settings) : [])];
}

function checkDirectory(path: string): string {
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  refuseOpenToOthers(path, statSync(path).mode, '700');
  return path;
}
