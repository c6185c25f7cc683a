import { join } from 'node:path';
import { operate } from '../../app/operate.ts';
import { refuseBackupOfNodes } from '../../backup/files.ts';
import { type BackupTarget, backupTarget } from '../../backup/places.ts';
import type { Sealing } from '../../backup/sealing.ts';
import { BackupLock } from '../../backup/staging.ts';
import type { Config } from '../../config.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { counted, formatBytes } from '../../core/base/shared/text.ts';
import { Installation } from '../../storage/installation/installation.ts';
import { SECRET_FILE } from '../../storage/installation/names.ts';
import { InstallationSecret } from '../../storage/installation/secret-key.ts';
import { auditInstallation } from '../audit.ts';
import { type PassphraseOptions, readPassphrase } from '../input/backup-keys.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { loadInstalledConfig } from '../server/installed-config.ts';

interface BackupOptions extends AdministrationOptions, PassphraseOptions {
  force?: boolean;
  recipient?: string[];
}

export async function run(name: string, options: BackupOptions): Promise<void> {
  const config = loadInstalledConfig(options);
  refuseBackupOfNodes(config);
  const target = backupTarget(name, {
    dataDir: config.dataDir,
    mayReplace: options.force === true,
    standardOutput: process.stdout,
  });
  const file = target.name;
  const sealing = await sealingOf(options, config);
  const lock = BackupLock.acquire(config.dataDir);
  const interrupt = () => {
    target.discard();
    lock.release();
    process.exit(1);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const { manifest, bytes } = await makeBackup(config, target, sealing, options.json === true);
    const { events, createdAt } = manifest;
    await auditInstallation(config, 'backup.created', { file, bytes, events });
    const secretKey = 'passphrase' in sealing;
    const answer = { file, bytes, events, createdAt, secretKey, sealedBy: Object.keys(sealing)[0] };
    const lines = [
      `Backed up ${counted(events, 'event')}, and everything else in ${config.dataDir}, as of ${createdAt}.`,
      `${file} has ${formatBytes(bytes)}.`,
      ...('installation' in sealing ? [keepKeyNote(config)] : []),
    ];
    print(options, answer, lines, name === '-' ? process.stderr : process.stdout);
  } finally {
    lock.release();
  }
}

function keepKeyNote({ dataDir, secretKey }: Config): string {
  if (secretKey !== undefined) return 'It opens only with AGENT_RUNTIME_SECRET_KEY: keep that elsewhere.';
  return `It opens only with ${join(dataDir, SECRET_FILE)}, which is not in it: keep a copy of that elsewhere, or give a passphrase.`;
}

/** The owner makes the consistent copy. Packing is slow and runs here. */
async function makeBackup(config: Config, target: BackupTarget, sealing: Sealing, isQuiet: boolean) {
  const { dataDir } = config;
  const { directory, createdAt } = await operate(config, { command: 'backup', name: 'stage-backup', input: {} });
  const { prepareStaged } = await import('../../backup/make.ts');
  const { pack } = await import('../../backup/pack.ts');
  const { size, ...prepared } = await prepareStaged(dataDir, { directory, createdAt }, sealing);
  const bar = showProgress(isQuiet ? 0 : size);
  try {
    const onProgress = (packed: number) => bar.update(packed);
    return await pack({ ...prepared, target, sealing, onProgress });
  } finally {
    bar.finish();
  }
}

/** Recipients or a passphrase, else the key of the installation, which is made when missing. */
async function sealingOf({ recipient, ...options }: BackupOptions, config: Config): Promise<Sealing> {
  const given = await readPassphrase(options, { twice: true });
  if (recipient && given !== null) throw invalid('--recipient: cannot be given with a passphrase; choose one');
  if (recipient) return { recipients: recipient };
  const passphrase = given ?? config.backupPassphrase;
  if (passphrase !== undefined) return { passphrase, workFactor: config.backupWork };
  const onMade = (name: string) => Installation.find(config.dataDir)?.made(name);
  return { installation: new InstallationSecret({ ...config, onMade }).keyFor('backups') };
}
