import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, loadConfig } from '../../config.ts';
import { invalid, notFound } from '../../core/base/shared/errors.ts';
import { isInstalled } from '../../storage/installation/installation.ts';
import type { Comparison, Progress } from '../../transfer/installation.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { type ProgressBar, showProgress } from '../presentation/progress.ts';
import { exclusively } from '../server/exclusively.ts';

/** Copies an installation, compares both, and prints what was compared. */
export async function copyBetween(source: Config, target: Config, options: { json?: boolean }): Promise<void> {
  const { openSource, openTarget } = await import('../../app/transfer.ts');
  const hasFiles = ({ nodes }: Config) => nodes === null;
  if (hasFiles(source) && hasFiles(target) && source.dataDir === target.dataDir) {
    throw invalid(`${target.dataDir} is the source itself. Name another directory.`);
  }
  if (hasFiles(source) && !isInstalled(source.dataDir)) {
    throw notFound(`There is no Agent Runtime data in ${source.dataDir}.`);
  }
  if (hasFiles(target) && !isInstalled(target.dataDir) && isFilled(target.dataDir)) {
    throw invalid(`${target.dataDir} has other files. Name an empty or a new directory.`);
  }
  const copy = async () => {
    const from = await openSource(source);
    try {
      const to = await openTarget(target);
      try {
        return await copyWithProgress(from, to, options);
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  };
  const doing = { command: 'import', doing: 'Data is being copied into it', undone: 'nothing was copied' };
  report(options, hasFiles(target) ? await exclusively(target, doing, copy) : await copy());
}

function isFilled(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).length > 0;
}

type Opened = Awaited<ReturnType<typeof import('../../app/transfer.ts').openSource>>;

async function copyWithProgress(from: Opened, to: Opened, { json }: { json?: boolean }): Promise<Comparison[]> {
  const { copyInstallation } = await import('../../transfer/installation.ts');
  let bar: ProgressBar | undefined;
  let rows = 0;
  let step = '';
  const progress: Progress = {
    onTotal: async (total) => {
      bar = showProgress(json ? 0 : total, step);
    },
    onRows: (more) => {
      rows += more;
      bar?.update(rows, step);
    },
    onStep: (next) => {
      step = next;
      bar?.update(rows, step);
    },
    wait: (ms) => sleep(ms),
  };
  try {
    const compared = await copyInstallation(from, to, progress);
    bar?.finish();
    return compared;
  } catch (error) {
    bar?.stop();
    throw error;
  }
}

function report(options: { json?: boolean }, compared: Comparison[]): void {
  const isEqual = compared.every((one) => one.isEqual);
  const shown = compared.filter(({ rows, isEqual }) => rows > 0 || !isEqual);
  print(options, { isEqual, compared }, [
    ...shown.map(
      ({ what, rows, isEqual }) =>
        `${isEqual ? 'equal    ' : 'DIFFERENT'}  ${what}: ${rows.toLocaleString('en')}${what === 'state' ? ' rows' : ''}`,
    ),
    isEqual
      ? 'Everything was copied, and both are equal.'
      : 'Some of it changed or was removed during the copy: stop writers and run this again. Events that were erased at the source must also be erased at the target.',
  ]);
  if (!isEqual) process.exitCode = 1;
}

export async function run(directory: string, options: AdministrationOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  const { directoryConfig } = await import('../../app/transfer.ts');
  await copyBetween(config, directoryConfig(config, resolve(directory)), options);
}
