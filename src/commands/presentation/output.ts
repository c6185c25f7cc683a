export function print(options: { json?: boolean }, value: unknown, lines: string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}

/** A server rereads definitions and credentials every second. */
export function usedSoon(dataDir: string): string {
  return `A server that runs on ${dataDir} uses this within a second.`;
}
