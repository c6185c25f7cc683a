import { refuseBackupOfNodes } from '../../backup/files.ts';
import { type BackupSource, backupSource } from '../../backup/places.ts';
import type { Restored } from '../../backup/restore.ts';
import type { OpeningKeys } from '../../backup/sealing.ts';
import { type Config, loadConfig } from '../../config.ts';
import { counted } from '../../core/base/shared/text.ts';
import { SECRET_FILE } from '../../storage/installation/names.ts';
import { auditInstallation } from '../audit.ts';
import { type OpeningOptions, openingKeys } from '../input/backup-keys.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { exclusively } from '../server/exclusively.ts';

type RestoreOptions = AdministrationOptions & OpeningOptions;

const RESTORING = { command: 'restore', doing: 'A backup is being restored', undone: 'nothing was restored' };

export async function run(name: string, options: RestoreOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  refuseBackupOfNodes(config);
  const source = backupSource(name);
  const file = source.name;
  const keys = await openingKeys(options, config);
  const { manifest, before } = await exclusively(config, RESTORING, () =>
    restoreInto(config, source, keys, options.json === true),
  );
  const { events, createdAt, program, entries } = manifest;
  await auditInstallation(config, 'backup.restored', { file, createdAt, events });
  const secretKey = entries.some((entry) => entry.name === SECRET_FILE);
  const answer = { file, dataDir: config.dataDir, events, createdAt, version: program.version, before, secretKey };
  print(options, answer, [
    `Restored ${counted(events, 'event')}, and everything else, as of ${createdAt}, to ${config.dataDir}.`,
    ...(before === null ? [] : [`What was there is in ${before}. Delete it when you no longer need it.`]),
  ]);
}

async function restoreInto(
  { dataDir }: Config,
  source: BackupSource,
  keys: OpeningKeys,
  isQuiet: boolean,
): Promise<Restored> {
  const { finishRestore } = await import('../../backup/replace.ts');
  const { restoreBackup } = await import('../../backup/restore.ts');
  finishRestore(dataDir);
  const bar = showProgress(isQuiet ? 0 : source.size);
  try {
    return await restoreBackup({ source, keys, dataDir, now: Date.now(), onProgress: (read) => bar.update(read) });
  } finally {
    bar.finish();
  }
}
