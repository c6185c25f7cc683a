import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { isOfDataDirectory, SECRET_FILES, sealedName } from '../backup/files.ts';
import { BackupTurn } from '../backup/staging.ts';
import { type Config, loadConfig } from '../config.ts';
import { notFound, RuntimeError } from '../core/errors.ts';
import { operate } from '../operations.ts';
import { SECRET_FILE, STATE_FILE } from '../storage/files.ts';
import { counted, formatBytes } from '../text.ts';
import { auditInstallation } from './audit.ts';
import { type AdministrationOptions, print, withAdministration } from './options.ts';
import { type PassphraseOptions, readPassphrase, withPassphrase } from './passphrase.ts';
import { showProgress } from './progress.ts';

interface BackupOptions extends AdministrationOptions, PassphraseOptions {
  force?: boolean;
}

export function registerBackup(program: Command): void {
  withPassphrase(
    withAdministration(
      program
        .command('backup <file>')
        .description('pack everything stored into one file, also while `serve` runs and events arrive'),
    ),
  )
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', '\nsecret.key and sealing-keys.json go in only with a passphrase, sealed with it.')
    .action(backup);
}

async function backup(name: string, options: BackupOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  const file = resolve(name);
  if (!existsSync(join(config.dataDir, STATE_FILE))) {
    throw notFound(`There is no Agent Runtime data in ${config.dataDir} (--data-dir names another directory).`);
  }
  refuseTarget(file, config, options);
  const passphrase = await readPassphrase(options, config, { twice: true });
  const turn = BackupTurn.take(config.dataDir);
  const leave = () => {
    rmSync(`${file}.partial`, { force: true });
    turn.end();
    process.exit(1);
  };
  process.once('SIGINT', leave).once('SIGTERM', leave);
  try {
    const { events, createdAt, entries } = await makeBackup(file, config, passphrase, options.json === true);
    const bytes = statSync(file).size;
      await auditInstallation(config, 'backup.created', { file, bytes, events });
    const isIn = (name: string) => entries.some((entry) => entry.name === sealedName(name));
    const secretKey = isIn(SECRET_FILE);
    const leftOut = SECRET_FILES.filter((name) => !isIn(name) && existsSync(join(config.dataDir, name)));
    print(options, { file, bytes, events, createdAt, secretKey }, [
      `Backed up ${counted(events, 'event')}, and everything else in ${config.dataDir}, as of ${createdAt}.`,
      `${file} has ${formatBytes(bytes)}.`,
      ...leftOut.map((name) => `${name} is not in it: give a passphrase to seal it in, or keep a copy of your own.`),
    ]);
  } finally {
    turn.end();
  }
}

/** The owner copies, so that the copy is consistent; this process does what takes long, so that nobody waits for it. */
async function makeBackup(file: string, config: Config, passphrase: string | undefined, quiet: boolean) {
  const { directory, createdAt } = await operate(config, { command: 'backup', name: 'stage-backup', input: {} });
  const { compact } = await import('../backup/compact.ts');
  const { inspect } = await import('../backup/inspect.ts');
  const { pack, sizeOfCopy } = await import('../backup/pack.ts');
  compact(directory);
  const inspected = await inspect(directory);
  const sealedSecrets = await sealSecrets(config.dataDir, passphrase);
  const bar = await showProgress(quiet ? 0 : sizeOfCopy(directory));
  try {
    const onProgress = (packed: number) => bar.update(packed);
    return await pack({ directory, file, createdAt, inspected, sealedSecrets, onProgress });
  } finally {
    bar.stop();
  }
}

/** By name; none without a passphrase. Read after the stores were copied: the key ring then has every key that they need. */
async function sealSecrets(dataDir: string, passphrase: string | undefined): Promise<Map<string, string>> {
  if (passphrase === undefined) return new Map();
  const { seal } = await import('../backup/sealing.ts');
  const there = SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
  return new Map(there.map((name) => [name, seal(readFileSync(join(dataDir, name)), passphrase)]));
}

function refuseTarget(file: string, { dataDir }: Config, { force }: BackupOptions): void {
  if (!existsSync(dirname(file))) throw notFound(`There is no directory ${dirname(file)}.`);
  if (isOfDataDirectory(basename(file)) && realpathSync(dirname(file)) === realpathSync(dataDir)) {
    throw new RuntimeError('conflict', `${file} belongs to what is being backed up. Choose another name.`);
  }
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new RuntimeError('conflict', `${file} is not a file.`);
  if (!force)
    throw new RuntimeError('conflict', `${file} exists already. Choose another name, or replace it with --force.`);
}
