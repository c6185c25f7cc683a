import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';
import { pages } from './pages.ts';

/** Replaces the pages of the REST API in a directory. */
export function writeApiDocs(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of pages()) writeFileSync(join(directory, file), text);
}

if (import.meta.main) writeApiDocs(join(ROOT, 'docs/api'));
