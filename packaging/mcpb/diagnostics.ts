interface Problem {
  err: unknown;
}

/** The bridge's log: plain lines on standard error, which hosts show as the extension's log. */
export const diagnostics = {
  debug: () => undefined,
  info: say,
  warn: ({ err }: Problem, message: string) => say(`${message}: ${reasonOf(err)}`),
};

function say(text: string): void {
  process.stderr.write(`Agent Runtime: ${text}\n`);
}

/** `fetch` has the reason in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message || (error as NodeJS.ErrnoException).code || error.name;
  return cause === undefined ? own : `${own} (${reasonOf(cause)})`;
}
