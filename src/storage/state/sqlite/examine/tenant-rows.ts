import { join } from 'node:path';
import { STATE_FILE } from '../../../installation/names.ts';
import { EXAMINING, type ExaminedRows, examinedRows, type ReadRows } from '../../sql/examined.ts';
import { examineSqlite, hasTable } from './examine.ts';

/** Nothing without a file. */
export async function examineStateRows(directory: string): Promise<ExaminedRows> {
  const rows = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) =>
      Object.entries(EXAMINING).map(([name, [table, statement]]) => [
        name,
        hasTable(database, table) ? database.prepare(statement).all() : [],
      ]),
  });
  const none = Object.keys(EXAMINING).map((name) => [name, []]);
  return examinedRows(Object.fromEntries(rows ?? none) as ReadRows);
}
