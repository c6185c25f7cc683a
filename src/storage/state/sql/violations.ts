export type Violated = 'primary key' | 'unique' | 'foreign key';

/** A statement broke a constraint of its table. Each database translates its own error into it. */
export class ConstraintViolation extends Error {
  readonly violated: Violated;

  constructor(violated: Violated, cause: unknown) {
    super(`the statement violates a constraint: ${violated}`, { cause });
    this.violated = violated;
  }
}

export async function violationAsResult<Row, Refusal extends string>(
  statement: Promise<Row>,
  refusals: Partial<Record<Violated, Refusal>>,
): Promise<Row | Refusal> {
  try {
    return await statement;
  } catch (error) {
    const refusal = error instanceof ConstraintViolation ? refusals[error.violated] : undefined;
    if (refusal === undefined) throw error;
    return refusal;
  }
}
