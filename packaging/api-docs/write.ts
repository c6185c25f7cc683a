import { readFileSync, writeFileSync } from 'node:fs';
import { listOfPages, pages } from './pages.ts';

export const API_DOCS = new URL('../../docs/api/', import.meta.url);

/** README.md with a current list of pages. */
export function readmeNow(): string {
  const readme = readFileSync(new URL('README.md', API_DOCS), 'utf8');
  return `${readme.slice(0, readme.indexOf('| Page'))}${listOfPages()}\n`;
}

if (import.meta.main) {
  for (const [file, text] of pages()) writeFileSync(new URL(file, API_DOCS), text);
  writeFileSync(new URL('README.md', API_DOCS), readmeNow());
}
