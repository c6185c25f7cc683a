import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Restored } from '../backup/restore.ts';
import { type Config, loadConfig } from '../config.ts';
import { notFound, RuntimeError } from '../core/errors.ts';
import { type Household, type OwnerInfo, Ownership } from '../ownership/ownership.ts';
import { counted } from '../text.ts';
import { auditInstallation } from './audit.ts';
import { type AdministrationOptions, print, withAdministration } from './options.ts';
import { type PassphraseOptions, readPassphrase, withPassphrase } from './passphrase.ts';
import { showProgress } from './progress.ts';

type RestoreOptions = AdministrationOptions & PassphraseOptions;

export function registerRestore(program: Command): void {
  withPassphrase(
    withAdministration(
      program
        .command('restore <file>')
        .description('put the content of a backup in the place of what the data directory holds'),
    ),
  )
    .addHelpText(
      'after',
      '\nThe backup is verified first. What was there is kept in <data>/before-restore-<time>. Nothing else may have the directory open.',
    )
    .action(restoreFile);
}

async function restoreFile(name: string, options: RestoreOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  const file = resolve(name);
  if (!existsSync(file) || !statSync(file).isFile()) throw notFound(`There is no file ${file}.`);
  const passphrase = await readPassphrase(options, config);
  const { manifest, before, secrets } = await whileNobodyElse(config, () =>
    restoreInto(config, file, passphrase, options),
  );
  const { events, createdAt, program } = manifest;
  await auditInstallation(config, 'backup.restored', { file, createdAt, events });
  const answer = { file, dataDir: config.dataDir, events, createdAt, version: program.version, before };
  print(options, { ...answer, secretKey: secrets['secret.key'] === 'restored' }, [
    `Restored ${counted(events, 'event')}, and everything else, as of ${createdAt}, to ${config.dataDir}.`,
    ...(before === null ? [] : [`What was there is in ${before}. Delete it when you no longer need it.`]),
    ...Object.entries(secrets).flatMap(([name, result]) =>
      result === 'left out' ? [`${name} is in the backup and was left out: restore again with its passphrase.`] : [],
    ),
    ...(passphrase !== undefined && Object.values(secrets).every((result) => result === 'not in the backup')
      ? ['secret.key is not in the backup: there was nothing that the passphrase opens.']
      : []),
  ]);
}

async function restoreInto(
  { dataDir }: Config,
  file: string,
  passphrase: string | undefined,
  options: RestoreOptions,
): Promise<Restored> {
  const { finishRestore } = await import('../backup/replace.ts');
  const { restore } = await import('../backup/restore.ts');
  finishRestore(dataDir);
  const bar = await showProgress(options.json ? 0 : statSync(file).size);
  try {
    return await restore({ file, dataDir, passphrase, now: Date.now(), onProgress: (read) => bar.update(read) });
  } finally {
    bar.stop();
  }
}

/** Holds the data directory as its owner, so that no other process opens it meanwhile. Throws when one has it open. */
async function whileNobodyElse<Result>({ dataDir }: Config, work: () => Promise<Result>): Promise<Result> {
  const ownership = new Ownership({
    dataDir,
    yields: false,
    info: () => ({ command: 'restore', pid: process.pid }),
    open: async () => RESTORING,
  });
  try {
    if (!(await ownership.tryOwn())) throw inUse(dataDir, await ownership.owner());
    return await work();
  } finally {
    await ownership.close();
  }
}

/** What other processes on the directory hear meanwhile. */
const RESTORING: Household = {
  listener: (_request, response) => {
    const body = { statusCode: 503, message: 'A backup is being restored. Try again.', error: 'Service Unavailable' };
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end(JSON.stringify(body));
  },
  close: async () => undefined,
};

function inUse(dataDir: string, owner: OwnerInfo | null): RuntimeError {
  const who = owner ? `${owner.command}, process ${owner.pid}` : 'a process that does not answer';
  return new RuntimeError('conflict', `${dataDir} is in use (${who}). Stop that first; nothing was restored.`);
}
