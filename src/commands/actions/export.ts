import { resolve } from 'node:path';
import { loadConfig } from '../../config.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { copyBetween } from './copy-installation.ts';

export async function run(directory: string, options: AdministrationOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  const { directoryConfig } = await import('../../app/transfer.ts');
  await copyBetween(config, directoryConfig(config, resolve(directory)), options);
}
