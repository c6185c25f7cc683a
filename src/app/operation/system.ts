import { withTimeout } from '../../core/base/concurrency/timers.ts';
import { PROGRAM } from '../../core/base/shared/program.ts';
import { formatUtc } from '../../core/base/time/time.ts';
import type { CheckFinding, SystemFacts } from '../../core/operation/system.ts';
import type { FileSettings } from '../../doctor/files.ts';
import type { Finding } from '../../doctor/findings.ts';
import type { RunningOwner } from '../../doctor/owner.ts';
import { recentLinesOf } from '../../logging/log.ts';
import type { Exposition } from '../../metrics/exposition.ts';
import { siblingModule } from '../../threads/call-thread.ts';
import { ThreadPool } from '../../threads/thread-pool.ts';
import type { OpenStores } from '../open-stores.ts';

const VERSION_MS = 3_000;
const IDLE_MS = 1_000;
/** In place of the command's remedy: the server reads the variables itself. */
const SET_HERE = 'Set it in the environment of the server, and start it again';

type SystemSources = Pick<OpenStores, 'config' | 'log' | 'postgres' | 'runner'>;

export async function systemFacts({ config, log, postgres, runner }: SystemSources): Promise<SystemFacts> {
  const { memory, nodes, dataDir, logLevel } = config;
  const [databases, alive] = await Promise.all([
    nodes === null ? versionsOfFiles() : versionsOfNodes(postgres!.pool, nodes.clickhouseUrl),
    postgres && import('../../storage/state/postgres/nodes.ts').then(({ aliveNodes }) => aliveNodes(postgres.pool)),
  ]);
  return {
    versions: [
      { name: PROGRAM.name, version: PROGRAM.version },
      { name: 'Node.js', version: process.versions.node },
      ...databases,
    ],
    startedAt: formatUtc(Date.now() - process.uptime() * 1_000),
    data: { kind: nodes === null ? 'files' : 'nodes', directory: dataDir },
    memory: { limitBytes: Math.round(memory.bytes), limitedBy: memory.limitedBy, usedBytes: memory.used() },
    nodes:
      alive?.map(({ id, seenAt, tasks }) => ({ id, isThis: id === runner.id, seenAt: formatUtc(seenAt), tasks })) ??
      null,
    logLevel,
    recentErrors: recentLinesOf(log),
  };
}

type Versions = SystemFacts['versions'];

async function versionsOfFiles(): Promise<Versions> {
  const { sqliteVersion, duckdbVersion } = await import('../../doctor/modules.ts');
  return [
    { name: 'SQLite', version: await orNull(sqliteVersion()) },
    { name: 'DuckDB', version: await orNull(duckdbVersion()) },
  ];
}

async function versionsOfNodes(
  pool: NonNullable<SystemSources['postgres']>['pool'],
  clickhouseUrl: string,
): Promise<Versions> {
  const { postgresVersion } = await import('../../storage/state/postgres/nodes.ts');
  const [postgres, clickhouse] = await Promise.all([
    orNull(postgresVersion(pool)),
    orNull(clickhouseVersion(clickhouseUrl)),
  ]);
  return [
    { name: 'PostgreSQL', version: postgres },
    { name: 'ClickHouse', version: clickhouse },
  ];
}

async function clickhouseVersion(url: string): Promise<string> {
  const { ClickhouseExamination } = await import('../../storage/events/clickhouse/examine.ts');
  const examination = await ClickhouseExamination.open(url);
  try {
    return (await examination.server()).version;
  } finally {
    await examination.close();
  }
}

/** A database that is away must not hide the other facts. */
function orNull(version: Promise<string>): Promise<string | null> {
  return withTimeout(
    version.catch(() => null),
    VERSION_MS,
    () => null,
  );
}

interface OwnDoctorParts {
  config: OpenStores['config'];
  /** Throws when requests cannot be served. */
  ready(): Promise<unknown>;
  expose(): Promise<Exposition>;
}

/** The checks of the command `doctor`, of a server by itself. Files are read in a thread. */
export class OwnDoctor {
  private readonly parts: OwnDoctorParts;
  private readonly threads = new ThreadPool<FileSettings, Finding[]>({
    entry: siblingModule(import.meta.url, '../../doctor/files-entry'),
    maxThreads: 1,
    idleMs: IDLE_MS,
  });

  constructor(parts: OwnDoctorParts) {
    this.parts = parts;
  }

  async examine(signal: AbortSignal): Promise<CheckFinding[]> {
    const { config } = this.parts;
    const { findingsOfInstallation } = await import('../../doctor/installation.ts');
    const { CHECK_ENVIRONMENT } = await import('../../doctor/findings.ts');
    const { dataDir, secretKey } = config;
    const findings = await findingsOfInstallation(config, {
      findRunning: () => this.running(),
      files: () => this.threads.run({ dataDir, secretKey }, signal),
    });
    return findings.map(({ check, status, message }) => ({
      check,
      status,
      message: message.replace(CHECK_ENVIRONMENT, SET_HERE),
    }));
  }

  close(): Promise<void> {
    return this.threads.close();
  }

  /** As others see this server over its socket; without one, as it sees itself. */
  private async running(): Promise<RunningOwner> {
    const { findOwner, runningOwner } = await import('../../doctor/owner.ts');
    const found = await findOwner(this.parts.config.dataDir);
    if (found?.owner.pid === process.pid) return found;
    const [ready, exposed] = await Promise.all([
      this.parts.ready().then(
        () => true,
        () => false,
      ),
      this.parts.expose().catch(() => null),
    ]);
    return runningOwner({ command: 'serve', pid: process.pid }, ready, exposed?.text ?? null);
  }
}
