import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Config, loadConfig } from '../../config.ts';
import { DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { oneLine } from '../../core/base/shared/text.ts';
import { type ColumnDecision, columnTypes } from '../../importing/columns.ts';
import type { ImportInput } from '../../importing/input.ts';
import type { EventFileOptions, ImportFormat, ImportRow, LineCounts, Reading } from '../../importing/reading.ts';
import { type ImportResult, sendRows } from '../../importing/send.ts';
import { isDelimiter, NO_DELIMITER } from '../../text/csv-sniff.ts';
import type { TenantOptions } from '../input/options.ts';
import { print } from '../presentation/output.ts';
import { showProgress } from '../presentation/progress.ts';
import { type Access, withDestination } from '../server/destination.ts';

interface ImportOptions extends TenantOptions {
  agent?: string;
  format?: ImportFormat;
  eventName?: string;
  encoding?: string;
  delimiter?: string;
  types?: string;
  dryRun?: boolean;
  url?: string;
}

const SHOWN_REJECTIONS = 10;

export async function run(file: string, options: ImportOptions): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir, url: options.url }, { logLevel: 'warn' });
  if (file !== '-' && !existsSync(file)) throw new Error(`There is no file ${file}.`);
  if (file !== '-' && statSync(file).isDirectory()) return importDirectory(file, config, options);
  const readOptions = readOptionsOf(file, options);
  const { openInput } = await import('../../importing/input.ts');
  const { idPrefix, readRows } = await import('../../importing/read.ts');
  const done = { read: 0, accepted: 0 };
  let onRead = () => undefined;
  const input = await openInput(file, options.encoding, (bytes) => {
    done.read += bytes;
    onRead();
  });
  // A CSV is read twice: first for the types of its columns.
  const size = file === '-' || options.json ? 0 : statSync(file).size * (readOptions.format === 'csv' ? 2 : 1);
  const shown = () => `${done.accepted} events`;
  const progress = showProgress(size, shown());
  onRead = () => void progress.update(done.read, shown());
  const { tenant, agent: agentId } = options;
  const access: Access = { command: 'import', tenant, agentId, scopes: ['events:write', 'events:read'] };
  try {
    const reading = await readRows(input, readOptions);
    const prefix = await idPrefix(file);
    const result = options.dryRun
      ? await tryRows(reading.rows)
      : await withDestination(config, access, (destination) =>
          sendRows(reading.rows, destination, prefix, ({ accepted }) => {
            done.accepted = accepted;
          }),
        );
    onRead();
    progress.finish();
    report(options, result, input, reading);
    if (result.rejected.length > 0) process.exitCode = 1;
  } catch (error) {
    progress.stop();
    throw error;
  }
}

function readOptionsOf(file: string, options: ImportOptions): EventFileOptions {
  const isCsv = ['.csv', '.tsv', '.tab'].includes(extname(file).toLowerCase());
  const { format = isCsv ? 'csv' : 'ndjson', eventName } = options;
  const ofCsv = (['delimiter', 'types'] as const).find((name) => options[name] !== undefined);
  if (format !== 'csv' && ofCsv) throw invalid(`--${ofCsv} is for a CSV; is --format csv meant?`);
  const delimiter = options.delimiter === 'tab' ? '\t' : options.delimiter;
  if (delimiter !== undefined && !isDelimiter(delimiter)) {
    throw invalid('--delimiter must be one ASCII character, or tab, and neither a quote nor a line break');
  }
  return { format, eventName, delimiter, types: columnTypes(options.types ?? '') };
}

/** Counts the rows as an import would, and sends nothing. */
async function tryRows(rows: AsyncIterable<ImportRow>): Promise<ImportResult> {
  const result: ImportResult = { accepted: 0, duplicates: 0, rejected: [] };
  for await (const { line, problem } of rows) {
    if (problem === undefined) result.accepted += 1;
    else result.rejected.push({ line, message: problem });
  }
  return result;
}

