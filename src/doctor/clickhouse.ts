import { counted, formatBytes } from '../core/base/shared/text.ts';
import type {
  ClickhouseExamination,
  DiskFound,
  MutationsFound,
  PartsFound,
  ServerFound,
  SpoolFound,
} from '../storage/events/clickhouse/examine.ts';
import { isSupported, OLDEST_VERSION } from '../storage/events/clickhouse/schema.ts';
import { check, type Finding, formatCount } from './findings.ts';
import { clockOf } from './postgres.ts';

/** Erasures rewrite parts: of terabytes in minutes. */
const LONG_MUTATION_S = 3_600;
/** A share of the number of parts from which on the engine delays inserts. */
const MANY_PARTS = 0.5;
const LOW_DISK = 0.1;
const FULL_DISK_BYTES = 1024 ** 3;
const DURABLE = ['fsync_after_insert', 'fsync_part_directory'];
/** Retries of a flush that took longer are known all the same: PostgreSQL has its id. */
const SHORT_WINDOW = 1_000;

/** Checks the server of AGENT_RUNTIME_CLICKHOUSE_URL. Changes nothing. */
export async function findingsOfClickhouse(url: string): Promise<Finding[]> {
  const { ClickhouseExamination } = await import('../storage/events/clickhouse/examine.ts');
  const examination = await ClickhouseExamination.open(url);
  try {
    let server: ServerFound | undefined;
    const reached = await check('ClickHouse', async () => {
      server = await examination.server();
      return serverOf(server);
    });
    if (!server || reached.status === 'failed') return [reached];
    return [
      reached,
      clockOf('ClickHouse clock', server.clockAheadMs),
      await reported('ClickHouse rights', async () => rightsOf(await examination.missingRights())),
      ...(await tableOf(examination)),
      await reported('ClickHouse inserts', async () => insertsOf(await examination.maxInsertThreads())),
      await reported('ClickHouse parts', async () => partsOf(await examination.parts())),
      await reported('ClickHouse mutations', async () => mutationsOf(await examination.mutations())),
      ...(await disksOf(examination)),
    ];
  } finally {
    await examination.close();
  }
}

type Said = Omit<Finding, 'check'>;

