import { invalid } from '../../core/base/shared/errors.ts';
import { PROGRAM } from '../../core/base/shared/program.ts';

export const SYSTEM_DATA_DIR = '/var/lib/agent-runtime';
export const SYSTEM_ENVIRONMENT_FILE = '/etc/agent-runtime/environment';

/** The settings that a service is started with. All paths are absolute. */
export interface ServiceSettings {
  dataDir: string;
  host: string;
  port: number;
}

export interface UnitOptions {
  scope: 'user' | 'system';
  /** The executable and its arguments. */
  command: [string, ...string[]];
  /** Null in the unit of a package: the settings are in the environment file. */
  settings: ServiceSettings | null;
  environmentFile: string;
  /** Runs a system service with a data directory of its own; null for a dynamic user. */
  user?: string | null;
  /** The program or the data lie in a home directory. */
  usesHome?: boolean;
}

type Setting = [name: string, value: string];

/** Needs neither privileges nor namespaces, so a user's service manager has it too. */
const HARDENING: Setting[] = [
  ['NoNewPrivileges', 'yes'],
  ['RestrictAddressFamilies', 'AF_INET AF_INET6 AF_UNIX'],
  ['RestrictNamespaces', 'yes'],
  ['RestrictRealtime', 'yes'],
  ['RestrictSUIDSGID', 'yes'],
  ['LockPersonality', 'yes'],
  ['SystemCallArchitectures', 'native'],
  ['SystemCallFilter', '@system-service'],
  ['SystemCallErrorNumber', 'EPERM'],
];

const SYSTEM_HARDENING: Setting[] = [
  ['ProtectSystem', 'strict'],
  ['PrivateTmp', 'yes'],
  ['PrivateDevices', 'yes'],
  ['ProtectKernelTunables', 'yes'],
  ['ProtectKernelModules', 'yes'],
  ['ProtectKernelLogs', 'yes'],
  ['ProtectControlGroups', 'yes'],
  ['ProtectClock', 'yes'],
  ['ProtectHostname', 'yes'],
  ['ProtectProc', 'invisible'],
  ['RemoveIPC', 'yes'],
];

export function systemdUnit(options: UnitOptions): string {
  const { scope, settings, environmentFile, command } = options;
  refuseControlCharacters(...command, environmentFile, settings?.dataDir ?? '', settings?.host ?? '');
  refuseQuotes(command[0], settings?.dataDir ?? '');
  const isSystem = scope === 'system';
  const network: Setting[] = [
    ['Wants', 'network-online.target'],
    ['After', 'network-online.target'],
  ];
  const sections: [string, Setting[]][] = [
    ['Unit', [['Description', 'Agent Runtime'], ...(isSystem ? network : [])]],
    ['Service', serviceOf(options)],
    ['Install', [['WantedBy', isSystem ? 'multi-user.target' : 'default.target']]],
  ];
  const edit = `systemctl ${isSystem ? '' : '--user '}edit ${PROGRAM.name}`;
  const head = settings
    ? `# Replaced by each \`agent-runtime service install\`. For changes: ${edit}\n# ${recordOf(settings)}\n`
    : `# For changes: ${edit}\n`;
  const body = sections.map(([name, lines]) => `[${name}]\n${lines.map((line) => line.join('=')).join('\n')}\n`);
  return `${head}\n${body.join('\n')}`;
}

function serviceOf({ scope, command, settings, environmentFile, user = null, usesHome }: UnitOptions): Setting[] {
  const dataDir = settings?.dataDir ?? SYSTEM_DATA_DIR;
  const isSystem = scope === 'system';
  const isDynamic = isSystem && user === null;
  const [executable, ...args] = command;
  return [
    ['Type', 'exec'],
    // Flags, because variables of the environment file would win over those of the unit.
    ['ExecStart', [quoted(executable), ...[...args, 'serve', ...flagsOf(settings)].map(quotedArgument)].join(' ')],
    // A missing directory is made by the program.
    ['WorkingDirectory', `${isDynamic ? '' : '-'}${escaped(dataDir)}`],
    ...(settings ? [] : [['Environment', quoted(`AGENT_RUNTIME_DATA_DIR=${dataDir}`)] satisfies Setting]),
    ['EnvironmentFile', `-${escaped(environmentFile)}`],
    ...(isDynamic ? dynamicUser() : []),
    ...(isSystem && user !== null ? staticUser(user, dataDir) : []),
    ['Restart', 'on-failure'],
    ['RestartSec', '2'],
    // The user must act first.
    ['RestartPreventExitStatus', '78'],
    // It drains for ten seconds.
    ['TimeoutStopSec', '30'],
    ['LimitNOFILE', '65536'],
    ['UMask', '0077'],
    // Never MemoryDenyWriteExecute: Node.js compiles code at run time.
    ...HARDENING,
    ...(isSystem ? systemHardening(settings?.port ?? 3000, usesHome === true) : []),
  ];
}

function flagsOf(settings: ServiceSettings | null): string[] {
  if (settings === null) return [];
  const { dataDir, host, port } = settings;
  return ['--data-dir', dataDir, '--host', host, '--port', String(port)];
}

/** For compiled code, and what the single executable unpacks. */
const CACHE: Setting[] = [
  ['CacheDirectory', PROGRAM.name],
  ['CacheDirectoryMode', '0700'],
];

function dynamicUser(): Setting[] {
  return [['DynamicUser', 'yes'], ['StateDirectory', PROGRAM.name], ['StateDirectoryMode', '0700'], ...CACHE];
}

function staticUser(user: string, dataDir: string): Setting[] {
  return [['User', escaped(user)], ['ReadWritePaths', quoted(dataDir)], ...CACHE];
}

function systemHardening(port: number, usesHome: boolean): Setting[] {
  const capability = port > 0 && port < 1_024 ? 'CAP_NET_BIND_SERVICE' : '';
  return [
    ...SYSTEM_HARDENING,
    ['ProtectHome', usesHome ? 'read-only' : 'yes'],
    ['CapabilityBoundingSet', capability],
    ['AmbientCapabilities', capability],
  ];
}

/** `%` begins a specifier in every value. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

/** One word of systemd.syntax(7). */
function quoted(text: string): string {
  const safe = escaped(text);
  return /^[\w%+,./:=@-]+$/.test(safe) ? safe : `"${safe.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** `$` begins a variable in the arguments of a command, but not in its path. */
function quotedArgument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

/** systemd takes none in the path of an executable, nor, in any quoting, in a list of paths. */
function refuseQuotes(...paths: string[]): void {
  for (const path of paths) {
    if (/["'\\]/.test(path)) throw invalid(`${path}: systemd allows no quotes and backslashes in this path.`);
  }
}

const RECORD = /agent-runtime-service: (\{.*\})$/m;

/** A comment of the definition, from which later commands learn the settings. */
function recordOf({ dataDir, host, port }: ServiceSettings): string {
  return `agent-runtime-service: ${JSON.stringify({ dataDir, host, port })}`;
}

/** Null for a file that this program did not write. */
export function recordedSettings(definition: string): ServiceSettings | null {
  const [, record] = RECORD.exec(definition) ?? [];
  try {
    return record === undefined ? null : (JSON.parse(record) as ServiceSettings);
  } catch {
    return null;
  }
}

/** Line breaks would end a line of a definition. */
function refuseControlCharacters(...texts: string[]): void {
  for (const text of texts) {
    if (/\p{Cc}/u.test(text)) throw invalid(`${JSON.stringify(text)}: a service cannot have control characters in it.`);
  }
}
