import type { DuckDBConnection } from '@duckdb/node-api';
import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { Bindings, type CompiledQuery } from '../read/expressions.ts';
import { fromJson, isNumber } from '../read/property-sql.ts';
import { columnName, columnOrder, type Kind, readLayout } from '../tables.ts';

/* Compaction fills columns learned after an event's arrival with values from its JSON. */

interface LatePath {
  tenant: number;
  path: PropertyPath;
  since: number;
  columns: Partial<Record<Kind, string>>;
}

/** `source` is a table with conditions. */
export async function insertRun(connection: DuckDBConnection, run: number, source: string): Promise<CompiledQuery> {
  const columns = (await columnOrder(connection)).filter((column) => column !== 'run');
  const late = await latePaths(connection);
  const values = new Bindings();
  const { epoch } = await readLayout(connection);
  const moved = columns.map((column) => (column === 'epoch' ? epochOf(late, epoch) : movedValue(column, late)));
  return values.statement(
    `INSERT INTO cold (run, ${columns.join(', ')}) SELECT ${run}, ${moved.join(', ')} ` +
      `FROM ${extracting(late, source, values)} ORDER BY tenant, event_name, timestamp`,
  );
}

/** All paths in one pass: an expression for each takes tens of megabytes in every thread. */
function extracting(late: LatePath[], source: string, values: Bindings): string {
  if (late.length === 0) return source;
  const pointers = [...new Set(late.map(({ path }) => jsonPointer(path)))];
  const isLate = ({ tenant, since }: LatePath) => `tenant = ${tenant} AND epoch < ${since}`;
  const anyLate = [...new Set(late.map(isLate))].join(' OR ');
  const found = `CASE WHEN ${anyLate} THEN json_extract(properties, [${values.bindAll(pointers)}]) END AS found`;
  const extracted = late.map((one, index) => {
    const json = `found[${pointers.indexOf(jsonPointer(one.path)) + 1}]`;
    return `CASE WHEN ${isLate(one)} THEN nullif(${json}, 'null') END AS j${index}`;
  });
  return `(SELECT *, ${extracted.join(', ')} FROM (SELECT *, ${found} FROM ${source}))`;
}

async function latePaths(connection: DuckDBConnection): Promise<LatePath[]> {
  const reader = await connection.runAndReadAll(
    "SELECT tenant, path, since, kind, slot FROM learned WHERE since > 0 AND path <> '[]' ORDER BY tenant, path",
  );
  const paths = new Map<string, LatePath>();
  for (const [tenant, path, since, kind, slot] of reader.getRows()) {
    const key = `${tenant} ${path}`;
    const known = paths.get(key) ?? {
      tenant: Number(tenant),
      path: JSON.parse(String(path)) as PropertyPath,
      since: Number(since),
      columns: {},
    };
    known.since = Math.max(known.since, Number(since));
    known.columns[kind as Kind] = columnName(kind as Kind, Number(slot));
    paths.set(key, known);
  }
  return [...paths.values()];
}

function movedValue(column: string, late: LatePath[]): string {
  const cases = late.flatMap(({ tenant, since, columns }, index) =>
    Object.entries(columns).flatMap(([kind, name]) =>
      name === column
        ? [`WHEN tenant = ${tenant} AND epoch < ${since} THEN ${extractedAs(kind as Kind, index, columns)}`]
        : [],
    ),
  );
  return cases.length === 0 ? column : `CASE ${cases.join(' ')} ELSE ${column} END`;
}

function extractedAs(kind: Kind, index: number, columns: LatePath['columns']): string {
  const json = `j${index}`;
  const isWhole = `CAST(${json} AS DOUBLE) = trunc(CAST(${json} AS DOUBLE)) AND abs(CAST(${json} AS DOUBLE)) <= 9007199254740991`;
  switch (kind) {
    case 'integer':
      return `CASE WHEN ${isNumber(json)} THEN CASE WHEN ${isWhole} THEN CAST(${json} AS DOUBLE)::BIGINT END END`;
    case 'double':
      if (!columns.integer) return fromJson(json).number!;
      return `CASE WHEN ${isNumber(json)} THEN CASE WHEN NOT (${isWhole}) THEN CAST(${json} AS DOUBLE) END END`;
    case 'container':
      return `CASE WHEN ${fromJson(json).container} IS NOT NULL THEN true END`;
    default:
      return fromJson(json)[kind]!;
  }
}

/** An event with a value that fits no column keeps its epoch, so its JSON is read. */
function epochOf(late: LatePath[], epoch: number): string {
  const unfit = late.map(({ columns }, index) => {
    const kinds = Object.keys(columns) as Kind[];
    const held = kinds.map((kind) => `(${extractedAs(kind, index, columns)}) IS NOT NULL`);
    return `(j${index} IS NOT NULL AND NOT (${held.join(' OR ')}))`;
  });
  if (unfit.length === 0) return `greatest(epoch, ${epoch})`;
  return `CASE WHEN ${unfit.join(' OR ')} THEN epoch ELSE greatest(epoch, ${epoch}) END`;
}
