import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { isInstalled } from '../../storage/installation/installation.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { currentInvocation } from '../presentation/invocation.ts';
import { print } from '../presentation/output.ts';
import { type Host, thisHost } from './host.ts';
import { type Installed, install, installedSettings, readDefinition, uninstall } from './install.ts';
import { examine, type Running } from './running.ts';
import { type ServiceManager, systemd } from './systemd.ts';
import { type ServiceSettings, SYSTEM_DATA_DIR } from './unit.ts';

/** The exit status of `systemctl status`. */
const NOT_RUNNING = 3;

export interface ScopeOptions {
  system?: boolean;
  json?: boolean;
}

export interface InstallOptions extends ScopeOptions, AdministrationOptions {
  port?: string;
  host?: string;
  print?: boolean;
}

export interface LogOptions extends ScopeOptions {
  follow: boolean;
  lines: number;
}

function managerFor(host: Host, { system }: ScopeOptions): ServiceManager {
  if (host.platform === 'linux') return systemd(host, system || host.uid === 0 ? 'system' : 'user');
  throw invalid('This command is for systemd. docs/operation.md tells how launchd and Windows start `serve`.');
}

function refuseWithoutRoot(host: Host, { system }: ScopeOptions): void {
  if (system && host.uid !== 0) throw invalid('--system: needs root; run the command with sudo');
}

const here = () => thisHost(currentInvocation(), loadConfig().variable);

export async function installService(options: InstallOptions): Promise<void> {
  const host = here();
  const manager = managerFor(host, options);
  const settings = settingsFor(manager, options);
  if (options.print) {
    process.stdout.write(manager.define(settings));
    return;
  }
  refuseWithoutRoot(host, options);
  const installed = await install(host, manager, settings);
  const { running, changes } = installed;
  const { file, environmentFile } = manager;
  print(options, { file, environmentFile, ...settings, changes, ...running }, linesOf(manager, settings, installed));
  if (!running.isReady) process.exitCode = 1;
}

/** Options that are not given keep their installed values. */
function settingsFor(manager: ServiceManager, { dataDir, host, port }: InstallOptions): ServiceSettings {
  const before = installedSettings(manager);
  // `serve` without options has made data here.
  const isHere = manager.defaultDataDir !== SYSTEM_DATA_DIR && isInstalled(loadConfig().dataDir);
  const preferred = isHere ? {} : { dataDir: manager.defaultDataDir };
  const flags = { dataDir: dataDir ?? before?.dataDir, host: host ?? before?.host, port: port ?? before?.port };
  const config = loadConfig(flags, preferred);
  return { dataDir: config.dataDir, host: config.host, port: config.port };
}

function linesOf(manager: ServiceManager, { dataDir }: ServiceSettings, installed: Installed): string[] {
  const { changes, isEnvironmentFileNew, notes, running } = installed;
  const { file, environmentFile } = manager;
  const isSame = changes !== null && changes.removed.length + changes.added.length === 0;
  const firstRun = join(dataDir, 'first-run.txt');
  return [
    changes === null ? `Wrote ${file}.` : `${isSame ? 'Nothing changed in' : 'Replaced'} ${file}.`,
    ...(changes?.removed ?? []).map((line) => `  - ${line}`),
    ...(changes?.added ?? []).map((line) => `  + ${line}`),
    ...(isEnvironmentFileNew ? [`Wrote ${environmentFile}, for settings and secrets of the service.`] : []),
    ...statusLines(running, dataDir),
    ...(existsSync(firstRun) ? [`The first keys and the admin's password are in ${firstRun}.`] : []),
    ...(running.isReady ? [] : [`See \`${currentInvocation().line('service')} logs\`.`]),
    ...notes,
  ];
}

function statusLines({ state, since, pid, url, isReady }: Running, dataDir: string): string[] {
  const facts = [...(pid === null ? [] : [`process ${pid}`]), ...(since === null ? [] : [`since ${since}`])];
  return [
    `The service is ${state}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.`,
    ...(url === null ? [] : [`Address: ${url} (${isReady ? 'ready' : 'not ready'})`]),
    `Data: ${dataDir}`,
  ];
}

export async function showStatus(options: ScopeOptions): Promise<void> {
  const manager = managerFor(here(), options);
  await manager.check();
  const settings = installedSettings(manager) ?? { dataDir: manager.defaultDataDir, host: '127.0.0.1', port: 3000 };
  const running = await examine(manager, settings);
  const isKnown = running.isActive || readDefinition(manager) !== null;
  const missing = `There is no service (${manager.file}). Install it with \`${currentInvocation().line('service')} install\`.`;
  const { dataDir } = settings;
  print(
    options,
    { installed: isKnown, ...running, dataDir, file: manager.file },
    isKnown ? statusLines(running, dataDir) : [missing],
  );
  if (!running.isActive) process.exitCode = NOT_RUNNING;
}

export async function showLogs({ follow, lines, ...options }: LogOptions): Promise<void> {
  process.exitCode = await managerFor(here(), options).logs({ follow, lines });
}

export async function uninstallService(options: ScopeOptions): Promise<void> {
  const host = here();
  const manager = managerFor(host, options);
  refuseWithoutRoot(host, options);
  const dataDir = installedSettings(manager)?.dataDir ?? manager.defaultDataDir;
  const removed = await uninstall(manager);
  const { file, environmentFile } = manager;
  const kept = [dataDir, environmentFile].filter((path) => existsSync(path));
  print(options, { removed, file, kept }, [
    removed ? `Stopped the service and removed ${file}.` : `There is no service (${file}).`,
    ...kept.map((path) => `Kept: ${path}`),
  ]);
}
