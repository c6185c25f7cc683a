import { type Config, loadConfig } from '../../config.ts';
import { notFound } from '../../core/base/shared/errors.ts';
import { isInstalled } from '../../storage/installation/installation.ts';
import type { AdministrationOptions } from '../input/options.ts';

/**
 * Throws `not_found` without an installation. That of nodes is in the database: their data
 * directories are empty.
 */
export function loadInstalledConfig({ dataDir }: AdministrationOptions): Config {
  const config = loadConfig({ dataDir }, { logLevel: 'warn' });
  if (config.nodes !== null || isInstalled(config.dataDir)) return config;
  throw notFound(`There is no Agent Runtime data in ${config.dataDir} (--data-dir names another directory).`);
}
