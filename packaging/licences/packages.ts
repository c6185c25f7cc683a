import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { standardText } from './standard-texts.ts';

/** An npm package whose code is distributed. */
export interface Package {
  name: string;
  version: string;
  /** An SPDX expression. */
  license: string;
  licenceText: string;
}

/** The packages that bundled source files belong to. */
export function packageDirectories(sources: Iterable<string>): string[] {
  // `node_modules/zod/v4/core/util.js` belongs to `node_modules/zod`.
  const directoryOf = (source: string) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0];
  return [...new Set([...sources].flatMap((source) => directoryOf(source) ?? []))].sort();
}

export function readPackage(directory: string): Package {
  const { name, version, license, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
    author?: string | { name: string };
  };
  const files = readdirSync(directory).filter((one) => /^licen[cs]e([._-]|$)/i.test(one));
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  const spdx = spdxOf(license, name);
  // Only AND needs every text; where licences are alternatives, one is enough.
  const needed = spdx.includes(' AND ') ? files : files.slice(0, 1);
  const texts = needed.map((file) => readFileSync(join(directory, file), 'utf8').trim());
  const licenceText = texts.length > 0 ? texts.join('\n\n') : standardText(spdx, holder);
  return { name, version, license: spdx, licenceText: licenceText.trim() };
}

/** What some packages write is not SPDX. */
const SPDX: Record<string, string> = { 'MIT OR Apache': 'MIT OR Apache-2.0' };

function spdxOf(license: string | undefined, name: string): string {
  if (license !== undefined) return SPDX[license] ?? license;
  const known = UNDECLARED[name];
  if (known === undefined) throw new Error(`${name} declares no licence. Look it up, and add it to UNDECLARED.`);
  return known;
}

const UNDECLARED: Record<string, string> = { busboy: 'MIT', streamsearch: 'MIT' };
