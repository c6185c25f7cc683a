import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { invalid } from '../../core/base/shared/errors.ts';
import { PROGRAM } from '../../core/base/shared/program.ts';
import { type Host, succeeded } from './host.ts';
import { type ServiceSettings, SYSTEM_DATA_DIR, SYSTEM_ENVIRONMENT_FILE, systemdUnit } from './unit.ts';

const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', '/var/folders', '/private/var/folders'];
const HOMES = ['/home', '/root', '/run/user'];

/** The service would not start once the file is gone. */
export function refuseTemporaryProgram(paths: readonly string[], temporaryDirectory: string): void {
  for (const path of paths) {
    const isCache = path === 'npx' || path.split(/[\\/]/).includes('_npx');
    if (!isCache && !isBelow(path, temporaryDirectory) && !isTemporary(path)) continue;
    const place = isCache ? 'the cache of npx' : 'a directory for temporary files';
    throw invalid(
      `${path} is in ${place} and will not stay there. Install the program first, in /usr/local/bin or with npm install -g for example.`,
    );
  }
}

export function isTemporary(path: string): boolean {
  return TEMPORARY.some((directory) => isBelow(path, directory));
}

export function isInHome(path: string): boolean {
  return HOMES.some((directory) => isBelow(path, directory));
}

/** Checks owner and others, not groups. `uid` is null for a user that owns nothing. */
export function refuseUnreachable(path: string, uid: number | null): void {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const stats = statSync(directory, { throwIfNoEntry: false });
    const needed = stats?.uid === uid ? 0o100 : 0o001;
    if (stats && (stats.mode & needed) === 0) {
      throw invalid(
        `${path}: the user of the service could not enter ${directory}. Install the program where everyone may read it, in /usr/local or /opt for example; or install the service without root, for one user.`,
      );
    }
    if (directory === dirname(directory)) return;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}

const UNIT = `${PROGRAM.name}.service`;
const CONTAINER = 'In a container, make `agent-runtime serve` its entry point';
const SHOWN = ['ActiveState', 'SubState', 'ActiveEnterTimestamp', 'MainPID'];

export type ServiceManager = ReturnType<typeof systemd>;
export type ServiceState = Awaited<ReturnType<ServiceManager['state']>>;

/**
 * User units run without root, as the user; system units as a user of their own. Commands that fail
 * throw with what they said.
 */
export function systemd(host: Host, scope: 'user' | 'system') {
  const isSystem = scope === 'system';
  const reach = isSystem ? [] : ['--user'];
  const ask = (...args: string[]) => host.run('systemctl', [...reach, ...args]);
  const tell = async (...args: string[]) => succeeded(await ask(...args), ['systemctl', ...reach, ...args]);
  const configuration = host.variable('XDG_CONFIG_HOME') ?? join(host.home, '.config');
  const dataHome = host.variable('XDG_DATA_HOME') ?? join(host.home, '.local/share');
  const environmentFile = isSystem ? SYSTEM_ENVIRONMENT_FILE : join(configuration, PROGRAM.name, 'environment');
  return {
    file: isSystem ? `/etc/systemd/system/${UNIT}` : join(configuration, 'systemd/user', UNIT),
    environmentFile,
    defaultDataDir: isSystem ? SYSTEM_DATA_DIR : join(dataHome, PROGRAM.name),
    /** The unit. Throws `invalid` where a service of these settings could not work. */
    define: (settings: ServiceSettings) => {
      const { command, args } = host.program;
      const user = isSystem ? userFor(settings, host.program) : null;
      return systemdUnit({
        scope,
        command: [command, ...args],
        settings,
        environmentFile,
        user: user === null ? null : String(user),
        usesHome: [command, ...args, settings.dataDir].some(isInHome),
      });
    },
    /** Throws when there is no service manager. */
    check: async () => {
      const { code, stdout, stderr } = await ask('is-system-running');
      const state = stdout.trim();
      if (code === 127) throw new Error(`There is no systemctl here. ${CONTAINER}.`);
      if (state !== '' && state !== 'offline' && state !== 'unknown') return;
      const advice = isSystem ? '' : ' Log in as the user itself (not with su), or use --system as root.';
      const said = stderr.trim() || `systemctl says "${state}"`;
      throw new Error(
        `No systemd runs here for ${isSystem ? 'the system' : 'this user'}: ${said}.${advice} ${CONTAINER}.`,
      );
    },
    /** Reads the file again, starts the service now and at each start of the machine or session. */
    start: async () => {
      await tell('daemon-reload');
      await tell('enable', UNIT);
      await tell('restart', UNIT);
    },
    state: async () => {
      const { stdout } = await tell('show', UNIT, `--property=${SHOWN.join(',')}`, '--timestamp=utc');
      const values = new Map([...stdout.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value!]));
      const active = values.get('ActiveState') ?? 'unknown';
      // "Mon 2026-11-23 18:25:55 UTC", or nothing.
      const since = Date.parse(values.get('ActiveEnterTimestamp')?.replace(/^\w+ /, '') ?? '');
      return {
        isActive: active === 'active',
        state: `${active} (${values.get('SubState') ?? 'unknown'})`,
        since: active === 'active' && since > 0 ? new Date(since).toISOString() : null,
        pid: Number(values.get('MainPID') ?? 0) || null,
      };
    },
    logs: ({ follow, lines }: { follow: boolean; lines: number }) => {
      const unit = isSystem ? `--unit=${UNIT}` : `--user-unit=${UNIT}`;
      return host.attach('journalctl', [unit, `--lines=${lines}`, '--output=cat', ...(follow ? ['--follow'] : [])]);
    },
    stop: async () => {
      await tell('disable', '--now', UNIT);
    },
    /** After the file was removed. */
    forget: async () => {
      await tell('daemon-reload');
      await ask('reset-failed', UNIT);
    },
    /** Lines for the user after an installation. */
    notes: async (): Promise<string[]> => {
      if (isSystem) return [];
      const { stdout } = await host.run('loginctl', ['show-user', host.user, '--property=Linger', '--value']);
      if (stdout.trim() === 'yes') return [];
      return [`It ends when you log out. To keep it running: loginctl enable-linger ${host.user}`];
    },
  };
}

/**
 * Null for a dynamic user, whom systemd gives the default directory to. Otherwise the owner of the
 * directory.
 */
function userFor({ dataDir }: ServiceSettings, { command, args }: Host['program']): number | null {
  if (isTemporary(dataDir)) throw invalid(`${dataDir}: a system service has its own directories for temporary files.`);
  const owner = dataDir === SYSTEM_DATA_DIR ? null : ownerOf(dataDir);
  for (const path of [command, ...args]) refuseUnreachable(path, owner);
  if (owner !== null) refuseUnreachable(dataDir, owner);
  return owner;
}

/** Never root. */
function ownerOf(dataDir: string): number {
  const uid = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (uid !== 0) return uid;
  throw invalid(
    `${dataDir}: a system service runs as the owner of its data directory. Create it for a user other than root (install -d -m 700 -o USER ${dataDir}), or leave --data-dir out to use ${SYSTEM_DATA_DIR}.`,
  );
}
