import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Config, loadConfig } from '../../config.ts';
import { DEFAULT_TENANT } from '../../core/auth/bootstrap.ts';
import { invalid } from '../../core/shared/errors.ts';
import type { ImportFormat } from '../../importing/read.ts';
import { type ImportResult, sendRows } from '../../importing/send.ts';
import type { TenantOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { type Access, withDestination } from '../server/destination.ts';

interface ImportOptions extends TenantOptions {
  agent?: string;
  format?: ImportFormat;
  eventName?: string;
  url?: string;
}

const SHOWN_REJECTIONS = 10;

export async function run(file: string, options: ImportOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  if (file !== '-' && !existsSync(file)) throw new Error(`There is no file ${file}.`);
  if (file !== '-' && statSync(file).isDirectory()) return importDirectory(file, config, options);
  const size = file === '-' ? 0 : statSync(file).size;
  const { idPrefix, readRows } = await import('../../importing/read.ts');
  const prefix = await idPrefix(file);
  const { tenant, agent: agentId } = options;
  const access: Access = { command: 'import', tenant, agentId, scopes: ['events:write', 'events:read'] };
  const result = await withDestination(config, access, async (destination) => {
    const progress = await showProgress(options.json ? 0 : size, '{accepted} events', { accepted: 0 });
    const input = file === '-' ? process.stdin : createReadStream(file);
    let read = 0;
    input.on('data', (chunk: string | Buffer) => {
      read += chunk.length;
    });
    const format = options.format ?? (extname(file).toLowerCase() === '.csv' ? 'csv' : 'ndjson');
    const rows = readRows(input, { format, eventName: options.eventName });
    try {
      return await sendRows(rows, destination, prefix, ({ accepted }) => progress.update(read, { accepted }));
    } finally {
      progress.finish();
    }
  });
  report(options, result);
  if (result.rejected.length > 0) process.exitCode = 1;
}

async function importDirectory(directory: string, config: Config, options: ImportOptions): Promise<void> {
  const { tenant, agent, format, eventName, url } = options;
  const ofFiles = Object.entries({
    tenant: tenant === DEFAULT_TENANT ? undefined : tenant,
    agent,
    format,
    'event-name': eventName,
    url,
  });
  const given = ofFiles.filter(([, value]) => value !== undefined).map(([name]) => `--${name}`);
  if (given.length > 0) {
    throw invalid(
      `${directory} is a directory: it is imported whole, into the data directory or database of the settings. Leave out ${given.join(', ')}.`,
    );
  }
  const { directoryConfig } = await import('../../app/moving-installation.ts');
  const { copyBetween } = await import('./copy-installation.ts');
  await copyBetween(directoryConfig(config, resolve(directory)), config, options);
}

function report(options: ImportOptions, { accepted, duplicates, rejected }: ImportResult): void {
  const shown = rejected
    .slice(0, SHOWN_REJECTIONS)
    .map(({ line, message }) => `  line ${line}: ${message.replace(/^events\[\d+\]\.?/, '')}`);
  print(options, { accepted, duplicates, rejected: rejected.length, problems: rejected.slice(0, 100) }, [
    `Imported ${accepted} events; ${duplicates} were there already, ${rejected.length} were rejected.`,
    ...shown,
    ...(rejected.length > SHOWN_REJECTIONS ? [`  ... and ${rejected.length - SHOWN_REJECTIONS} more`] : []),
  ]);
}
