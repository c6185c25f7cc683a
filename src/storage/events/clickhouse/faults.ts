import { RuntimeError } from '../../../core/base/shared/errors.ts';

/**
 * Codes of exceptions that speak of the events or the statement; all others are faults of the
 * server or the network.
 */
const REFUSALS = new Set([
  '6', // CANNOT_PARSE_TEXT
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '33', // CANNOT_READ_ALL_DATA
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '117', // INCORRECT_DATA
  '131', // TOO_LARGE_STRING_SIZE
  '190', // SIZES_OF_ARRAYS_DONT_MATCH
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '469', // VIOLATED_CONSTRAINT
]);

const TIMEOUT_EXCEEDED = '159';
const MEMORY_LIMIT_EXCEEDED = '241';

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The engine refuses the rows, and would refuse them again. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has(codeOf(error));
}

/** The server or the network fails, whatever the statement. */
export function isAway(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'unavailable';
}

export function isTimeout(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'timeout';
}

export function unavailable(cause?: unknown): RuntimeError {
  return new RuntimeError('unavailable', 'Events cannot be reached at the moment. Try again.', {
    cause,
    retryAfter: 5,
  });
}

/** The database may have committed what it could not answer; a refusal stored nothing. */
export function notAcknowledged(cause: unknown): RuntimeError {
  if (cause instanceof RuntimeError && cause.code === 'unavailable' && cause.cause === undefined) return cause;
  const remedy = 'Try again: events with an id of their own are never stored twice.';
  return new RuntimeError('unavailable', `Events cannot be stored at the moment. ${remedy}`, { cause, retryAfter: 5 });
}

const NARROW = 'Narrow dateFrom and dateTo, add filters, or group by fewer keys.';

/** The error that the caller of a failed query gets. */
export function queryFault(error: unknown, timeoutMs: number): unknown {
  if (error instanceof RuntimeError) return error;
  const code = codeOf(error);
  if (code === TIMEOUT_EXCEEDED || (error instanceof Error && /timeout/i.test(error.message))) {
    return new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
  }
  if (code === MEMORY_LIMIT_EXCEEDED) {
    return new RuntimeError('unprocessable', `The query needs more memory than queries may use. ${NARROW}`, {
      cause: error,
    });
  }
  // A code of the server that names neither limit is a fault of the statement: it is not retried.
  return /^\d+$/.test(code) && !AWAY.has(code) ? error : unavailable(error);
}

/**
 * Too many queries, no memory of the server, read-only tables, Keeper, shutdowns, unknown databases
 * and tables.
 */
const AWAY = new Set([
  '0',
  '3',
  '60',
  '81',
  '159',
  '202',
  '210',
  '236',
  '241',
  '242',
  '243',
  '252',
  '319',
  '394',
  '999',
  '1000',
]);
