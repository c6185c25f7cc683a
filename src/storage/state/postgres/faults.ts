import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { ConstraintViolation } from '../sql/violations.ts';

/**
 * SQLSTATE by its beginning: connections, resources, shutdowns, deadlocks, and a standby that
 * became the primary.
 */
const UNAVAILABLE = /^(08|53|57P|58|40001|40P01|25006|55P03)/;
const NETWORK = /^E[A-Z]+$/;
/** Errors of the driver, which has no codes for them. */
const DRIVER = /timeout|terminated|connection error|Connection ended/i;

/**
 * Constraint violations and faults of the database in the program's own errors; others as they are.
 */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505') return new ConstraintViolation(constraint?.endsWith('_pkey') ? 'primary key' : 'unique', error);
  if (code === '23503') return new ConstraintViolation('foreign key', error);
  return isUnavailable(error) ? unavailable(error) : error;
}

/** The connection may be unusable. */
export function isConnectionFault(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string };
  return /^(08|57P)/.test(code) || NETWORK.test(code) || (code === '' && DRIVER.test(message));
}

function isUnavailable(error: Error): boolean {
  return UNAVAILABLE.test((error as { code?: string }).code ?? '') || isConnectionFault(error);
}

function unavailable(cause: Error): RuntimeError {
  const { code } = cause as { code?: string };
  const why = code?.startsWith('53') ? 'has no room or connection left' : 'does not answer';
  return new RuntimeError('unavailable', `The database ${why} at the moment. Try again.`, { cause, retryAfter: 5 });
}
