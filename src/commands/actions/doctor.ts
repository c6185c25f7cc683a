import { existsSync } from 'node:fs';
import { backupSource } from '../../backup/places.ts';
import { type Config, loadConfig } from '../../config.ts';
import { notFound } from '../../core/base/shared/errors.ts';
import { counted } from '../../core/base/shared/text.ts';
import { acceptLoss, findingsOfFiles } from '../../doctor/files.ts';
import { check, type Finding } from '../../doctor/findings.ts';
import { findingsOfInstallation } from '../../doctor/installation.ts';
import { findOwner } from '../../doctor/owner.ts';
import { sizeOfStores } from '../../doctor/stores.ts';
import { type OpeningOptions, openingKeys } from '../input/backup-keys.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';

interface DoctorOptions extends AdministrationOptions, OpeningOptions {
  acceptLoss?: string;
  backup?: string;
}

async function writeOff(name: string, config: Config, options: DoctorOptions): Promise<void> {
  const { dataDir } = config;
  if (!existsSync(dataDir)) throw notFound(`There is no directory ${dataDir}.`);
  const { exclusively } = await import('../server/exclusively.ts');
  const doing = { command: 'doctor', doing: `The loss of ${name} is being accepted`, undone: 'nothing was changed' };
  const movedTo = await exclusively(config, doing, async () => acceptLoss(dataDir, name, Date.now()));
  print(options, { file: name, dataDir, movedTo }, [
    `${name} is written off in ${dataDir}: the next start makes a new one.`,
    ...(movedTo === null ? [] : [`What was left of it is in ${movedTo}. Delete it when you no longer need it.`]),
  ]);
}

export async function run(options: DoctorOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir });
  if (options.acceptLoss !== undefined) return writeOff(options.acceptLoss, config, options);
  if (options.backup !== undefined) return report(options, [await findingOfBackup(options.backup, config, options)]);
  const files = (isOwned: boolean) => findingsOfStores(config, isOwned, options.json === true);
  const findRunning = () => findOwner(config.dataDir);
  report(options, await findingsOfInstallation(config, { findRunning, files }));
}

function report(options: DoctorOptions, findings: Finding[]): void {
  const failed = findings.some((finding) => finding.status === 'failed');
  const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  print(
    options,
    { ok: !failed, findings },
    findings.map((one) => `${marks[one.status]}  ${one.check}: ${one.message}`),
  );
  if (failed) process.exitCode = 1;
}

async function findingOfBackup(name: string, config: Config, options: DoctorOptions): Promise<Finding> {
  const source = backupSource(name);
  const keys = await openingKeys(options, config);
  const { unpack } = await import('../../backup/unpack.ts');
  const bar = showProgress(options.json ? 0 : source.size);
  const onProgress = (read: number) => bar.update(read);
  return check('backup', async () => {
    const { events, createdAt, program } = await unpack({ keys, source, directory: null, onProgress });
    const what = `${counted(events, 'event')} as of ${createdAt}, by version ${program.version}`;
    return `${source.name}: ${what}; as it was made`;
  }).finally(bar.finish);
}

function findingsOfStores(config: Config, isOwned: boolean, isQuiet: boolean): Promise<Finding[]> {
  const bar = showProgress(isQuiet ? 0 : sizeOfStores(config.dataDir));
  return findingsOfFiles(config, isOwned, (bytes) => bar.update(bytes)).finally(bar.finish);
}
