import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { notFound } from '../../core/base/shared/errors.ts';
import { readStandardInput } from './prompt.ts';

/** Returns the absolute path. Throws `not_found`. */
export function existingFile(name: string): string {
  const file = resolve(name);
  if (!existsSync(file) || !statSync(file).isFile()) throw notFound(`There is no file ${file}.`);
  return file;
}

/** `-` is standard input. */
export async function readInput(file: string): Promise<string> {
  if (file === '-') return readStandardInput();
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    throw new Error(`${file} cannot be read (${code}).`);
  }
}

export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}
