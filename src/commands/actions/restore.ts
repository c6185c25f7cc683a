import { refuseBackups } from '../../backup/elsewhere.ts';
import type { BackupSource } from '../../backup/places.ts';
import type { Restored } from '../../backup/restore.ts';
import { type Config, loadConfig } from '../../config.ts';
import { counted } from '../../core/base/shared/text.ts';
import { SECRET_FILE } from '../../storage/installation/names.ts';
import { auditInstallation } from '../audit.ts';
import { type ReadingOptions, readingKeys } from '../input/backup-keys.ts';
import { backupSource } from '../input/backup-places.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { exclusively } from '../server/exclusively.ts';

type RestoreOptions = AdministrationOptions & ReadingOptions;

const RESTORING = { command: 'restore', doing: 'A backup is being restored', undone: 'nothing was restored' };

export async function run(name: string, options: RestoreOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  refuseBackups(config);
  const source = await backupSource(name, config);
  const file = source.name;
  const reading = await readingKeys(options, config);
  const { manifest, before, secrets, isAuthentic } = await exclusively(config, RESTORING, () =>
    restoreInto(config, source, reading, options),
  );
  const { events, createdAt, program } = manifest;
  await auditInstallation(config, 'backup.restored', { file, createdAt, events });
  const answer = { file, dataDir: config.dataDir, events, createdAt, version: program.version, before };
  print(options, { ...answer, secretKey: secrets[SECRET_FILE] === 'restored', authenticated: isAuthentic }, [
    `Restored ${counted(events, 'event')}, and everything else, as of ${createdAt}, to ${config.dataDir}.`,
    ...(before === null ? [] : [`What was there is in ${before}. Delete it when you no longer need it.`]),
    ...Object.entries(secrets).flatMap(([name, result]) =>
      result === 'left out' ? [`${name} is in the backup and was left out: restore again with its passphrase.`] : [],
    ),
    ...(reading.keys.passphrase !== undefined &&
    Object.values(secrets).every((result) => result === 'not in the backup')
      ? ['secret.key is not in the backup: a passphrase given to `backup` puts it in.']
      : []),
  ]);
}

async function restoreInto(
  { dataDir }: Config,
  source: BackupSource,
  reading: Awaited<ReturnType<typeof readingKeys>>,
  options: RestoreOptions,
): Promise<Restored> {
  const { finishRestore } = await import('../../backup/replace.ts');
  const { restore } = await import('../../backup/restore.ts');
  finishRestore(dataDir);
  const bar = await showProgress(options.json ? 0 : source.size);
  try {
    return await restore({ ...reading, source, dataDir, now: Date.now(), onProgress: (read) => bar.update(read) });
  } finally {
    bar.finish();
  }
}
