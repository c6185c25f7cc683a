import { RuntimeError } from '../../../core/base/shared/errors.ts';

/** The engine's tables may differ from what was committed: the file must be reopened. */
export class DoubtError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export function unavailable(cause: unknown): RuntimeError {
  return new RuntimeError('unavailable', 'Events cannot be reached at the moment. Try again.', {
    cause,
    retryAfter: 5,
  });
}

export function needsReopening(error: unknown): boolean {
  const reason = error instanceof RuntimeError && error.code === 'unavailable' ? error.cause : error;
  if (reason instanceof DoubtError) return true;
  return reason instanceof Error && /^FATAL Error|database has been invalidated|is closed$/.test(reason.message);
}

/** Disk, memory or the file caused the error, not the query or the events. */
export function isMachineFault(error: unknown): boolean {
  if (needsReopening(error) || isInputOutput(error) || isOutOfMemory(error)) return true;
  return error instanceof Error && /^(Internal|TransactionContext|Interrupt)\b/i.test(error.message);
}

/** The transaction may be half applied. After a full disk it is rolled back. */
export function leavesDoubt(error: unknown): boolean {
  return isMachineFault(error) && !isConflict(error) && !isInputOutput(error);
}

export function isConflict(error: unknown): boolean {
  return error instanceof Error && /conflict|other (write )?transactions|^INTERRUPT/i.test(error.message);
}

const DISK_FAULTS = new Set(['ENOSPC', 'EFBIG', 'EDQUOT', 'EIO', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE']);

function isInputOutput(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return DISK_FAULTS.has(code ?? '') || /^IO Error|Could not write file|No space left on device/.test(error.message);
}

const OUT_OF_MEMORY = /Out of Memory|(failed to|could not) (pin|allocate) (block|data)/;

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}
