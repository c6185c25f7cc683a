import { realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../../core/base/shared/program.ts';

/** How to start this program again, as the user started it. */
export interface Invocation {
  /** With `args`: from any directory, and after an upgrade. */
  command: string;
  args: string[];
  /** For texts: what the user types, without a command. */
  shown: string;
  /** For texts: with a command. */
  line(command: string): string;
}

export interface Start {
  argv: readonly string[];
  /** The first word of the command line. */
  argv0: string;
  execPath: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** A single executable, whose argv[1] is a file of the version that it has unpacked. */
  isSea: boolean;
  cwd: string;
  /** bin/agent-runtime.js of this copy. */
  script: string;
  /** Follows links; null without a file. */
  realPath(path: string): string | null;
}

let invocation: Invocation | undefined;

export function currentInvocation(): Invocation {
  invocation ??= invocationOf({
    argv: process.argv,
    argv0: process.argv0,
    execPath: process.execPath,
    environment: process.env,
    // No static import: other runtimes lack the module.
    isSea: process.getBuiltinModule('node:sea')?.isSea() ?? false,
    cwd: process.cwd(),
    script: fileURLToPath(new URL('../../../bin/agent-runtime.js', import.meta.url)),
    realPath,
  });
  return invocation;
}

export function invocationOf(start: Start): Invocation {
  const { AGENT_RUNTIME_INVOCATION: wrapper } = start.environment;
  // Set by a wrapper such as /usr/bin/agent-runtime.
  if (wrapper && isAbsolute(wrapper)) return executable(wrapper, start);
  if (start.isSea) return executable(linkTo(start.execPath, start.argv0, start), start);
  const script = scriptOf(start);
  // The cache of npx changes with each version.
  if (/[\\/]_npx[\\/]/.test(script)) return made('npx', ['-y', PROGRAM.name], `npx ${PROGRAM.name}`);
  const isOnPath = onPath(PROGRAM.name, start).some((path) => isSame(path, script, start));
  const path = shownPath(script, start);
  // A link that npm made is started by its first line.
  const typed = script.endsWith('.js') ? `node ${path}` : path;
  const shown = isOnPath ? PROGRAM.name : typed;
  const node = linkTo(start.execPath, start.argv0, start);
  return made(node, [script], shown, start.environment.npm_lifecycle_event);
}

/** `npmScript` is the one that npm runs: those of a checkout have the names of commands. */
function made(command: string, args: string[], shown: string, npmScript?: string): Invocation {
  const line = (name: string) => (name === npmScript ? `npm run ${name} --` : `${shown} ${name}`);
  return { command, args, shown, line };
}

function executable(path: string, start: Start): Invocation {
  const [name = path] = path.split(/[\\/]/).slice(-1);
  const isOnPath = onPath(name, start).some((found) => found === path || isSame(found, path, start));
  return made(path, [], isOnPath ? name : shownPath(path, start));
}

/** A link to the script as it was given: its target may have a version in its path. */
function scriptOf({ argv, cwd, script, ...start }: Start): string {
  const given = argv[1] === undefined ? script : resolve(cwd, argv[1]);
  return isSame(given, script, start) ? given : script;
}

/** The path or link by which an executable was started; its own path if that is not known. */
function linkTo(path: string, argv0: string, start: Start): string {
  const candidates = /[\\/]/.test(argv0) ? [resolve(start.cwd, argv0)] : onPath(argv0, start);
  return candidates.find((candidate) => isSame(candidate, path, start)) ?? path;
}

function onPath(name: string, { environment }: Pick<Start, 'environment'>): string[] {
  const directories = environment.PATH?.split(delimiter) ?? [];
  return directories.filter((directory) => isAbsolute(directory)).map((directory) => join(directory, name));
}

function isSame(path: string, other: string, { realPath }: Pick<Start, 'realPath'>): boolean {
  const real = realPath(path);
  return real !== null && real === realPath(other);
}

/** Relative where that is below the working directory. */
function shownPath(path: string, { cwd }: Start): string {
  const below = relative(cwd, path);
  const isBelow = !below.startsWith('..') && !isAbsolute(below);
  const shortest = isBelow ? (dirname(below) === '.' ? `./${below}` : below) : path;
  return /\s/.test(shortest) ? `"${shortest}"` : shortest;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
