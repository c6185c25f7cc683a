import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { invalid } from '../core/base/shared/errors.ts';
import { formatBytes } from '../core/base/shared/text.ts';
import type { EventsFound } from '../storage/events/duckdb/upkeep/examine.ts';
import { syncDirectory } from '../storage/installation/disk.ts';
import { Installation } from '../storage/installation/installation.ts';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  QUARANTINE_FILE,
  SECRET_FILE,
  SECRET_FILES,
  SPOOL_FILE,
  STATE_FILE,
  STORES,
  UPLOADS_DIRECTORY,
} from '../storage/installation/names.ts';
import { InstallationSecret } from '../storage/installation/secret-key.ts';
import { refuseAsUploads } from '../storage/uploads/files.ts';
import { check, checkSilently, type Finding, formatCount, refuseOpenToOthers } from './findings.ts';
import { findingOfQuarantine } from './owner.ts';
import { installationOf, type OnRead, StoreReader, sizeOf } from './stores.ts';

const LOW_DISK_BYTES = 1024 ** 3;
const FULL_DISK_BYTES = 64 * 1024 ** 2;
/** Fewer events do not predict the size of the next ones. */
const REPRESENTATIVE_EVENTS = 1_000;

export interface FileSettings {
  dataDir: string;
  secretKey?: string | undefined;
}

/** Changes nothing. An owner locks the event database. */
export async function findingsOfFiles(
  settings: FileSettings,
  isOwned: boolean,
  onRead: OnRead = () => undefined,
): Promise<Finding[]> {
  const { dataDir } = settings;
  const { installation, finding: ofInstallation } = await installationOf(dataDir);
  const stores = new StoreReader(dataDir, installation, onRead);
  const { spool, finding: ofSpool } = await stores.spool();
  const ofState = await stores.state(spool);
  const events = isOwned ? null : await stores.events(spool);
  // The first ingestion creates the file.
  const hasKnowledge = existsSync(join(dataDir, KNOWLEDGE_FILE)) || installation?.listed.includes(KNOWLEDGE_FILE);
  return [
    ofInstallation,
    ofState,
    ofSpool,
    ...(events === null ? await stores.openEvents() : [events.finding]),
    ...(hasKnowledge ? await stores.knowledge() : []),
    ...(await checkSilently('uploads', () => refuseAsUploads(join(dataDir, UPLOADS_DIRECTORY)))),
    await quarantineOf(dataDir),
    ...(await secretOf(settings, installation)),
    ...leftovers(dataDir),
    diskOf(dataDir, events?.found ?? null),
  ];
}

async function quarantineOf(dataDir: string): Promise<Finding> {
  const path = join(dataDir, QUARANTINE_FILE);
  if (!existsSync(path)) return findingOfQuarantine(path, 0);
  let lines = 0;
  let broken = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line === '') continue;
      lines += 1;
      if (!isJson(line)) broken += 1;
    }
  } catch (error) {
    return { check: 'quarantine', status: 'failed', message: `${path} cannot be read: ${(error as Error).message}` };
  }
  if (broken === 0) return findingOfQuarantine(path, lines);
  return {
    check: 'quarantine',
    status: 'warning',
    message: `${path} has ${formatCount(broken)} lines of ${formatCount(lines)} that are not JSON: the next erasure leaves them out. Correct them with the server stopped if you need them`,
  };
}

