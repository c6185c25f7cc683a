import { readFileSync } from 'node:fs';
import { readStandardInput } from './prompt.ts';

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
