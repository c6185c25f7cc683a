/** One JSON object for scripts, or lines for people. */
export function print(options: { json?: boolean }, value: unknown, lines: string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}

/** A running server rereads definitions and credentials this often. */
export function usedSoon(dataDir: string): string {
  return `A server that runs on ${dataDir} uses this within a second.`;
}
