import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CONFIG_FILE } from '../../config.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { makeDataDirectory } from '../../storage/installation/data-directory.ts';
import { makeEnvironmentFile, variablesLeftOut } from './environment-file.ts';
import type { Host } from './host.ts';
import { refuseTemporaryProgram } from './places.ts';
import { type Running, untilReady } from './running.ts';
import type { ServiceManager } from './systemd.ts';
import { recordedSettings, type ServiceSettings } from './unit.ts';

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
