import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operate } from '../../app/operate.ts';
import { refuseBackups } from '../../backup/elsewhere.ts';
import type { Encryption } from '../../backup/encryption.ts';
import { sealedName } from '../../backup/files.ts';
import type { BackupTarget } from '../../backup/places.ts';
import { BackupLock } from '../../backup/staging.ts';
import type { Config } from '../../config.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { counted, formatBytes } from '../../core/base/shared/text.ts';
import { Installation } from '../../storage/installation/installation.ts';
import { SECRET_FILE, SECRET_FILES } from '../../storage/installation/names.ts';
import { InstallationSecret } from '../../storage/installation/secret-key.ts';
import { auditInstallation } from '../audit.ts';
import { backupTarget } from '../input/backup-places.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { type PassphraseOptions, readPassphrase } from '../input/passphrase.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { loadInstalledConfig } from '../server/installed-config.ts';

function leftOutNote(names: string[]): string {
  const verb = names.length === 1 ? 'is' : 'are';
  return `${names.join(' and ')} ${verb} not in it: give a passphrase to seal them in, or keep copies of your own. A restore on another machine asks for one or the other.`;
}

interface BackupOptions extends AdministrationOptions, PassphraseOptions {
  force?: boolean;
  encrypt?: boolean;
  recipient?: string[];
}

export async function run(name: string, options: BackupOptions): Promise<void> {
  const config = loadInstalledConfig(options);
  refuseBackups(config);
  const target = await backupTarget(name, config, options.force === true);
  const file = target.name;
  const passphrase = await readPassphrase(options, config, { twice: true });
  const encryption = encryptionOf(options, passphrase);
  const lock = BackupLock.acquire(config.dataDir);
  const interrupt = async () => {
    await target.discard();
    lock.release();
    process.exit(1);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const wanted = { target, passphrase, encryption, isQuiet: options.json === true };
    const { manifest, bytes } = await makeBackup(config, wanted);
    const { events, createdAt, entries } = manifest;
    await auditInstallation(config, 'backup.created', { file, bytes, events });
    const isIn = (name: string) => entries.some((entry) => entry.name === sealedName(name));
    const secretKey = isIn(SECRET_FILE);
    const leftOut = secretsIn(config.dataDir).filter((name) => !isIn(name));
    print(options, { file, bytes, events, createdAt, secretKey, encrypted: encryption !== undefined }, [
      `Backed up ${counted(events, 'event')}, and everything else in ${config.dataDir}, as of ${createdAt}.`,
      `${file} has ${formatBytes(bytes)}.`,
      ...(leftOut.length > 0 ? [leftOutNote(leftOut)] : []),
    ]);
  } finally {
    lock.release();
  }
}

interface Wanted {
  target: BackupTarget;
  passphrase: string | undefined;
  encryption: Encryption | undefined;
  isQuiet: boolean;
}

/** The owner makes the consistent copy. Packing is slow and runs here. */
async function makeBackup(config: Config, { target, passphrase, encryption, isQuiet }: Wanted) {
  const { dataDir } = config;
  const { directory, createdAt } = await operate(config, { command: 'backup', name: 'stage-backup', input: {} });
  const { compact, inspect } = await import('../../backup/inspect.ts');
  const { pack, sizeOfCopy } = await import('../../backup/pack.ts');
  compact(directory);
  const inspected = await inspect(directory);
  const onMade = (name: string) => Installation.find(dataDir)?.made(name);
  const keys = { installation: new InstallationSecret({ ...config, onMade }).keyFor('backups'), passphrase };
  const sealedSecrets = await sealSecrets(dataDir, passphrase);
  const bar = await showProgress(isQuiet ? 0 : sizeOfCopy(directory));
  try {
    const onProgress = (packed: number) => bar.update(packed);
    return await pack({ directory, target, createdAt, inspected, sealedSecrets, keys, encryption, onProgress });
  } finally {
    bar.finish();
  }
}

async function sealSecrets(dataDir: string, passphrase: string | undefined): Promise<Map<string, string>> {
  if (passphrase === undefined) return new Map();
  const { seal } = await import('../../backup/sealing.ts');
  return new Map(secretsIn(dataDir).map((name) => [name, seal(readFileSync(join(dataDir, name)), passphrase, name)]));
}

function secretsIn(dataDir: string): string[] {
  return SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
}

function encryptionOf({ encrypt, recipient }: BackupOptions, passphrase: string | undefined): Encryption | undefined {
  if (encrypt && recipient) throw invalid('--encrypt: cannot be given with --recipient; choose one');
  if (recipient) return { recipients: recipient };
  if (!encrypt) return undefined;
  if (passphrase !== undefined) return { passphrase };
  throw invalid('--encrypt: needs --passphrase, --passphrase-file or AGENT_RUNTIME_BACKUP_PASSPHRASE');
}
