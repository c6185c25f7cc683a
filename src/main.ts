import { Command, CommanderError } from 'commander';
import { registerCommands } from './commands/index.ts';
import { currentInvocation } from './commands/presentation/invocation.ts';
import { endOnClosedPipe } from './commands/presentation/output.ts';
import { RuntimeError } from './core/base/shared/errors.ts';
import { PROGRAM } from './core/base/shared/program.ts';
import { ownersOf } from './storage/installation/data-directory.ts';
import { isUnusableFile } from './storage/installation/unusable.ts';

/**
 * EX_CONFIG of sysexits.h: `serve` fails again until the user acts, so a service manager must not
 * restart it.
 */
const EX_CONFIG = 78;

/** Resolves with the exit code. */
export async function main(argv: string[]): Promise<number> {
  // Files stay private, even in a data directory that others may enter.
  process.umask(0o077);
  endOnClosedPipe();
  const program = new Command(currentInvocation().shown)
    .description('Business events in, KPIs out to MCP clients. Self-hosted, one process, one data directory.')
    .version(PROGRAM.version)
    .showHelpAfterError('(add --help for what is possible)')
    .exitOverride();
  try {
    await registerCommands(program, argv);
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const isServe = argv[0] === 'serve';
    if (error instanceof CommanderError) return isServe && error.exitCode !== 0 ? EX_CONFIG : error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return isServe && needsUser(error) ? EX_CONFIG : 1;
  }
}

/** Something else has the place of a file or of a directory. */
const IN_THE_WAY = new Set(['EISDIR', 'ERR_FS_EISDIR', 'ENOTDIR', 'EEXIST', 'ELOOP']);

/** A wrong setting, a damaged or missing file, a missing permission. */
function needsUser(error: unknown): boolean {
  if (error instanceof RuntimeError) return error.code === 'invalid';
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  return isUnusableFile(error) || code === 'EACCES' || IN_THE_WAY.has(code);
}

/** One line for errors that the user can fix, the stack for others. */
function explain(error: unknown): string {
  if (error instanceof RuntimeError) return `error: ${error.messages.join('\n       ')}`;
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (isUnusableFile(error)) return `error: ${error.message}`;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `error: the port is in use: ${error.message}. Choose another with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `error: ${error.message}. If it is the address to listen on, choose one of this machine with --host.`;
  }
  if (code === 'EACCES' || code === 'EROFS') {
    return `error: no permission: ${error.message}${path === undefined ? '' : `. ${ownersOf(path)}. Correct its owner and mode`}`;
  }
  if (IN_THE_WAY.has(code ?? '') && path !== undefined) return `error: ${error.message}. Move ${path} aside.`;
  if (code === 'ENOSPC') return `error: no room left: ${error.message}`;
  return `error: ${error.constructor === Error ? error.message : error.stack}`;
}