/** An examination that is not allowed gives a warning: events may work all the same. */
async function reported(name: string, examine: () => Promise<Said>): Promise<Finding> {
  try {
    return { check: name, ...(await examine()) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { check: name, status: 'warning', message: `cannot be read: ${reason}` };
  }
}

function serverOf({ version }: ServerFound): string {
  if (isSupported(version)) return `version ${version}`;
  throw new Error(`version ${version}; it must be ${OLDEST_VERSION} or newer`);
}

function rightsOf(missing: string[]): Said {
  if (missing.length === 0) return { status: 'ok', message: 'the user may do what the nodes do' };
  return { status: 'failed', message: `the user may not ${missing.join(', ')}: GRANT it on the database` };
}

async function tableOf(examination: ClickhouseExamination): Promise<Finding[]> {
  let settings: Map<string, string> | null = null;
  const table = await reported('ClickHouse table', async () => {
    settings = await examination.tableSettings();
    if (settings === null)
      return { status: 'warning', message: 'no table of events yet; the next start of a node makes it' };
    return { status: 'ok', message: `events, ${settings.get('engine')}` };
  });
  if (settings === null) return [table];
  return [table, durabilityOf(settings), deduplicationOf(settings)];
}

function durabilityOf(settings: Map<string, string>): Finding {
  const check = 'ClickHouse durability';
  const off = DURABLE.filter((name) => settings.get(name) !== '1');
  if (off.length === 0) return { check, status: 'ok', message: 'inserts survive a power failure' };
  const remedy = `ALTER TABLE events MODIFY SETTING ${off.map((name) => `${name} = 1`).join(', ')}`;
  const message = `${off.join(' and ')} off: a power failure loses events that have left PostgreSQL; ${remedy}`;
  return { check, status: 'failed', message };
}

function deduplicationOf(settings: Map<string, string>): Finding {
  const check = 'ClickHouse deduplication';
  const kind = settings.get('engine')?.startsWith('Replicated') ? 'replicated' : 'non_replicated';
  const name = `${kind}_deduplication_window`;
  const window = Number(settings.get(name) ?? 0);
  if (window >= SHORT_WINDOW) return { check, status: 'ok', message: `of the last ${formatCount(window)} inserts` };
  const remedy = `ALTER TABLE events MODIFY SETTING ${name} = 10000`;
  return {
    check,
    status: 'failed',
    message: `${name} is ${window}: a repeated insert may store events twice; ${remedy}`,
  };
}

function insertsOf(threads: string | null): Said {
  if (threads === null || threads === '0' || threads === '1') return { status: 'ok', message: 'one thread, one part' };
  const message = `max_insert_threads is ${threads}: set it to 1 in the profile of the user, so that a flush is one part`;
  return { status: 'warning', message };
}

function partsOf({ parts, rows, bytes, most, delayAt }: PartsFound): Said {
  const message = `${formatCount(parts)} active, ${formatCount(rows)} events, ${formatBytes(bytes)}`;
  if (most < delayAt * MANY_PARTS) return { status: 'ok', message };
  const remedy = 'merges do not keep up: see background_pool_size, the disk, and system.merges';
  const limit = `${formatCount(most)} of a partition, where inserts are delayed from ${formatCount(delayAt)} on`;
  return { status: most < delayAt ? 'warning' : 'failed', message: `${message}; ${limit}: ${remedy}` };
}

export function mutationsOf({ count, oldestSeconds, failure }: MutationsFound): Said {
  if (count === 0) return { status: 'ok', message: 'none waits' };
  const message = `${formatCount(count)} not done, the oldest since ${formatCount(oldestSeconds)} s`;
  if (failure !== null) {
    return {
      status: 'failed',
      message: `${message}: ${failure}. Erasures and retention wait for it; see system.mutations`,
    };
  }
  if (oldestSeconds < LONG_MUTATION_S) return { status: 'ok', message };
  const setting = 'number_of_free_entries_in_pool_to_execute_mutation';
  return {
    status: 'warning',
    message: `${message}: erasures and retention wait for it. ${setting} must be less than background_pool_size has room for`,
  };
}

async function disksOf(examination: ClickhouseExamination): Promise<Finding[]> {
  try {
    return (await examination.disks()).map(diskOf);
  } catch (error) {
    return [await reported('ClickHouse disk', () => Promise.reject(error))];
  }
}

function diskOf({ name, freeBytes, totalBytes }: DiskFound): Finding {
  const check = 'ClickHouse disk';
  const message = `${name}: ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free`;
  if (freeBytes < FULL_DISK_BYTES)
    return { check, status: 'failed', message: `${message}: make room, inserts fail soon` };
  return { check, status: freeBytes < totalBytes * LOW_DISK ? 'warning' : 'ok', message };
}

const BACKLOG_OLD_AFTER_MS = 60_000;
const STUCK_MS = 600_000;
const LONG_BACKLOG = 0.5;

/**
 * Checks the events that PostgreSQL has accepted and ClickHouse does not have yet. `limitBytes`
 * bounds the backlog.
 */
export async function findingsOfEventSpool(databaseUrl: string, limitBytes: number): Promise<Finding[]> {
  const { examineEventSpool } = await import('../storage/events/clickhouse/examine.ts');
  try {
    const found = await examineEventSpool(databaseUrl);
    return [spoolOf(found, limitBytes), quarantineOf(found)];
  } catch (error) {
    return [await check('events that wait', () => Promise.reject(error))];
  }
}

export function spoolOf({ batches, bytes, ageMs, isMoved }: SpoolFound, limitBytes: number): Finding {
  const check = 'events that wait';
  if (batches === 0) return { check, status: 'ok', message: 'none: all that was accepted is visible' };
  const size = `${counted(batches, 'batch', 'batches')}, ${formatBytes(bytes)} of at most ${formatBytes(limitBytes)}`;
  const message = `${size}, the oldest for ${formatCount(ageMs / 1_000)} s`;
  if (ageMs < BACKLOG_OLD_AFTER_MS && bytes < limitBytes * LONG_BACKLOG) return { check, status: 'ok', message };
  const remedy = isMoved
    ? 'the node that moves them says in its log why; see also the checks of ClickHouse'
    : 'no node moves them: start one, or see the logs of those that run';
  const status = ageMs >= STUCK_MS || bytes >= limitBytes ? 'failed' : 'warning';
  return { check, status, message: `${message}: accepted and not visible yet; ${remedy}` };
}

export function quarantineOf({ quarantined }: Pick<SpoolFound, 'quarantined'>): Finding {
  if (quarantined === 0) return { check: 'quarantine', status: 'ok', message: 'empty' };
  return {
    check: 'quarantine',
    status: 'warning',
    message: `${counted(quarantined, 'event')} that ClickHouse refused ${quarantined === 1 ? 'is' : 'are'} in the table event_quarantine of PostgreSQL, each with its reason. Send them again when corrected, with other ids or none, then delete the rows. See "Quarantine" in docs/operation.md`,
  };
}
