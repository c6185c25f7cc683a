import { execFile, spawn } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import type { Invocation } from '../presentation/invocation.ts';

export interface Ran {
  /** 127 when there is no such program. */
  code: number;
  stdout: string;
  stderr: string;
}

/** The machine that a service is installed on. Tests have one of their own. */
export interface Host {
  platform: NodeJS.Platform;
  uid: number;
  user: string;
  home: string;
  /** The command that the service runs, without `serve`. */
  program: Pick<Invocation, 'command' | 'args'>;
  variable(name: string): string | undefined;
  /** Without a shell. Never rejects. */
  run(command: string, args: string[]): Promise<Ran>;
  /** With the streams of this process. Resolves with the exit code. */
  attach(command: string, args: string[]): Promise<number>;
}

export function thisHost(program: Host['program'], variable: Host['variable']): Host {
  const { uid, username } = userInfo();
  return { platform: process.platform, uid, user: username, home: homedir(), program, variable, run, attach };
}

export function succeeded(ran: Ran, command: string[]): Ran {
  if (ran.code === 0) return ran;
  throw new Error(`${command.join(' ')} failed: ${ran.stderr.trim() || `exit code ${ran.code}`}`);
}

function run(command: string, args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, args, { encoding: 'utf8' }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
      resolve({ code, stdout, stderr: stderr || (code === 127 ? String(error?.message) : '') });
    });
  });
}

function attach(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // Ctrl-C reaches the child too, which decides.
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject).once('close', (code) => {
      process.removeListener('SIGINT', ignore);
      resolve(code ?? 0);
    });
  });
}