async function secretOf({ dataDir, secretKey }: FileSettings, installation: Installation | null): Promise<Finding[]> {
  const path = join(dataDir, SECRET_FILE);
  const isListed = secretKey === undefined && installation?.listed.includes(SECRET_FILE) === true;
  if (!existsSync(path) && !isListed) return [];
  const finding = await check('secret key', async () => {
    if (isListed) installation.refuseLossOf(SECRET_FILE);
    new InstallationSecret({ dataDir }).check();
    refuseOpenToOthers(path, statSync(path).mode, '600');
    return 'there, and for this user alone';
  });
  return [finding];
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function leftovers(dataDir: string): Finding[] {
  const names = readdirSync(dataDir);
  const before = names.filter((name) => name.startsWith('before-restore-')).join(', ');
  const lost = names.filter((name) => name.startsWith(SET_ASIDE)).join(', ');
  const messages = [
    names.includes('restore-ready') && `a restore of ${dataDir} was cut off: start \`serve\`, which finishes it`,
    names.includes('restore-staging') &&
      `restore-staging in ${dataDir} is left over from a restore that was given up; the next one clears it`,
    before && `${before} in ${dataDir}: the files from before a restore; delete them once all is well`,
    lost && `${lost} in ${dataDir}: files whose loss was accepted; delete them once all is well`,
  ];
  return messages.flatMap((message): Finding[] => (message ? [{ check: 'restore', status: 'warning', message }] : []));
}

function diskOf(dataDir: string, events: EventsFound | null): Finding {
  const sizes = [STATE_FILE, SPOOL_FILE, EVENTS_FILE, QUARANTINE_FILE].map((name) => ({
    name,
    bytes: sizeOf(dataDir, name, `${name}-wal`, ...(name === EVENTS_FILE ? [EVENTS_LOG_FILE] : [])),
  }));
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const used = sizes.filter(({ bytes }) => bytes > 0).map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`);
  const message = `${[...used, `${formatBytes(free)} free`].join(', ')}${estimate(sizes, free, events)}`;
  if (free < FULL_DISK_BYTES)
    return { check: 'disk', status: 'failed', message: `${message}: make room, events are refused soon` };
  return { check: 'disk', status: free < LOW_DISK_BYTES ? 'warning' : 'ok', message };
}

/** Half of the free space counts: compaction needs the rest. */
function estimate(sizes: { name: string; bytes: number }[], free: number, events: EventsFound | null): string {
  const bytes = sizes.find(({ name }) => name === EVENTS_FILE)?.bytes ?? 0;
  if (events && events.events >= REPRESENTATIVE_EVENTS) {
    return ` (room for about ${formatCount(Number((free / 2 / (bytes / events.events)).toPrecision(1)))} more events like those here)`;
  }
  const total = sizes.reduce((sum, one) => sum + one.bytes, 0);
  return total === 0
    ? ''
    : ` (room for about ${formatCount(Number((free / 2 / total).toPrecision(1)))} times what is here)`;
}

export const SET_ASIDE = 'set-aside-';

const ACCEPTED: readonly string[] = [...STORES, EVENTS_LOG_FILE, ...SECRET_FILES, INSTALLATION_FILE];

/** Returns the directory that the remains are moved to, if any. For the owner only. */
export function acceptLoss(dataDir: string, name: string, now: number): string | null {
  if (!ACCEPTED.includes(name)) throw invalid(`--accept-loss: must be one of ${ACCEPTED.join(', ')}`);
  const left = readdirSync(dataDir).filter((file) => belongsTo(file, name));
  const movedTo = join(dataDir, `${SET_ASIDE}${new Date(now).toISOString().replaceAll(':', '')}`);
  if (left.length > 0) {
    mkdirSync(movedTo, { recursive: true, mode: 0o700 });
    for (const file of left) renameSync(join(dataDir, file), join(movedTo, file));
    for (const directory of [movedTo, dataDir]) syncDirectory(directory);
  }
  // After a crash before this line, the loss can be accepted again.
  if (name === INSTALLATION_FILE) Installation.rebuild(dataDir);
  else Installation.find(dataDir)?.writeOff(name);
  return left.length > 0 ? movedTo : null;
}

function belongsTo(file: string, name: string): boolean {
  if (file === name) return true;
  return (file.startsWith(`${name}-`) || file.startsWith(`${name}.`)) && !file.endsWith('.lock');
}
