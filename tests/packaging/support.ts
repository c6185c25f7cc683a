import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension } from '@anthropic-ai/mcpb';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { temporaryDirectory } from '../support/app.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Built {
  /** The packed bundle. */
  path: string;
  /** Where a host would have installed it. */
  directory: string;
  manifest: McpbManifestAny;
  /** The output of the build. */
  stdout: string;
}

/** The bundle of `npm run mcpb`, unpacked by Anthropic's tool, away from any node_modules. */
export async function buildBundle(t: TestContext): Promise<Built> {
  const place = temporaryDirectory(t);
  const path = join(place, 'out', 'agent-runtime.mcpb');
  const directory = join(place, 'installed');
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'packaging/mcpb/build.ts'), path]);
  if (!(await unpackExtension({ mcpbPath: path, outputDir: directory, silent: true }))) {
    throw new Error('The bundle cannot be unpacked.');
  }
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as McpbManifestAny;
  return { path, directory, manifest, stdout };
}

/** The files of a directory by path with slashes. */
export function filesIn(directory: string): Map<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => join(directory, name)).filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(directory, path).split(sep).join('/'), readFileSync(path)]));
}

export interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * The command that a host starts for these settings; undefined: it asks for more settings first.
 */
export async function hostCommand(
  { manifest, directory }: Built,
  settings: Record<string, string>,
): Promise<Command | undefined> {
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: directory,
    systemDirs: {},
    userConfig: settings,
    pathSeparator: sep,
  });
  if (config === undefined) return undefined;
  // `node` must be the one that runs the test.
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  return {
    command: config.command,
    args: config.args ?? [],
    env: { ...getDefaultEnvironment(), PATH: path, ...config.env },
  };
}

/** The command as a bare process, for input that no client library sends. Killed after the test. */
export function startCommand(t: TestContext, { command, args, env }: Command) {
  const child = spawn(command, args, { cwd: temporaryDirectory(t), env, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}
