import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { invalid, RuntimeError } from '../../core/base/shared/errors.ts';
import { parse } from '../../core/base/shared/parse.ts';
import { FORMATS, formatOf } from '../../core/knowledge/reader.ts';
import { ingestFieldsSchema } from '../../core/knowledge/schema.ts';
import type { FileToSend } from './client.ts';

export interface FieldFlags {
  store: string;
  metadata?: string;
  sourceId?: string;
  csvDelimiter?: string;
  csvContentColumns?: string;
  csvMetadataColumns?: string;
  stripHtml?: boolean;
  removeUrls?: boolean;
  dropEmptyValues?: boolean;
  normalizeWhitespace?: boolean;
  dedupe?: boolean;
}

const FIELDS = {
  store: 'vectorStore',
  metadata: 'metadata',
  csvDelimiter: 'csvDelimiter',
  csvContentColumns: 'csvContentColumns',
  csvMetadataColumns: 'csvMetadataColumns',
  stripHtml: 'hygieneStripHtml',
  removeUrls: 'hygieneRemoveUrls',
  dropEmptyValues: 'hygieneDropEmptyValues',
  normalizeWhitespace: 'hygieneNormalizeWhitespace',
  dedupe: 'hygieneDedupeUnits',
} as const satisfies Partial<Record<keyof FieldFlags, keyof typeof ingestFieldsSchema.shape>>;

export interface SizedFile extends FileToSend {
  size: number;
}

interface SkippedFile {
  path: string;
  skipped: string;
}

export type FoundFiles = (SizedFile | SkippedFile)[];

/** Directories with all below them. Throws for a named file that cannot be sent. */
export function filesToSend(paths: string[], flags: FieldFlags): FoundFiles {
  const fields = fieldsOf(flags);
  const found = paths.flatMap(filesAt).map(({ path, size, skipped }) => {
    return skipped === null ? { path, name: basename(path), fields, size } : { path, skipped };
  });
  const count = found.filter((one) => !('skipped' in one)).length;
  if (count === 0) {
    throw invalid(
      `There is nothing to ingest in ${paths.join(', ')}. Files that can be read are ${FORMATS.join(', ')}.`,
    );
  }
  if (count > 1 && sourceIdOf(fields) !== undefined) {
    throw invalid('--source-id: names one document, which the next file would replace; give one file with it');
  }
  return found;
}

function fieldsOf(flags: FieldFlags): Record<string, string> {
  const given = Object.entries(FIELDS).flatMap(([flag, field]) => {
    const value = flags[flag as keyof typeof FIELDS];
    return value === undefined ? [] : [[field, String(value)]];
  });
  const fields: Record<string, string> = Object.fromEntries(given);
  const { metadata } = checked(fields);
  if (flags.sourceId !== undefined) fields.metadata = JSON.stringify({ ...metadata, sourceId: flags.sourceId });
  checked(fields);
  return fields;
}

function sourceIdOf(fields: Record<string, string>): unknown {
  return checked(fields).metadata?.sourceId;
}

function checked(fields: Record<string, string>) {
  try {
    return parse(ingestFieldsSchema, fields);
  } catch (error) {
    throw error instanceof RuntimeError ? invalid(...error.messages.map(namingFlag)) : error;
  }
}

function namingFlag(message: string): string {
  const flag = Object.entries(FIELDS).find(([, field]) => message.startsWith(field))?.[0];
  const field = message.split(':', 1)[0] ?? '';
  if (field === 'metadata.sourceId') return message.replace(field, '--source-id');
  return flag === undefined ? message : message.replace(FIELDS[flag as keyof typeof FIELDS], `--${hyphened(flag)}`);
}

function hyphened(flag: string): string {
  return flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function filesAt(path: string): FoundFile[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw invalid(`There is no file ${path}.`);
  if (found.isDirectory()) return filesBelow(path);
  if (!found.isFile()) throw invalid(`${path} is not a file.`);
  const fault = fileFaultOf(path, found.size);
  if (fault === null) return [{ path, size: found.size, skipped: null }];
  const remedy = found.size === 0 ? '' : ` Files are ${FORMATS.join(', ')}; convert it, or rename it.`;
  throw invalid(`${path} ${fault}.${remedy}`);
}

export interface FoundFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Why it is not ingested; null: it is. */
  skipped: string | null;
}

/** With all below it, by name. Links to directories are not followed: they may lead in a circle. */
export function filesBelow(directory: string): FoundFile[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const byName = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return byName.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.name.startsWith('.')) return [{ path, size: 0, skipped: 'is hidden' }];
    return entry.isDirectory() ? filesBelow(path) : [fileAt(path, entry)];
  });
}

function fileAt(path: string, entry: Dirent): FoundFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { path, size: 0, skipped: 'is a link that leads nowhere' };
  if (!found.isFile())
    return { path, size: 0, skipped: entry.isSymbolicLink() ? 'is a link to no file' : 'is not a file' };
  return { path, size: found.size, skipped: fileFaultOf(path, found.size) };
}

/** Null if the file can be ingested. */
export function fileFaultOf(path: string, size: number): string | null {
  if (formatOf(path) === null) return 'has no extension that can be read';
  return size === 0 ? 'is empty' : null;
}
