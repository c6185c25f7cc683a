import { SqliteError } from 'better-sqlite3';

/** What the tables themselves refuse, as a result. */
export async function refusable<Row, Refusal extends string>(
  statement: Promise<Row>,
  refusals: Record<string, Refusal>,
): Promise<Row | Refusal> {
  try {
    return await statement;
  } catch (error) {
    const refusal = error instanceof SqliteError ? refusals[error.code] : undefined;
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** What an update sets: only what is given. */
export function defined<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}
