import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { isOfDataDirectory, SEALED_SECRET_FILE } from '../backup/files.ts';
import { BackupTurn } from '../backup/staging.ts';
import { type Config, loadConfig } from '../config.ts';
import { notFound, RuntimeError } from '../core/errors.ts';
import { operate } from '../operations.ts';
import { SECRET_FILE } from '../storage/files.ts';
import { isInstalled } from '../storage/installation.ts';
import { counted, formatBytes } from '../text.ts';
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
    .addHelpText('after', '\nsecret.key goes in only with a passphrase, sealed with it.')
    .action(backup);
}

async function backup(name: string, options: BackupOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  const file = resolve(name);
  if (!isInstalled(config.dataDir)) {
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
    const secretKey = entries.some((entry) => entry.name === SEALED_SECRET_FILE);
    const leftOut = !secretKey && existsSync(join(config.dataDir, SECRET_FILE));
    print(options, { file, bytes, events, createdAt, secretKey }, [
      `Backed up ${counted(events, 'event')}, and everything else in ${config.dataDir}, as of ${createdAt}.`,
      `${file} has ${formatBytes(bytes)}.`,
      ...(leftOut ? ['secret.key is not in it: give a passphrase to seal it in, or keep a copy of your own.'] : []),
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
  const sealedSecret = passphrase === undefined ? null : await sealSecret(config.dataDir, passphrase);
  const bar = await showProgress(quiet ? 0 : sizeOfCopy(directory));
  try {
    const onProgress = (packed: number) => bar.update(packed);
    return await pack({ directory, file, createdAt, inspected, sealedSecret, onProgress });
  } finally {
    bar.stop();
  }
}

async function sealSecret(dataDir: string, passphrase: string): Promise<string | null> {
  const secret = join(dataDir, SECRET_FILE);
  if (!existsSync(secret)) return null;
  return (await import('../backup/sealing.ts')).seal(readFileSync(secret), passphrase);
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
