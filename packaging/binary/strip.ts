import { spawnSync } from 'node:child_process';
import type { Target } from './targets.ts';

/** Removes the symbols of an executable or a library. Only on Linux: the others' signatures would break. */
export function strip(path: string, { name, platform }: Target): void {
  if (platform !== 'linux') return;
  const isOwn = name === `${process.platform}-${process.arch}`;
  const tools = isOwn ? ['strip', 'llvm-strip'] : ['llvm-strip'];
  const isStripped = tools.some((tool) => spawnSync(tool, [path]).status === 0);
  if (!isStripped) console.warn(`${tools.join(' and ')} not found: ${path} keeps its symbols.`);
}
