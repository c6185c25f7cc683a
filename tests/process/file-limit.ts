import { execFileSync } from 'node:child_process';

const PROGRAM = 'prlimit';

/** As on a full disk: writes beyond this size of a file fail. The hard limit stays, so that it can be raised again. */
export function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync(PROGRAM, ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

export function canLimitFiles(): boolean {
  try {
    execFileSync(PROGRAM, ['--pid', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
