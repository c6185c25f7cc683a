import { SqliteError } from 'better-sqlite3';

export async function violationAsResult<Row, Refusal extends string>(
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
