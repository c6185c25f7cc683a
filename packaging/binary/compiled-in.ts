import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import duckdb from '@duckdb/node-bindings';
import BetterSqlite3 from 'better-sqlite3';
import type { Package } from '../licences/packages.ts';
import { standardText } from '../licences/standard-texts.ts';
import { packageDirectory } from './lockfile.ts';
import type { Target } from './targets.ts';

/*
 * Libraries that npm does not see, because they are compiled into native packages. Their versions
 * are read from the packages installed here, which are the same for every target.
 */

export function compiledInPackages(): Package[] {
  return [
    { name: 'sqlite', version: sqliteVersion(), license: 'blessing', licenceText: 'SQLite is in the public domain.' },
    {
      name: 'duckdb',
      version: duckdb.library_version().replace(/^v/, ''),
      license: 'MIT',
      licenceText: standardText('MIT', '2018-2026 Stichting DuckDB Foundation'),
    },
    {
      name: 'pdfium',
      // The package does not say which revision it was built from.
      version: 'unknown',
      license: 'BSD-3-Clause',
      licenceText: standardText('BSD-3-Clause', '2014 The PDFium Authors'),
    },
  ];
}

function sqliteVersion(): string {
  const database = new BetterSqlite3(':memory:');
  try {
    return database.prepare('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    database.close();
  }
}

/** Node.js, for a wrapping that contains it. Its licence text has those of all its libraries. */
export async function nodePackages({ nodePackage }: Target): Promise<Package[]> {
  const directory = nodePackage === null ? null : await packageDirectory(nodePackage);
  const { node, ...libraries } = process.versions;
  const licenceText = directory === null ? NODE_LICENCE : readFileSync(join(directory, 'LICENSE'), 'utf8').trim();
  const compiledIn = Object.entries(libraries).filter(([name, version]) => !NOT_LIBRARIES.has(name) && version);
  return [
    { name: 'node', version: node, license: 'MIT', licenceText },
    ...compiledIn.map(([name, version]) => ({ name, version: version!, license: 'NOASSERTION', licenceText: '' })),
  ];
}

const NODE_LICENCE = `The licence of Node.js and its libraries: https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE`;
/** Versions of data and interfaces. */
const NOT_LIBRARIES = new Set(['modules', 'napi', 'tz', 'unicode', 'cldr']);
