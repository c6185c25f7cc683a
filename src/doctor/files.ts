import { createReadStream, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OWNER_LOCK } from '../ownership/ownership.ts';
import {
  type EventsFound,
  examineEvents,
  examineSpool,
  isMidCheckpoint,
  isUsed,
  type SpoolFound,
} from '../storage/duckdb/examine.ts';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  KNOWLEDGE_FILE,
  QUARANTINE_FILE,
  SECRET_FILE,
  SPOOL_FILE,
  STATE_FILE,
} from '../storage/files.ts';
import { examineKnowledge } from '../storage/knowledge/examine.ts';
import { InstallationSecret } from '../storage/secret-key.ts';
import { examineState } from '../storage/sqlite/examine-state.ts';
import { FileLock } from '../storage/sqlite/lock.ts';
import { counted, formatBytes } from '../text.ts';
import { check, type Finding, formatCount } from './findings.ts';
import { findingOfQuarantine } from './owner.ts';

const LOW_DISK_BYTES = 1024 ** 3;
const FULL_DISK_BYTES = 64 * 1024 ** 2;
/** Below so many events, their size says nothing of the next ones. */
const TELLING_EVENTS = 1_000;

/** Looks at every stored file without changing one. Who has the directory open meanwhile keeps the events to itself. */
export async function findingsOfFiles(dataDir: string, isOwned: boolean): Promise<Finding[]> {
  const { spool, finding } = await spoolOf(dataDir);
  const state = await stateOf(dataDir, spool);
  const events = isOwned ? null : await eventsOf(dataDir, spool);
  return [
    state,
    finding,
    ...(events === null ? [] : [events.finding]),
    ...(await knowledgeOf(dataDir)),
    await quarantineOf(dataDir),
    ...(await secretOf(dataDir)),
    ...leftovers(dataDir),
    diskOf(dataDir, events?.found ?? null),
  ];
}

/** Nothing where nothing was ever ingested. */
async function knowledgeOf(dataDir: string): Promise<Finding[]> {
  if (!existsSync(join(dataDir, KNOWLEDGE_FILE))) return [];
  const finding = await check('knowledge', async () => {
    const found = await examineKnowledge(dataDir, { thorough: true });
    if (!found) return 'empty';
    const { stores, documents, unfinished } = found;
    return `${counted(stores, 'vector store')}, ${counted(documents, 'document')}, ${counted(unfinished, 'unfinished job')}`;
  });
  return [finding];
}

async function stateOf(dataDir: string, spool: SpoolFound | null): Promise<Finding> {
  const mustHoldSomething = () => isUsed(spool);
  if (!existsSync(join(dataDir, STATE_FILE)) && isUsed(spool)) {
    const message = `${STATE_FILE} is missing, though events were accepted here: a start makes new tenants and keys, which do not see these events. Restore a backup, or put ${STATE_FILE} back`;
    return { check: 'state database', status: 'failed', message };
  }
  return check('state database', async () => {
    const found = await examineState(dataDir, { thorough: true, mustHoldSomething });
    return found ? `${counted(found.tenants, 'tenant')}, ${counted(found.keys, 'valid key')}` : 'not made yet';
  });
}

async function spoolOf(dataDir: string): Promise<{ spool: SpoolFound | null; finding: Finding }> {
  let spool: SpoolFound | null = null;
  const finding = await check('spool', async () => {
    spool = await examineSpool(dataDir, { thorough: true });
    return spool ? `${formatCount(spool.batches)} batches wait to become queryable` : 'not made yet';
  });
  return { spool, finding };
}

/** Nobody may open the file while it is read: the owner's lock is held, and who starts meanwhile waits for it. */
async function eventsOf(
  dataDir: string,
  spool: SpoolFound | null,
): Promise<{ found: EventsFound | null; finding: Finding }> {
  let found: EventsFound | null = null;
  const finding = await check('event database', async () => {
    const lock = new FileLock(join(dataDir, OWNER_LOCK));
    try {
      if (!lock.tryAcquire()) return 'is being opened by another process; not looked at';
      if (isMidCheckpoint(dataDir)) return 'a checkpoint was cut off; the next start finishes it';
      found = await examineEvents(dataDir, spool, { thorough: true });
      return found ? `${formatCount(found.events)} events, schema ${found.version}` : 'not made yet';
    } finally {
      lock.close();
    }
  });
  return { found, finding };
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
    message: `${path} has ${formatCount(broken)} lines of ${formatCount(lines)} that are not JSON: the next erasure leaves them out. Mend them with the server stopped if they are wanted`,
  };
}

/** Made when somebody first logs in; until then there is nothing to look at. */
async function secretOf(dataDir: string): Promise<Finding[]> {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) return [];
  const finding = await check('secret key', async () => {
    new InstallationSecret({ dataDir }).check();
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) === 0 || process.platform === 'win32') return 'there, and for this user alone';
    throw new Error(`${path} is open to other users (mode ${mode.toString(8)}); run chmod 600 ${path}`);
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

/** What a restore makes on its way. */
function leftovers(dataDir: string): Finding[] {
  const names = readdirSync(dataDir);
  const kept = names.filter((name) => name.startsWith('before-restore-'));
  const warning = (message: string): Finding => ({ check: 'restore', status: 'warning', message });
  return [
    ...(names.includes('restore-ready')
      ? [warning(`a restore of ${dataDir} was cut off: start \`serve\`, which finishes it`)]
      : []),
    ...(names.includes('restore-staging')
      ? [warning(`restore-staging in ${dataDir} is left over from a restore that was given up; the next one clears it`)]
      : []),
    ...(kept.length > 0
      ? [warning(`${kept.join(', ')} in ${dataDir}: the files from before a restore; delete them once all is well`)]
      : []),
  ];
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

/** For how much more there is room. Compaction needs room of its own, so half of what is free counts. */
function estimate(sizes: { name: string; bytes: number }[], free: number, events: EventsFound | null): string {
  const bytes = sizes.find(({ name }) => name === EVENTS_FILE)?.bytes ?? 0;
  if (events && events.events >= TELLING_EVENTS) {
    return ` (room for about ${formatCount(Number((free / 2 / (bytes / events.events)).toPrecision(1)))} more events like those here)`;
  }
  const total = sizes.reduce((sum, one) => sum + one.bytes, 0);
  return total === 0
    ? ''
    : ` (room for about ${formatCount(Number((free / 2 / total).toPrecision(1)))} times what is here)`;
}

function sizeOf(dataDir: string, ...names: string[]): number {
  return names.reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