async function importDirectory(directory: string, config: Config, options: ImportOptions): Promise<void> {
  const { tenant, agent, format, eventName, encoding, delimiter, types, dryRun, url } = options;
  const ofFiles = Object.entries({
    tenant: tenant === DEFAULT_TENANT ? undefined : tenant,
    agent,
    format,
    'event-name': eventName,
    encoding,
    delimiter,
    types,
    'dry-run': dryRun,
    url,
  });
  const given = ofFiles.filter(([, value]) => value !== undefined).map(([name]) => `--${name}`);
  if (given.length > 0) {
    throw invalid(
      `${directory} is a directory: it is imported whole, into the data directory or database of the settings. Leave out ${given.join(', ')}.`,
    );
  }
  const { directoryConfig } = await import('../../app/transfer.ts');
  const { copyBetween } = await import('./copy-installation.ts');
  await copyBetween(directoryConfig(config, resolve(directory)), config, options);
}

function report(options: ImportOptions, result: ImportResult, { name, encoding }: ImportInput, reading: Reading): void {
  const { accepted, duplicates, rejected } = result;
  const { lines, delimiter, columns, notes } = reading;
  const problems = rejected.map(({ line, message }) => ({
    line,
    message: message.replace(/(^|; )events\[\d+\]\.?/g, '$1'),
  }));
  const counts = { accepted, duplicates, rejected: rejected.length, problems: problems.slice(0, 100) };
  const total = lines.header + lines.rows + lines.continued + lines.blank;
  const file = { encoding, delimiter, lines: { total, ...lines }, columns, notes };
  const more = rejected.length - SHOWN_REJECTIONS;
  print(options, options.dryRun ? { ...counts, dryRun: true, ...file } : { ...counts, ...file }, [
    options.dryRun
      ? `${accepted} events can be sent, ${rejected.length} would be rejected. Nothing was sent.`
      : `Imported ${accepted} events; ${duplicates} were there already, ${rejected.length} were rejected.`,
    ...problems.slice(0, SHOWN_REJECTIONS).map(({ line, message }) => `  line ${line}: ${oneLine(message)}`),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
    `${name}: ${encoding}${delimiterShown(delimiter)}; ${linesShown(total, lines)}.`,
    ...columnsShown(columns ?? []),
    ...notes.map(oneLine),
  ]);
}

function delimiterShown(delimiter: string | undefined): string {
  if (delimiter === undefined) return '';
  if (delimiter === NO_DELIMITER) return ', one column';
  return `, columns end at ${delimiter === '\t' ? 'tab' : `"${delimiter}"`}`;
}

function linesShown(total: number, { header, rows, continued, blank }: LineCounts): string {
  const parts = Object.entries({ header, rows, 'within rows': continued, blank }).filter(([, count]) => count > 0);
  const shown = parts.map(([what, count]) => `${count} ${count === 1 ? what.replace(/^rows$/, 'row') : what}`);
  return `${total} lines${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`;
}

const SHOWN_COLUMNS = 20;

function columnsShown(columns: ColumnDecision[]): string[] {
  const lines = Object.entries(Object.groupBy(columns, ({ type }) => type.replace(/-.*/, '')));
  const shown = lines.map(([type, ones = []]) => {
    const names = ones
      .toSorted((one, other) => Number(other.reason !== undefined) - Number(one.reason !== undefined))
      .slice(0, SHOWN_COLUMNS)
      .map(({ column, reason, isSet }) => {
        const why = isSet ? 'by --types' : reason;
        return oneLine(why === undefined ? column : `${column} (${why})`);
      });
    const rest = ones.length - names.length;
    return `  ${type.padEnd(7)} ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  });
  const isDoubtful = columns.some(({ type, reason }) => type === 'text' && reason !== undefined);
  return isDoubtful
    ? [...shown, 'Set types with --types COLUMN=number,...; events that are in already keep their values.']
    : shown;
}
