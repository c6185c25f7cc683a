import type { Config } from '../../config.ts';

export function print(
  options: { json?: boolean },
  value: unknown,
  lines: string[],
  output: NodeJS.WriteStream = process.stdout,
): void {
  output.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}

/** A server rereads definitions and credentials every second. */
export function usedSoon({ dataDir, nodes }: Pick<Config, 'dataDir' | 'nodes'>): string {
  const servers = nodes === null ? `A server that runs on ${dataDir} uses` : 'Servers of this database use';
  return `${servers} this within a second.`;
}

/** 128 + SIGPIPE, by which other programs end then. */
const CLOSED_PIPE = 141;

/**
 * A reader that closes the pipe early, `| head` for example, ends the program without a message.
 */
export function endOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', onWriteError).on('error', onWriteError);
}

function onWriteError(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  // A command that goes on, or ends otherwise, has a listener of its own.
  if (this.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(CLOSED_PIPE);
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(1);
}
