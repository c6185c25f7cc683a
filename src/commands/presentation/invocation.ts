export interface Invocation {
  command: string;
  args: string[];
}

/** What starts this program again, with absolute paths. */
export function invocation(): Invocation {
  const isSingleExecutable = process.getBuiltinModule('node:sea')?.isSea() === true;
  return { command: process.execPath, args: isSingleExecutable ? [] : [process.argv[1]!] };
}
