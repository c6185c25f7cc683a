import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CONFIG_FILE, describeSettings } from '../../config.ts';
import { PROVIDER_VARIABLES } from '../../core/agents/providers/environment.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { makeDataDirectory } from '../../storage/installation/data-directory.ts';
import type { Host } from './host.ts';
import { type Running, untilReady } from './running.ts';
import type { ServiceManager } from './systemd.ts';
import { refuseTemporaryProgram } from './systemd.ts';
import { recordedSettings, type ServiceSettings } from './unit.ts';

export const ENVIRONMENT_EXAMPLES = `# Settings and secrets of the Agent Runtime service, NAME=value on each line (docs/configuration.md has them all).
# They are read when the service starts: restart it after a change.

# Behind a proxy, or with a certificate:
#AGENT_RUNTIME_PUBLIC_URL=https://runtime.example.com
#AGENT_RUNTIME_TRUSTED_PROXIES=127.0.0.1,::1

# HTTPS without a proxy:
#AGENT_RUNTIME_TLS_CERTIFICATE=/etc/ssl/certs/runtime.example.com.pem
#AGENT_RUNTIME_TLS_KEY=/etc/ssl/private/runtime.example.com.key

# Secrets: 32 characters or more, 16 or more, and the keys of LLM providers.
#AGENT_RUNTIME_SECRET_KEY=
#AGENT_RUNTIME_METRICS_TOKEN=
#ANTHROPIC_API_KEY=
#OPENAI_API_KEY=
`;

/** Never replaces one. */
export function makeEnvironmentFile(path: string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ENVIRONMENT_EXAMPLES, { mode: 0o600, flag: 'wx' });
  return true;
}

/** In the definition, or for commands that talk to a server. */
const NOT_FOR_THE_SERVICE = new Set([
  ...['AGENT_RUNTIME_DATA_DIR', 'HOST', 'PORT'],
  ...['AGENT_RUNTIME_API_KEY', 'AGENT_RUNTIME_URL', 'AGENT_RUNTIME_BACKUP_PASSPHRASE'],
]);

/** Names of variables that are set in this environment and missing in the file. */
export function variablesLeftOut(path: string, variable: (name: string) => string | undefined): string[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set([...text.matchAll(/^\s*(\w+)=/gm)].map(([, name]) => name));
  return [...describeSettings().map((setting) => setting.variable), ...PROVIDER_VARIABLES].filter(
    (name) => variable(name) !== undefined && !present.has(name) && !NOT_FOR_THE_SERVICE.has(name),
  );
}

/** Half a minute. */
const START = { attempts: 60, pauseMs: 500 };

export interface Installed {
  running: Running;
  /** Null if there was no definition before. */
  changes: { removed: string[]; added: string[] } | null;
  isEnvironmentFileNew: boolean;
  notes: string[];
}

/** Replaces an earlier definition and restarts. Throws before anything is written. */
export async function install(
  host: Host,
  manager: ServiceManager,
  settings: ServiceSettings,
  start = START,
): Promise<Installed> {
  refuseTemporaryProgram([host.program.command, ...host.program.args], tmpdir());
  const definition = manager.define(settings);
  await manager.check();
  const before = readDefinition(manager);
  // The directory of a system service is made by systemd, or exists.
  if (!definition.includes('\nDynamicUser=')) makeDataDirectory(settings.dataDir);
  const isEnvironmentFileNew = makeEnvironmentFile(manager.environmentFile);
  mkdirSync(dirname(manager.file), { recursive: true });
  if (lstatSync(manager.file, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw invalid(`${manager.file} is a link: the service is masked, or managed by others. Remove the link first.`);
  }
  writeFileSync(manager.file, definition);
  // It has no secrets, and others may look at it.
  chmodSync(manager.file, 0o644);
  await manager.start();
  return {
    running: await untilReady(manager, settings, start),
    changes: before === null ? null : differenceOf(before, definition),
    isEnvironmentFileNew,
    notes: [...notesOfSettings(host, manager, settings), ...(await manager.notes())],
  };
}

/** Keeps the data and the environment file. False when nothing was installed. */
export async function uninstall(manager: ServiceManager): Promise<boolean> {
  await manager.check();
  if (readDefinition(manager) === null) return false;
  await manager.stop();
  rmSync(manager.file, { force: true });
  await manager.forget();
  return true;
}

/** Null when there is none, or this user may not read it. */
export function installedSettings(manager: ServiceManager): ServiceSettings | null {
  const definition = readDefinition(manager);
  return definition === null ? null : recordedSettings(definition);
}

export function readDefinition({ file }: ServiceManager): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function differenceOf(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [before, after].map((text) => text.split('\n').filter((line) => !line.startsWith('#')));
  return {
    removed: old!.filter((line) => !now!.includes(line)),
    added: now!.filter((line) => !old!.includes(line)),
  };
}

function notesOfSettings(host: Host, { environmentFile }: ServiceManager, { dataDir }: ServiceSettings): string[] {
  const leftOut = variablesLeftOut(environmentFile, host.variable);
  const hasOtherFile = existsSync(CONFIG_FILE) && resolve(CONFIG_FILE) !== join(dataDir, CONFIG_FILE);
  return [
    ...(leftOut.length === 0
      ? []
      : [`Set here, but not for the service: ${leftOut.join(', ')}. Add them to ${environmentFile}.`]),
    ...(hasOtherFile ? [`The service does not read ${resolve(CONFIG_FILE)}, but the one in ${dataDir}.`] : []),
  ];
}
